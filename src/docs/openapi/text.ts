/** The introduction of the document, in Markdown. */
export const DESCRIPTION = `Collect payments in EUR from customers by MB WAY (a push notification to the phone) and Multibanco (an entity and reference that the customer pays at a bank channel).

1. The merchant's backend creates a transaction: \`POST /payments/init\`.
2. It starts a method step: \`POST /payments/mbway\` or \`POST /payments/multibanco\`. Either may follow the other while the transaction is pending.
3. The service sends signed webhooks when the transaction changes state. They are the authoritative confirmation of payment.
4. The merchant may read the stored state: \`GET /payments/status\`.

## Rules of the wire
- Every call needs \`Authorization: Bearer <API_KEY>\`. Server-side only; there are no CORS headers.
- JSON in and out, UTF-8, at most 256 KiB, \`Content-Type: application/json\`. Amounts are numbers in EUR with at most two decimals; instants are ISO 8601 in UTC.
- Nothing is coerced: \`"12"\` is not an amount. An optional member that is null or a blank string counts as absent; a required one is then missing. Unknown members are ignored and not stored.
- Every answer carries \`X-Request-Id\`. Errors carry \`error\`, \`code\`, \`requestId\` and, when particular members are at fault, \`fields\`.
- An unknown path or a wrong method is 404 \`NOT_FOUND\`.
- 30 POST requests per minute and address, over all operations; above it 429 with \`Retry-After\` in seconds.

## States
\`pending\` becomes \`paid\`, \`failed\` or \`cancelled\`. Money that arrives after \`failed\` or \`cancelled\` still makes the transaction \`paid\`. The same procedures are served over tRPC at \`/trpc\`.`;

export const PAYMENTS_TEXT = 'Create a transaction, start a method step, read the stored state.';
