type Json = Record<string, unknown>;

/** The response headers that the document knows. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: "The request's X-Request-Id when it was usable, else a new one.",
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  'RateLimit-Limit': {
    description: 'POST requests allowed per minute and address. Absent where the limit is off.',
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Remaining': {
    description: 'POST requests left in the current minute.',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': {
    description: 'Seconds left of the current minute.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next POST request.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  Link: {
    description: 'Where the code is explained: `<…/docs/reference#error-CODE>; rel="help"`.',
    required: true,
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description:
      '`true` when this is the answer of an earlier call with the same Idempotency-Key; else absent.',
    schema: { type: 'string', const: 'true' },
  },
} as const satisfies Record<string, Json>;

export type HeaderName = keyof typeof RESPONSE_HEADERS;

export const RATE_LIMIT_HEADERS = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const satisfies readonly HeaderName[];

/** References to the headers' components, by name. */
export function headerRefs(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The request headers that an operation reads. */
export const REQUEST_PARAMETERS = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Your own id for this request, such as `checkout-7f3a`; it comes back in the answer. One that does not fit is replaced.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'One for each attempt at an order, such as `ORDER-1001-1`. It makes a repetition safe: the same key with the same input returns the first answer, for 7 days, also when both arrive at once. With another input it is refused. Without it every call creates a transaction. 1 to 255 printable ASCII characters.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]{1,255}$' },
  },
} as const satisfies Record<string, Json>;

export type ParameterName = keyof typeof REQUEST_PARAMETERS;
