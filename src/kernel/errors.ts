/** The closed list of codes that a merchant can meet, each with its HTTP status. */
export const ERROR_STATUS = {
  INVALID_BODY: 400,
  INVALID_FIELDS: 400,
  CHECKOUT_DATA_REQUIRED: 400,
  STORE_DOMAIN_REQUIRED: 400,
  TRANSACTION_NOT_PENDING: 400,
  MBWAY_PUSH_OPEN: 400,
  MBWAY_PHONE_REJECTED: 400,
  AMOUNT_ABOVE_METHOD_LIMIT: 400,
  IDEMPOTENCY_KEY_REUSED: 400,
  UNAUTHORIZED: 401,
  ACCOUNT_INACTIVE: 403,
  DOMAIN_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  TRANSACTION_NOT_FOUND: 404,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  BANK_UNAVAILABLE: 502,
  BANK_OUTCOME_UNKNOWN: 502,
  BANK_REFUSED: 502,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
export type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode];

/** What a 500 says, whatever happened: the cause belongs in the log. */
export const INTERNAL_ERROR_TEXT =
  'Something went wrong on our side. Try again later; if it persists, send us the request id.';

/**
 * An error with a stable code, a sentence for the public and a detail for the log. The sentence says what is wrong
 * and what to do; the detail never leaves the service.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  /** The members at fault, all of them at once, as dotted paths with indices (`items[0].quantity`). */
  readonly fields: readonly string[] | undefined;
  /** For the operator's log only. */
  readonly detail: string | undefined;

  constructor(
    code: ErrorCode,
    sentence: string,
    options: { fields?: readonly string[]; detail?: string; cause?: unknown } = {},
  ) {
    super(sentence, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.fields = options.fields;
    this.detail = options.detail;
  }

  get status(): ErrorStatus {
    return ERROR_STATUS[this.code];
  }
}

/** A mistake in how the service is operated (settings, command line, database file): one line, exit code 1. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** The text of anything thrown, for a log or a detail. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const named = 'code' in error && typeof error.code === 'string' && !error.message.startsWith(error.code);
  const code = named ? `${error.code}: ` : '';
  const cause = error.cause instanceof Error ? ` (${errorText(error.cause)})` : '';
  return `${code}${error.message}${cause}`;
}

/** For branches that the types rule out: fails loudly if the impossible happens. */
export function unreachable(value: never): never {
  throw new Error(`unreachable value: ${JSON.stringify(value)}`);
}
