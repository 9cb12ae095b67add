import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import { ERROR_TEXTS, type ErrorCode, type ErrorStatus, ServiceError } from '../kernel/errors.ts';
import type { InputIssue } from './operation.ts';

/** How many faults the message describes; `fields` lists more. */
const SENTENCES_MAX = 5;
/** Limits the response to an input with thousands of faults. An order with as many items as allowed has fewer members. */
const FIELDS_MAX = 1100;

/** The body of every REST error; the `data` of every tRPC error has the same members. */
interface ErrorBody {
  readonly error: string;
  readonly code: ErrorCode;
  readonly fields?: readonly string[];
  readonly requestId: string;
}

/** Returns an error that a merchant may see. An error of any other kind becomes INTERNAL_ERROR with its cause. */
export function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : internalError(error);
}

export function invalidBody(sentence: string = ERROR_TEXTS.INVALID_BODY): ServiceError {
  return new ServiceError('INVALID_BODY', sentence);
}

/** The error of a tRPC batch. */
export function batchingOff(): ServiceError {
  return invalidBody('Batching is off: use httpLink.');
}

export function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', ERROR_TEXTS.NOT_FOUND);
}

export function errorBody(error: ServiceError, requestId: string): ErrorBody {
  const { message, code, fields } = error;
  return { error: message, code, ...(fields && { fields }), requestId };
}

export function trpcErrorShape(error: ServiceError, requestId: string) {
  return {
    message: error.message,
    code: trpcCode(error.status),
    data: { ...errorBody(error, requestId), httpStatus: error.status },
  };
}

/** Returns tRPC's error number of an HTTP status. */
export function trpcCode(status: ErrorStatus) {
  return TRPC_ERROR_CODES_BY_KEY[TRPC_CODE[status]];
}

const TRPC_CODE = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  502: 'BAD_GATEWAY',
} as const satisfies Record<ErrorStatus, keyof typeof TRPC_ERROR_CODES_BY_KEY>;

/** Returns an error that only the operator can resolve; the log contains the cause. */
export function internalError(cause: unknown): ServiceError {
  return new ServiceError('INTERNAL_ERROR', ERROR_TEXTS.INTERNAL_ERROR, { cause });
}

export function inputFault(issues: readonly InputIssue[]): ServiceError {
  if (issues.some((issue) => issue.path.length === 0 && issue.code === 'invalid_type')) {
    return invalidBody('The input must be a JSON object.');
  }
  const faults = new Map<string, string>();
  // Beyond the bound, faults of array elements are left out first.
  const ordered =
    issues.length > FIELDS_MAX ? issues.toSorted((a, b) => a.path.length - b.path.length) : issues;
  for (const issue of ordered) {
    const field = fieldName(issue.path);
    if (!faults.has(field)) faults.set(field, issue.message);
    if (faults.size >= FIELDS_MAX) break;
  }
  const fields = [...faults.keys()].filter((field) => field !== '');
  return new ServiceError('INVALID_FIELDS', sentenceOf(faults), fields.length > 0 ? { fields } : {});
}

/** `items[0].quantity`, `customer.email`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? String(part) : `${name}.${String(part)}`;
  }, '');
}

function sentenceOf(faults: ReadonlyMap<string, string>): string {
  const texts = [...faults].slice(0, SENTENCES_MAX).map(([field, message]) => {
    const text = message.replace(/\.$/, '');
    return field === '' ? text : `${field}: ${text}`;
  });
  const more = faults.size - texts.length;
  return `${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}
