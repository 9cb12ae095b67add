import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import {
  CodedError,
  ERROR_TEXTS,
  type ErrorStatus,
  Missing,
  OperatorError,
  Refusal,
  type RefusalReason,
  ServiceError,
} from '../kernel/errors.ts';
import { trpcCode } from '../rpc/wire-error.ts';

const STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  /** The password must be entered again first. */
  REAUTHENTICATE: 403,
  /** The password must be changed first. */
  PASSWORD_CHANGE: 403,
  /** The second factor must be turned on first. */
  SECOND_FACTOR: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_ERROR: 500,
  BANK_UNAVAILABLE: 502,
} as const satisfies Record<string, ErrorStatus>;

export type BackofficeErrorCode = keyof typeof STATUS;

/** The exact reason, which the pages translate; `values` contains the variables of the message (`seconds`, `min`, `max`). */
export type Reason =
  | 'foreign_page'
  | 'input_invalid'
  | 'sign_in_wrong'
  | 'sign_in_throttled'
  | 'sign_in_busy'
  | 'password_wrong'
  | 'password_short'
  | 'password_long'
  | 'password_common'
  | 'password_address'
  | 'password_same'
  | 'password_changed'
  | 'code_wrong'
  | 'code_used'
  | 'code_missing'
  | 'recovery_wrong'
  | 'passkey_wrong'
  | 'passkey_missing'
  | 'passkey_known'
  | 'passkey_unavailable'
  | 'passkeys_full'
  | 'totp_on'
  | 'totp_off'
  | 'link_gone'
  | 'email_invalid'
  | 'member_already'
  | 'team_full'
  | 'invites_too_many'
  | 'last_owner'
  | 'last_operator'
  | 'not_yourself'
  | 'url_unreachable'
  | 'sends_too_many'
  | 'key_ended'
  | 'refund_unavailable'
  | 'name_length'
  | RefusalReason;

export interface FieldFault {
  readonly field: string;
  readonly message: string;
  readonly reason: Reason | null;
  readonly values: Readonly<Record<string, string | number>>;
}

/** An error of the back office: a code, a sentence in English and, where the pages translate it, a reason. */
export class BackofficeError extends CodedError<BackofficeErrorCode> {
  override readonly name = 'BackofficeError';
  readonly reason: Reason | null;
  readonly values: Readonly<Record<string, string | number>>;
  /** One for each fault of a form whose fields are checked together. */
  readonly faults: readonly FieldFault[];

  constructor(
    code: BackofficeErrorCode,
    sentence: string,
    options: {
      reason?: Reason;
      faults?: readonly FieldFault[];
      values?: BackofficeError['values'];
      fields?: string[];
      cause?: unknown;
    } = {},
  ) {
    super(code, sentence, options);
    this.reason = options.reason ?? null;
    this.values = options.values ?? {};
    this.faults = options.faults ?? [];
  }

  get status(): ErrorStatus {
    return STATUS[this.code];
  }
}

/** Converts anything thrown by a procedure or a download; an unknown error becomes INTERNAL_ERROR with its cause. */
export function toBackofficeError(error: unknown): BackofficeError {
  if (error instanceof BackofficeError) return error;
  if (error instanceof ServiceError) {
    const { message, fields = [], cause } = error;
    return new BackofficeError(BY_STATUS[error.status], message, { fields: [...fields], cause });
  }
  if (error instanceof OperatorError) return fromOperatorError(error);
  if (!(error instanceof TRPCError)) return internal(error);
  const { cause } = error;
  if (cause instanceof CodedError) return toBackofficeError(cause);
  switch (error.code) {
    case 'PARSE_ERROR':
    case 'BAD_REQUEST':
      return fromInput(cause);
    case 'PAYLOAD_TOO_LARGE':
    case 'UNSUPPORTED_MEDIA_TYPE':
      return refused('input_invalid', 'The request could not be read.');
    case 'NOT_FOUND':
    case 'METHOD_NOT_SUPPORTED':
      return notFound();
    default:
      return internal(cause ?? error);
  }
}

/** A refusal whose reason the pages translate. */
export function refused(
  reason: Reason,
  sentence: string,
  options: { values?: BackofficeError['values']; fields?: string[]; cause?: unknown } = {},
): BackofficeError {
  return new BackofficeError('BAD_REQUEST', sentence, { ...options, reason });
}

export function sessionEnded(): BackofficeError {
  return new BackofficeError('UNAUTHORIZED', 'You are not signed in, or your session has ended. Sign in.');
}

/** The same error for a missing object and for another merchant's object. */
export function notFound(): BackofficeError {
  return new BackofficeError('NOT_FOUND', 'Not found, or you do not have access to it.');
}

/** Runs the checks of a form's fields. Throws one error with the faults of all, so that the page marks every field at once. */
export function checkFields(checks: readonly (readonly [field: string, check: () => unknown])[]): void {
  const faults = checks.flatMap(([field, check]): FieldFault[] => {
    try {
      check();
      return [];
    } catch (error) {
      const { status, message, reason, values } = toBackofficeError(error);
      if (status !== STATUS.BAD_REQUEST) throw error;
      return [{ field, message, reason, values }];
    }
  });
  const [first] = faults;
  if (first === undefined) return;
  const sentence = faults.map(({ message }) => message).join(' ');
  const fields = [...new Set(faults.map(({ field }) => field))];
  const { reason, values } = first;
  throw new BackofficeError('BAD_REQUEST', sentence, {
    ...(reason !== null && { reason }),
    values,
    fields,
    faults,
  });
}

/** The error as tRPC clients read it; the pages read `data`. */
export function errorShape(error: BackofficeError, requestId: string) {
  const { message, code, reason, values, fields = [], faults, status } = error;
  return {
    message,
    code: trpcCode(status),
    data: { message, code, reason, values, fields, faults, requestId, httpStatus: status },
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

/** Adds the reason to refusals that the pages translate. */
function fromOperatorError(error: OperatorError): BackofficeError {
  const { message } = error;
  if (error instanceof Missing) return notFound();
  if (!(error instanceof Refusal)) return new BackofficeError('BAD_REQUEST', message);
  const { reason, values } = error;
  const fields = [...(error.fields ?? [])];
  // The message of this refusal names a setting that merchants do not have.
  if (reason === 'url_not_public')
    return refused(reason, 'The webhook URL is not a public address. Use a public host.', { fields });
  return refused(reason, message, { values, fields, cause: error });
}

function internal(cause: unknown): BackofficeError {
  return new BackofficeError('INTERNAL_ERROR', ERROR_TEXTS.INTERNAL_ERROR, { cause });
}

const FIELDS_MAX = 20;
const FIELD_LENGTH_MAX = 60;

/** Omits the names of unknown members: the caller chose them, and may have sent thousands. */
function fromInput(cause: unknown): BackofficeError {
  const issues = cause instanceof ZodError ? cause.issues.slice(0, FIELDS_MAX) : [];
  const faults = issues.map(({ code, path, message }) => ({
    field: path.map(String).join('.').slice(0, FIELD_LENGTH_MAX),
    message: code === 'unrecognized_keys' ? 'has members that the procedure does not know' : message,
  }));
  const sentences = new Set(faults.map(({ field, message }) => `${field || 'input'}: ${message}`));
  const sentence = sentences.size === 0 ? 'The input could not be read.' : `${[...sentences].join('; ')}.`;
  const fields = [...new Set(faults.map(({ field }) => field))].filter((field) => field !== '');
  return refused('input_invalid', sentence, { fields });
}
