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

/** The sentence of every 500. The cause is in the log. */
export const INTERNAL_ERROR_TEXT =
  'Something went wrong on our side. Try again later; if it persists, send us the request id.';

interface CodedErrorOptions {
  readonly fields?: readonly string[];
  readonly detail?: string;
  readonly cause?: unknown;
}

/** The base of the errors that a caller may read: a stable code and a sentence that says what is wrong and what to do. */
export abstract class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  /** The members of the input at fault, all of them, as dotted paths with indices (`items[0].quantity`). */
  readonly fields: readonly string[] | undefined;
  /** For the log only. */
  readonly detail: string | undefined;

  constructor(code: Code, sentence: string, { fields, detail, cause }: CodedErrorOptions = {}) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.code = code;
    this.fields = fields;
    this.detail = detail;
  }
}

/** An error that a merchant may read. */
export class ServiceError extends CodedError<ErrorCode> {
  override readonly name = 'ServiceError';

  get status(): ErrorStatus {
    return ERROR_STATUS[this.code];
  }
}

/** An error that the operator may read (settings, command line, database file): one line, exit code 1. */
export class OperatorError extends CodedError<'OPERATOR'> {
  override readonly name = 'OperatorError';

  constructor(sentence: string, options?: CodedErrorOptions) {
    super('OPERATOR', sentence, options);
  }
}

/** Returns the text of anything thrown, with the code and the cause, for the log. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const named =
    'code' in error &&
    typeof error.code === 'string' &&
    !error.message.startsWith(error.code) &&
    !(error instanceof OperatorError);
  const code = named ? `${error.code}: ` : '';
  const cause = error.cause instanceof Error ? ` (${errorText(error.cause)})` : '';
  return `${code}${error.message}${cause}`;
}

/** Throws. For branches that the types rule out. */
export function unreachable(value: never): never {
  throw new Error(`unreachable value: ${JSON.stringify(value)}`);
}
