import { ERROR_STATUS, type ErrorCode, INTERNAL_ERROR_TEXT } from '../../kernel/errors.ts';
import { invalidBody } from '../../rpc/wire-error.ts';
import { EXAMPLE_REQUEST_ID, type OperationName } from './examples.ts';
import { type HeaderName, headerRefs } from './headers.ts';

interface ErrorExample {
  readonly error: string;
  readonly fields?: readonly string[];
}

type Json = Record<string, unknown>;

/** The schema of the error body. */
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
  500: 'An internal error of the service. The sentence is always the same.',
  502: 'The bank refused the request, did not respond, or left the outcome unknown. The code tells which.',
};

const GET_CODES = ['UNAUTHORIZED', 'ACCOUNT_INACTIVE', 'INVALID_BODY'] as const;
const POST_CODES = ['RATE_LIMITED', ...GET_CODES, 'INVALID_FIELDS'] as const;
const STEP_CODES = [...POST_CODES, 'TRANSACTION_NOT_FOUND', 'TRANSACTION_NOT_PENDING'] as const;

/** The codes of each operation, in the order of the checks. */
export const OPERATION_CODES: Readonly<Record<OperationName, readonly ErrorCode[]>> = {
  init: [
    ...POST_CODES,
    'STORE_DOMAIN_REQUIRED',
    'DOMAIN_NOT_ALLOWED',
    'CHECKOUT_DATA_REQUIRED',
    'IDEMPOTENCY_KEY_REUSED',
    'INTERNAL_ERROR',
  ],
  mbway: [
    ...STEP_CODES,
    'MBWAY_PUSH_OPEN',
    'AMOUNT_ABOVE_METHOD_LIMIT',
    'MBWAY_PHONE_REJECTED',
    'BANK_UNAVAILABLE',
    'BANK_OUTCOME_UNKNOWN',
    'BANK_REFUSED',
    'INTERNAL_ERROR',
  ],
  multibanco: [...STEP_CODES, 'BANK_UNAVAILABLE', 'BANK_REFUSED', 'INTERNAL_ERROR'],
  status: [...GET_CODES, 'INVALID_FIELDS', 'TRANSACTION_NOT_FOUND', 'INTERNAL_ERROR'],
  methods: [...GET_CODES, 'INTERNAL_ERROR'],
};

/** Examples that fit one operation better than the general ones. */
const OWN_EXAMPLES: Partial<Record<OperationName, Partial<Record<ErrorCode, ErrorExample>>>> = {
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
  },
};

const EXAMPLES: Record<ErrorCode, ErrorExample> = {
  INVALID_BODY: { error: invalidBody().message },
  INVALID_FIELDS: { error: 'transactionId: is required.', fields: ['transactionId'] },
  CHECKOUT_DATA_REQUIRED: {
    error:
      "Until the account's first paid sale, customer and items are required. Missing: customer.email, items.",
    fields: ['customer.email', 'items'],
  },
  STORE_DOMAIN_REQUIRED: {
    error: 'storeUrl is required: send the URL of the store that takes this payment.',
    fields: ['storeUrl'],
  },
  TRANSACTION_NOT_PENDING: {
    error:
      'The transaction no longer accepts payment steps. Read its state; for another payment call init again.',
  },
  MBWAY_PUSH_OPEN: {
    error:
      'A push for this transaction is still open, or its outcome is not known yet. Wait until it is settled; it takes a few minutes.',
  },
  MBWAY_PHONE_REJECTED: {
    error: 'MB WAY does not know this phone number. Ask the customer for the number used in the MB WAY app.',
    fields: ['phoneNumber'],
  },
  AMOUNT_ABOVE_METHOD_LIMIT: {
    error: 'MB WAY takes at most 5000 EUR. Offer Multibanco for this amount.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    error:
      'This Idempotency-Key was used for another request. Repeat that request unchanged, or choose a new key.',
  },
  UNAUTHORIZED: { error: 'Send your API key in the header: Authorization: Bearer <API_KEY>.' },
  ACCOUNT_INACTIVE: { error: 'This account is not active. Contact us to have it opened.' },
  DOMAIN_NOT_ALLOWED: {
    error:
      'The store domain other-shop.example is not registered for this account. Add it to the store domains, or send the URL of a registered store.',
  },
  NOT_FOUND: {
    error: 'There is nothing at this address. Check the path and the method against the documentation.',
  },
  TRANSACTION_NOT_FOUND: {
    error: 'There is no such transaction. Send the transactionId that init returned.',
  },
  RATE_LIMITED: {
    error: 'Too many POST requests: at most 30 a minute. Try again in 42 s, and wait longer each time.',
  },
  INTERNAL_ERROR: { error: INTERNAL_ERROR_TEXT },
  BANK_UNAVAILABLE: { error: 'The bank cannot be reached at the moment. Nothing was started; try again.' },
  BANK_OUTCOME_UNKNOWN: {
    error:
      'The bank did not say whether the push was sent. Do not send another; wait for the webhook or read the status.',
  },
  BANK_REFUSED: {
    error: 'The bank refused the request. Nothing was started; try again later or offer the other method.',
  },
};

/** Returns the error responses of an operation by status, with an example of each code. */
export function errorResponses(
  name: OperationName,
  headers: readonly HeaderName[],
): Record<string, Json & { description: string }> {
  const byStatus = Object.groupBy(OPERATION_CODES[name], (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => {
      const extra: readonly HeaderName[] = status === '429' ? ['Retry-After', 'Link'] : ['Link'];
      const examples = codes.map((code) => {
        const { error, fields } = OWN_EXAMPLES[name]?.[code] ?? EXAMPLES[code];
        return [code, { value: { error, code, ...(fields && { fields }), requestId: EXAMPLE_REQUEST_ID } }];
      });
      const response = {
        description: `${MEANINGS[Number(status)]} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
        headers: headerRefs([...headers, ...extra]),
        content: {
          'application/json': {
            schema: {
              allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }],
            },
            examples: Object.fromEntries(examples),
          },
        },
      };
      return [status, response];
    }),
  );
}
