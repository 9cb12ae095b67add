import { TRPCError } from '@trpc/server';
import {
  CodedError,
  type ErrorStatus,
  INTERNAL_ERROR_TEXT,
  OperatorError,
  ServiceError,
} from '../kernel/errors.ts';
import type { DomainFault } from '../merchants/store-domain.ts';
import type { ExceptionFault } from '../payments/exceptions/exception.ts';
import { trpcCode } from '../rpc/wire-error.ts';

/** The closed list of codes that the back office's pages can meet, each with its HTTP status. */
const STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  /** The password must be given again before this. */
  REAUTHENTICATE: 403,
  /** The password must be changed before anything else. */
  PASSWORD_CHANGE: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_ERROR: 500,
  BANK_UNAVAILABLE: 502,
} as const satisfies Record<string, ErrorStatus>;

export type BackofficeErrorCode = keyof typeof STATUS;

/**
 * What exactly is wrong, where a page says it in its own language. Closed, like the codes; `values` hold what the sentence
 * needs (`seconds`, `min`, `max`).
 */
export type Reason =
  | 'sign_in_wrong'
  | 'sign_in_throttled'
  | 'sign_in_busy'
  | 'password_wrong'
  | 'password_short'
  | 'password_long'
  | 'password_common'
  | 'password_address'
  | 'password_same'
  | 'code_wrong'
  | 'code_used'
  | 'code_missing'
  | 'totp_on'
  | 'totp_off'
  | 'link_gone'
  | 'link_sign_in'
  | 'email_invalid'
  | 'member_already'
  | 'last_owner'
  | 'last_operator'
  | 'not_yourself'
  | 'url_scheme'
  | 'url_long'
  | 'url_malformed'
  | 'url_credentials'
  | 'url_not_public'
  | 'url_unreachable'
  | 'webhook_without_url'
  | 'webhook_off'
  | 'rotation_running'
  | 'moment_to_come'
  | 'key_ended'
  | `domain_${DomainFault}`
  | `case_${ExceptionFault}`
  | 'domain_too_many'
  | 'domain_absent';

/** An error for a person in the back office: a code, a plain sentence in English and, where pages translate it, a reason. */
export class BackofficeError extends CodedError<BackofficeErrorCode> {
  override readonly name = 'BackofficeError';
  readonly reason: Reason | null;
  readonly values: Readonly<Record<string, string | number>>;

  constructor(
    code: BackofficeErrorCode,
    sentence: string,
    options: {
      reason?: Reason;
      values?: Record<string, string | number>;
      fields?: string[];
      cause?: unknown;
    } = {},
  ) {
    super(code, sentence, options);
    this.reason = options.reason ?? null;
    this.values = options.values ?? {};
  }

  get status(): ErrorStatus {
    return STATUS[this.code];
  }
}

/** What a person may read of anything thrown behind the door. What it does not know is INTERNAL_ERROR, with its cause. */
export function toBackofficeError(error: unknown): BackofficeError {
  if (error instanceof BackofficeError) return error;
  if (error instanceof OperatorError) return new BackofficeError('BAD_REQUEST', error.message);
  if (error instanceof ServiceError) return fromService(error);
  if (!(error instanceof TRPCError)) return internal(error);
  const { cause } = error;
  if (cause instanceof BackofficeError || cause instanceof OperatorError || cause instanceof ServiceError) {
    return toBackofficeError(cause);
  }
  switch (error.code) {
    case 'PARSE_ERROR':
    case 'BAD_REQUEST':
      return fromInput(cause);
    case 'PAYLOAD_TOO_LARGE':
    case 'UNSUPPORTED_MEDIA_TYPE':
      return new BackofficeError('BAD_REQUEST', 'The request could not be read.');
    case 'NOT_FOUND':
    case 'METHOD_NOT_SUPPORTED':
      return notFound();
    default:
      return internal(cause ?? error);
  }
}

/** The same for everything that is not there and everything that is another's. */
export function notFound(): BackofficeError {
  return new BackofficeError('NOT_FOUND', 'There is nothing here, or it is not yours to see.');
}

/** The error as tRPC's client reads it; pages look at `data`. */
export function errorShape(error: BackofficeError, requestId: string) {
  const { message, code, reason, values, fields = [], status } = error;
  return {
    message,
    code: trpcCode(status),
    data: { message, code, reason, values, fields, requestId, httpStatus: status },
  };
}

const BY_STATUS = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_ERROR',
  502: 'BANK_UNAVAILABLE',
} as const satisfies Record<ErrorStatus, BackofficeErrorCode>;

function fromService(error: ServiceError): BackofficeError {
  return new BackofficeError(BY_STATUS[error.status], error.message, {
    fields: [...(error.fields ?? [])],
    cause: error.cause,
  });
}

function internal(cause: unknown): BackofficeError {
  return new BackofficeError('INTERNAL_ERROR', INTERNAL_ERROR_TEXT, { cause });
}

const FIELDS_MAX = 50;

function fromInput(cause: unknown): BackofficeError {
  const issues = issuesOf(cause).slice(0, FIELDS_MAX);
  const fields = [...new Set(issues.map(({ path }) => path.map(String).join('.')))];
  const said = [...new Set(issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`))];
  const sentence = said.length === 0 ? 'The input could not be read.' : `${said.join('; ')}.`;
  return new BackofficeError('BAD_REQUEST', sentence, { fields: fields.filter((field) => field !== '') });
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function issuesOf(cause: unknown): Issue[] {
  const issues = cause instanceof Error && 'issues' in cause ? cause.issues : null;
  return Array.isArray(issues) ? issues : [];
}
