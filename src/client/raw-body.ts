import { WebhookVerificationError } from './webhook-error.ts';

const HOW =
  "Read the raw body before it is parsed: await request.text() of a web Request, express.raw({ type: 'application/json' }) in Express, or the concatenated chunks of the request.";

/** Returns the bytes to verify. Throws WebhookVerificationError for a body that was parsed or read before. */
export function bytesOf(rawBody: unknown): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return nonEmpty(new TextEncoder().encode(rawBody));
  // Copied, because the buffer may change while the signature is computed.
  if (rawBody instanceof ArrayBuffer) return nonEmpty(new Uint8Array(rawBody.slice(0)));
  if (rawBody instanceof Uint8Array) return nonEmpty(new Uint8Array(rawBody));
  const what =
    rawBody === null || rawBody === undefined
      ? 'No body was given'
      : `The body is ${typeof rawBody === 'object' ? 'a parsed object' : `a ${typeof rawBody}`}, not the raw bytes`;
  throw new WebhookVerificationError('BODY_NOT_RAW', `${what}. ${HOW}`);
}

function nonEmpty(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (bytes.length > 0) return bytes;
  throw new WebhookVerificationError(
    'BODY_NOT_RAW',
    `The body is empty. It has probably been read already. ${HOW}`,
  );
}

/** Returns the error for a body that was parsed and serialised again. */
export function reserialised(): WebhookVerificationError {
  return new WebhookVerificationError(
    'BODY_NOT_RAW',
    `The signature matches the content of the body, but not its bytes: the body was parsed and serialised again. ${HOW}`,
  );
}

/** The order of the members on the wire. */
const MEMBERS = ['event', 'timestamp', 'data'];
const DATA_MEMBERS = ['id', 'externalOrderId', 'amount', 'currency', 'paymentMethod', 'status', 'paidAt'];
const REFUND_MEMBERS = [
  'id',
  'transactionId',
  'externalOrderId',
  'status',
  'paymentMethod',
  'amount',
  'currency',
  'refundedAt',
];

/** Returns the body in the service's serialisation; null when it is not JSON. */
export function asWritten(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const body = inOrder(value, MEMBERS);
    const isRefund = body.event === 'payment.refunded';
    if ('data' in body) body.data = inOrder(body.data, isRefund ? REFUND_MEMBERS : DATA_MEMBERS);
    return new TextEncoder().encode(JSON.stringify(body));
  } catch {
    return null;
  }
}

function inOrder(value: unknown, members: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object');
  const given = value as Record<string, unknown>;
  const known = members.filter((name) => name in given).map((name) => [name, given[name]]);
  return { ...Object.fromEntries(known), ...given };
}
