import { ERROR_STATUS, type ErrorCode, INTERNAL_ERROR_TEXT } from '../../kernel/errors.ts';
import { invalidBody } from '../../rpc/wire-error.ts';
import { EXAMPLE_REQUEST_ID } from './examples.ts';
import { type HeaderName, headerRefs } from './headers.ts';

/** What one code looks like in an answer. */
export interface ErrorExample {
  readonly error: string;
  readonly fields?: readonly string[];
}

type Json = Record<string, unknown>;

/** The schema of every error body. */
export const errorSchema: Json = {
  type: 'object',
  description: 'What every answer other than 200 carries.',
  properties: {
    error: { type: 'string', description: 'What is wrong and what to do, in a sentence for people.' },
    code: {
      type: 'string',
      enum: Object.keys(ERROR_STATUS),
      description: 'What is wrong, for programs. A closed list.',
    },
    fields: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Present whenever particular members are at fault: all of them at once, as dotted paths with indices, such as `customer.email` or `items[0].quantity`.',
    },
    requestId: {
      type: 'string',
      description: 'The X-Request-Id of the answer. Quote it when you ask for help.',
    },
  },
  required: ['error', 'code', 'requestId'],
};

const MEANINGS: Record<number, string> = {
  400: 'The request cannot be carried out as it was sent.',
  401: 'The Authorization header is missing or its key is not valid.',
  403: 'The account is not active, or the store domain is not registered.',
  404: 'There is no such transaction among those of this account.',
  429: 'Too many POST requests from this address. Wait for the seconds of Retry-After, then back off exponentially.',
  500: 'An internal error of the service. The sentence is always the same.',
  502: 'The banking network refused, could not be reached, or left the outcome open; the code tells which.',
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

/**
 * The error responses of one operation, by status: the codes that it can meet, an example of each. `own` replaces the
 * general example of a code by one that fits the operation.
 */
export function errorResponses(
  codes: readonly ErrorCode[],
  headers: readonly HeaderName[],
  own: Partial<Record<ErrorCode, ErrorExample>>,
): Json {
  const byStatus = Object.groupBy(codes, (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => {
      const extra: readonly HeaderName[] = status === '429' ? ['Retry-After', 'Link'] : ['Link'];
      return [status, errorResponse(Number(status), group, [...headers, ...extra], own)];
    }),
  );
}

function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  headers: readonly HeaderName[],
  own: Partial<Record<ErrorCode, ErrorExample>>,
): Json {
  const examples = codes.map((code) => {
    const { error, fields } = own[code] ?? EXAMPLES[code];
    return [code, { value: { error, code, ...(fields && { fields }), requestId: EXAMPLE_REQUEST_ID } }];
  });
  return {
    description: `${MEANINGS[status]} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: headerRefs(headers),
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }],
        },
        examples: Object.fromEntries(examples),
      },
    },
  };
}
