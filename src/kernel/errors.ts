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
  AMOUNT_BELOW_METHOD_LIMIT: 400,
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

/** The message of each code; INVALID_FIELDS is composed of the faults of the input. */
export const ERROR_TEXTS = {
  INVALID_BODY:
    'Cannot read the request. Send one JSON object in UTF-8, at most 256 KiB, with Content-Type: application/json.',
  CHECKOUT_DATA_REQUIRED: (missing: readonly string[]) =>
    `customer and items are required until the account has its first paid sale. Missing: ${missing.join(', ')}.`,
  STORE_DOMAIN_REQUIRED: 'storeUrl is required. Send the URL of the store that receives the payment.',
  TRANSACTION_NOT_PENDING:
    'The transaction accepts no further steps. Read its status. For another payment, call init again.',
  MBWAY_PUSH_OPEN:
    'An MB WAY push of this transaction is open or has an unknown outcome. Wait a few minutes until it is settled.',
  MBWAY_PHONE_REJECTED:
    'MB WAY does not know this phone number. Ask the customer for the number used in the MB WAY app.',
  AMOUNT_ABOVE_METHOD_LIMIT: (maxEur: number) =>
    `The amount exceeds the MB WAY limit of ${maxEur} EUR. Offer Multibanco.`,
  AMOUNT_BELOW_METHOD_LIMIT: (method: string, minEur: number) =>
    `The amount is below the ${method} minimum of ${minEur} EUR for this account. Charge more, or offer a method without this minimum.`,
  IDEMPOTENCY_KEY_REUSED:
    'This Idempotency-Key was used with other input. Repeat the first request unchanged, or use a new key.',
  UNAUTHORIZED: 'Send your API key in the header Authorization: Bearer <API_KEY>.',
  ACCOUNT_INACTIVE: 'The account is not active. Contact the operator.',
  DOMAIN_NOT_ALLOWED: (host: string) =>
    `The domain ${host} is not registered for this account. Register it, or send the URL of a registered store.`,
  NOT_FOUND: 'Nothing exists at this address. Check the path and the method.',
  TRANSACTION_NOT_FOUND: 'The account has no such transaction. Send the transactionId that init returned.',
  RATE_LIMITED: (limit: number, seconds: number) =>
    `Too many POST requests: the limit is ${limit} per minute. Try again in ${seconds} s, then wait longer each time.`,
  INTERNAL_ERROR:
    'An internal error occurred. Try again later. If it persists, contact the operator with the requestId.',
  BANK_UNAVAILABLE: 'Cannot reach the bank. Nothing was started. Try again.',
  BANK_OUTCOME_UNKNOWN:
    'The bank did not confirm the push. Do not send another one. Wait for the webhook or read the status.',
  BANK_REFUSED:
    'The bank refused the request. Nothing was started. Try again later or offer the other method.',
} as const satisfies Record<Exclude<ErrorCode, 'INVALID_FIELDS'>, unknown>;

interface CodedErrorOptions {
  readonly fields?: readonly string[];
  readonly detail?: string;
  readonly cause?: unknown;
}

/** The base of the errors that a caller may see: a stable code and a message with the fault and the remedy. */
export abstract class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  /** All members of the input at fault, as dotted paths with indices (`items[0].quantity`). */
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

/** An error that a merchant may see. */
export class ServiceError extends CodedError<ErrorCode> {
  override readonly name = 'ServiceError';

  get status(): ErrorStatus {
    return ERROR_STATUS[this.code];
  }
}

/** An error that the operator may see (settings, command line, database file): one line, exit code 1. */
export class OperatorError extends CodedError<'OPERATOR'> {
  override readonly name = 'OperatorError';

  constructor(sentence: string, options: Pick<CodedErrorOptions, 'fields'> = {}) {
    super('OPERATOR', sentence, options);
  }
}

/** The object does not exist, or the caller may not see it. */
export class Missing extends OperatorError {
  constructor(kind: 'merchant' | 'receipt' | 'refund' | 'user', id: string) {
    super(`there is no ${kind} ${id}${kind === 'merchant' ? '; "merchant list" shows all merchants' : ''}`);
  }
}

/** Why an action of an operator or a merchant is refused. The pages of the back office translate each reason. */
export type RefusalReason =
  | 'url_scheme'
  | 'url_long'
  | 'url_malformed'
  | 'url_credentials'
  | 'url_not_public'
  | 'webhook_without_url'
  | 'webhook_off'
  | 'secret_changed'
  | 'rotation_running'
  | 'moment_to_come'
  | 'key_name'
  | 'key_name_taken'
  | 'key_days'
  | 'key_too_many'
  | 'key_absent'
  | 'domain_blank'
  | 'domain_url'
  | 'domain_credentials'
  | 'domain_path'
  | 'domain_port'
  | 'domain_wildcard'
  | 'domain_name'
  | 'domain_suffix'
  | 'domain_zone'
  | 'domain_too_many'
  | 'domain_absent'
  | 'route_no_account'
  | 'route_same_fallback'
  | 'route_changed'
  | 'link_title'
  | 'link_order_id'
  | 'link_expired'
  | 'brand_colour'
  | 'brand_logo_type'
  | 'brand_logo_size'
  | 'case_settled'
  | 'case_refunded'
  | 'case_changed'
  | 'case_due'
  | 'case_sum'
  | 'case_not_paying'
  | 'case_ordinary'
  | 'case_note_missing'
  | 'case_note_long'
  | 'case_notes_full'
  | 'case_assigned'
  | 'case_bank_says'
  | 'case_no_transaction'
  | 'case_credit_short'
  | 'case_paid'
  | 'case_held'
  | 'case_not_held'
  | 'refund_not_allowed'
  | 'refund_not_paid'
  | 'refund_several_receipts'
  | 'refund_held'
  | 'refund_returned'
  | 'refund_amount'
  | 'refund_above_rest'
  | 'refund_rest_changed'
  | 'refund_in_flight'
  | 'refund_text_long'
  | 'refund_iban'
  | 'refund_name'
  | 'refund_note_missing'
  | 'refund_state'
  | 'refund_exported'
  | 'refund_repeated'
  | 'refund_debtor_missing'
  | 'refund_export_changed'
  | 'refund_export_unclear'
  | 'refund_reported_open'
  | 'refund_reported_settled'
  | 'refund_reported_unmatched'
  | 'user_disabled';

/** An operator's error with a reason. `values` are the variables of the message, for its translations. */
export class Refusal extends OperatorError {
  readonly reason: RefusalReason;
  readonly values: Readonly<Record<string, string | number>>;

  /** `field` is the member of a form that the reason is about. */
  constructor(reason: RefusalReason, sentence: string, values: Refusal['values'] = {}, field?: string) {
    super(sentence, field === undefined ? {} : { fields: [field] });
    this.reason = reason;
    this.values = values;
  }
}

/** The code of an error of Node.js, SQLite or PostgreSQL; empty without one. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The most addresses in one text: a host name can have any number. */
const AGGREGATED_MAX = 8;

/** Returns the text of anything thrown, with the code and the cause, for the log. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node.js leaves the message empty when no address of a name could be connected to.
  if (error instanceof AggregateError && error.message === '') {
    const shown = error.errors.slice(0, AGGREGATED_MAX).map(errorText).join(', ');
    const more = error.errors.length - AGGREGATED_MAX;
    return more > 0 ? `${shown} and ${more} more` : shown;
  }
  const code = errorCode(error);
  const isShown = code !== '' && !error.message.startsWith(code) && !(error instanceof OperatorError);
  const cause = error.cause instanceof Error ? ` (${errorText(error.cause)})` : '';
  return `${isShown ? `${code}: ` : ''}${error.message}${cause}`;
}
