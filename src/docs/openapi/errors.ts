import { ERROR_STATUS, ERROR_TEXTS, type ErrorCode } from '../../kernel/errors.ts';
import { EXAMPLE_REQUEST_ID, type OperationName } from './examples.ts';
import { type HeaderName, headerRefs, type Json } from './headers.ts';

export interface ErrorExample {
  readonly error: string;
  readonly fields?: readonly string[];
}

export const errorSchema: Json = {
  type: 'object',
  description: 'The body of every response other than 200.',
  properties: {
    error: {
      type: 'string',
      description: 'What is wrong and what to do, as a sentence for people. The wording can change.',
    },
    code: {
      type: 'string',
      enum: Object.keys(ERROR_STATUS),
      description: 'What is wrong, for programs. The list is closed.',
    },
    fields: {
      type: 'array',
      items: { type: 'string' },
      description:
        'The fields at fault, all at once, as dotted paths with indices: `customer.email`, `items[0].quantity`. Absent if no particular field is at fault.',
    },
    requestId: {
      type: 'string',
      description: 'The `X-Request-Id` of the response. Quote it when you contact the operator.',
    },
  },
  required: ['error', 'code', 'requestId'],
};

const MEANINGS: Record<number, string> = {
  400: 'The request cannot be processed as sent.',
  401: 'The Authorization header is missing or its API key is not valid.',
  403: 'The account is not active, or the store domain is not registered.',
  404: 'The account has no such transaction.',
  429: 'Too many POST requests from this address. Wait for the seconds in Retry-After, then back off exponentially.',
  500: 'An internal error occurred. The message is always the same.',
  502: 'The bank refused the request, did not respond, or left the outcome unknown. The code indicates which.',
};

export const GET_CODES = ['UNAUTHORIZED', 'ACCOUNT_INACTIVE', 'INVALID_BODY'] as const;
const POST_CODES = ['RATE_LIMITED', ...GET_CODES, 'INVALID_FIELDS'] as const;
/** The codes of the calls that create. */
export const INIT_CODES = [
  ...POST_CODES,
  'STORE_DOMAIN_REQUIRED',
  'DOMAIN_NOT_ALLOWED',
  'CHECKOUT_DATA_REQUIRED',
  'IDEMPOTENCY_KEY_REUSED',
] as const;
const STEP_CODES = [...POST_CODES, 'TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_PENDING'] as const;

/** The codes of each operation, in the order of the checks. */
export const OPERATION_CODES: Readonly<Record<OperationName, readonly ErrorCode[]>> = {
  init: [...INIT_CODES, 'INTERNAL_ERROR'],
  mbway: [
    ...STEP_CODES,
    'MBWAY_PUSH_OPEN',
    'AMOUNT_ABOVE_METHOD_LIMIT',
    'AMOUNT_BELOW_METHOD_LIMIT',
    'MBWAY_PHONE_REJECTED',
    'BANK_UNAVAILABLE',
    'BANK_OUTCOME_UNKNOWN',
    'BANK_REFUSED',
    'INTERNAL_ERROR',
  ],
  multibanco: [
    ...STEP_CODES,
    'AMOUNT_BELOW_METHOD_LIMIT',
    'BANK_UNAVAILABLE',
    'BANK_REFUSED',
    'INTERNAL_ERROR',
  ],
  status: [...GET_CODES, 'INVALID_FIELDS', 'TRANSACTION_NOT_FOUND', 'INTERNAL_ERROR'],
  methods: [...GET_CODES, 'INTERNAL_ERROR'],
};

/** Examples that fit one operation better than the general ones. */
export const OWN_EXAMPLES: Partial<Record<OperationName, Partial<Record<ErrorCode, ErrorExample>>>> = {
  init: {
    INVALID_FIELDS: {
      error:
        'amount: must be a number greater than 0 and at most 99999.99, in EUR with at most two decimals; items[0].quantity: must be an integer of at least 1.',
      fields: ['amount', 'items[0].quantity'],
    },
  },
  mbway: {
    INVALID_FIELDS: {
      error: 'phoneNumber: must be 9 digits starting with 9, for example 912345678.',
      fields: ['phoneNumber'],
    },
    AMOUNT_BELOW_METHOD_LIMIT: { error: ERROR_TEXTS.AMOUNT_BELOW_METHOD_LIMIT('MB WAY', 1) },
  },
  multibanco: {
    AMOUNT_BELOW_METHOD_LIMIT: { error: ERROR_TEXTS.AMOUNT_BELOW_METHOD_LIMIT('Multibanco', 1) },
  },
};

/** The examples whose message has values or whose body has fields; all other codes have a fixed message. */
const EXAMPLES: Partial<Record<ErrorCode, ErrorExample>> = {
  INVALID_FIELDS: { error: 'transactionId: is required.', fields: ['transactionId'] },
  CHECKOUT_DATA_REQUIRED: {
    error: ERROR_TEXTS.CHECKOUT_DATA_REQUIRED(['customer.email', 'items']),
    fields: ['customer.email', 'items'],
  },
  STORE_DOMAIN_REQUIRED: { error: ERROR_TEXTS.STORE_DOMAIN_REQUIRED, fields: ['storeUrl'] },
  MBWAY_PHONE_REJECTED: { error: ERROR_TEXTS.MBWAY_PHONE_REJECTED, fields: ['phoneNumber'] },
  AMOUNT_ABOVE_METHOD_LIMIT: { error: ERROR_TEXTS.AMOUNT_ABOVE_METHOD_LIMIT(5000) },
  DOMAIN_NOT_ALLOWED: { error: ERROR_TEXTS.DOMAIN_NOT_ALLOWED('other-shop.example') },
  RATE_LIMITED: { error: ERROR_TEXTS.RATE_LIMITED(30, 42) },
};

/** The codes of an operation in the order of the checks, and the examples that fit it better than the general ones. */
export interface ErrorTexts {
  readonly codes: readonly ErrorCode[];
  readonly errors?: Partial<Record<ErrorCode, ErrorExample>> | undefined;
  /** The meaning of 404, if not an unknown transaction. */
  readonly notFound?: string;
}

function exampleOf(errors: ErrorTexts['errors'], code: ErrorCode): ErrorExample {
  const texts: Partial<Record<ErrorCode, unknown>> = ERROR_TEXTS;
  return errors?.[code] ?? EXAMPLES[code] ?? { error: String(texts[code]) };
}

/** Returns the error responses of an operation by status, with an example of each code. */
export function errorResponses(
  { codes: all, errors, notFound }: ErrorTexts,
  headers: readonly HeaderName[],
): Record<string, Json & { description: string }> {
  const byStatus = Object.groupBy(all, (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => {
      const extra: readonly HeaderName[] = status === '429' ? ['Retry-After', 'Link'] : ['Link'];
      const examples = codes.map((code) => {
        const { error, fields } = exampleOf(errors, code);
        return [code, { value: { error, code, ...(fields && { fields }), requestId: EXAMPLE_REQUEST_ID } }];
      });
      const response = {
        description: `${(status === '404' && notFound) || MEANINGS[Number(status)]} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
        headers: headerRefs([...headers, ...extra]),
        content: {
          'application/json': {
            schema: {
              allOf: [{ $ref: '#/components/schemas/ApiError' }, { properties: { code: { enum: codes } } }],
            },
            examples: Object.fromEntries(examples),
          },
        },
      };
      return [status, response];
    }),
  );
}
