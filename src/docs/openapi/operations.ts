import type { ErrorCode } from '../../kernel/errors.ts';
import type { ErrorExample } from './errors.ts';
import {
  EXAMPLE_TRANSACTION_ID,
  type Example,
  initAnswers,
  initRequests,
  mbwayAnswers,
  mbwayRequests,
  methodsAnswers,
  multibancoAnswers,
  multibancoRequests,
  statusAnswers,
} from './examples.ts';
import type { HeaderName, ParameterName } from './headers.ts';

/** What the router's metadata do not say about an operation. */
export interface OperationNotes {
  /** The procedure's name over tRPC in one word. */
  readonly operationId: string;
  /** Names the schemas of its bodies: `Init` makes `InitRequest` and `InitResponse`. */
  readonly schema: string;
  readonly description: string;
  readonly parameters: readonly ParameterName[];
  readonly success: string;
  readonly successHeaders: readonly HeaderName[];
  readonly requests: Readonly<Record<string, Example>>;
  /** Examples of its query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  readonly answers: Readonly<Record<string, Example>>;
  /** Every code that it can answer with, in the order in which they are checked. */
  readonly codes: readonly ErrorCode[];
  /** Examples of errors that fit this operation better than the general ones. */
  readonly errors: Partial<Record<ErrorCode, ErrorExample>>;
}

const POST_FIRST = [
  'RATE_LIMITED',
  'UNAUTHORIZED',
  'ACCOUNT_INACTIVE',
  'INVALID_BODY',
  'INVALID_FIELDS',
] as const;

/** Keyed by method and path, as in the router's metadata. */
export const OPERATIONS: Readonly<Record<string, OperationNotes>> = {
  'post /payments/init': {
    operationId: 'paymentsInit',
    schema: 'Init',
    description: `Creates a transaction in state \`pending\` and returns its \`transactionId\`. Server-side only: the key never belongs in a browser.

- \`customer.name\`, \`customer.email\` and a non-empty \`items\` are required until the account's first paid sale, unless the operator has switched that off.
- The domain of \`storeUrl\` must be registered. Without \`storeUrl\` the host of \`Origin\` counts, then of \`Referer\`.
- Accepted aliases: \`customerName\` for \`customer.name\`, \`address_line1\` for \`shippingAddress.line1\`, \`zip\` for \`postalCode\`. The canonical member wins when both are present.
- Items are stored and never summed against the amount.
- Two calls with one \`orderId\` make two transactions. Send an \`Idempotency-Key\` to repeat a call safely.`,
    parameters: ['IdempotencyKey', 'RequestId'],
    success: 'The transaction exists and is pending.',
    successHeaders: ['Idempotency-Replayed'],
    requests: initRequests,
    answers: initAnswers,
    codes: [
      ...POST_FIRST,
      'STORE_DOMAIN_REQUIRED',
      'DOMAIN_NOT_ALLOWED',
      'CHECKOUT_DATA_REQUIRED',
      'IDEMPOTENCY_KEY_REUSED',
      'INTERNAL_ERROR',
    ],
    errors: {
      INVALID_FIELDS: {
        error:
          'amount: must be a number above 0 and at most 99999.99, in EUR with at most two decimals; items[0].quantity: must be a whole number of at least 1.',
        fields: ['amount', 'items[0].quantity'],
      },
    },
  },
  'post /payments/mbway': {
    operationId: 'paymentsMbway',
    schema: 'Mbway',
    description: `Sends an MB WAY push notification to the customer's phone. The customer has 4 minutes to confirm.

While the push is open, the same number again is answered like the first time and sends nothing; another number is refused. The webhook tells the outcome.`,
    parameters: ['RequestId'],
    success: 'The notification was sent.',
    successHeaders: [],
    requests: mbwayRequests,
    answers: mbwayAnswers,
    codes: [
      ...POST_FIRST,
      'TRANSACTION_NOT_FOUND',
      'TRANSACTION_NOT_PENDING',
      'MBWAY_PUSH_OPEN',
      'AMOUNT_ABOVE_METHOD_LIMIT',
      'MBWAY_PHONE_REJECTED',
      'BANK_UNAVAILABLE',
      'BANK_OUTCOME_UNKNOWN',
      'BANK_REFUSED',
      'INTERNAL_ERROR',
    ],
    errors: {
      INVALID_FIELDS: {
        error: 'phoneNumber: must be 9 digits starting with 9, as in 912345678.',
        fields: ['phoneNumber'],
      },
    },
  },
  'post /payments/multibanco': {
    operationId: 'paymentsMultibanco',
    schema: 'Multibanco',
    description:
      'Generates a Multibanco reference: the entity and reference that the customer pays at a bank channel until `expiresAt`. While a reference is live, a further call returns the same one.',
    parameters: ['RequestId'],
    success: 'The reference can be paid.',
    successHeaders: [],
    requests: multibancoRequests,
    answers: multibancoAnswers,
    codes: [
      ...POST_FIRST,
      'TRANSACTION_NOT_FOUND',
      'TRANSACTION_NOT_PENDING',
      'BANK_UNAVAILABLE',
      'BANK_REFUSED',
      'INTERNAL_ERROR',
    ],
    errors: {},
  },
  'get /payments/status': {
    operationId: 'paymentsStatus',
    schema: 'Status',
    description:
      'Reads the persisted state of a transaction. It never asks the bank and confirms nothing: the webhook is the authoritative confirmation. For polling as a fallback in the checkout, or an occasional look. A `transactionId` that stands twice in the query is 400 `INVALID_FIELDS`.',
    parameters: ['RequestId'],
    success: 'The stored state.',
    successHeaders: [],
    requests: {},
    query: { transactionId: EXAMPLE_TRANSACTION_ID },
    answers: statusAnswers,
    codes: [
      'UNAUTHORIZED',
      'ACCOUNT_INACTIVE',
      'INVALID_BODY',
      'INVALID_FIELDS',
      'TRANSACTION_NOT_FOUND',
      'INTERNAL_ERROR',
    ],
    errors: {},
  },
  'get /payments/methods': {
    operationId: 'paymentsMethods',
    schema: 'Methods',
    description: 'Lists the payment methods of the platform, inactive ones included.',
    parameters: ['RequestId'],
    success: 'The methods.',
    successHeaders: [],
    requests: {},
    answers: methodsAnswers,
    codes: ['UNAUTHORIZED', 'ACCOUNT_INACTIVE', 'INVALID_BODY', 'INTERNAL_ERROR'],
    errors: {},
  },
};
