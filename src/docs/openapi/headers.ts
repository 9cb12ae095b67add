export type Json = Record<string, unknown>;

export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'The `X-Request-Id` of the request if it is valid, else a new one.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  'RateLimit-Limit': {
    description: 'POST requests allowed per minute and client address. Absent if the limit is off.',
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Remaining': {
    description: 'POST requests remaining in the current minute.',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': {
    description: 'Seconds until the current minute ends.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next POST request.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  Link: {
    description: 'The explanation of the code: `<…/docs/reference#error-CODE>; rel="help"`.',
    required: true,
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description:
      '`true` if this is the response of an earlier call with the same Idempotency-Key. Absent otherwise.',
    schema: { type: 'string', const: 'true' },
  },
} as const satisfies Record<string, Json>;

export type HeaderName = keyof typeof RESPONSE_HEADERS;

export const RATE_LIMIT_HEADERS = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const satisfies readonly HeaderName[];

export function headerRefs(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const REQUEST_PARAMETERS = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Your identifier for this request, such as `checkout-7f3a`. The response returns it. The service replaces an invalid one.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a retry safe. Use one key per attempt to pay an order, such as `ORDER-1001-1`. The same key with the same input returns the first response for 7 days, even if both calls arrive at once. The same key with other input is refused. Without a key, every call creates a transaction. 1 to 255 printable ASCII characters.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]{1,255}$' },
  },
} as const satisfies Record<string, Json>;
