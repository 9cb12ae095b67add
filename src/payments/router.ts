import { mutation, query, route } from '../rpc/operation.ts';
import * as contract from './contract.ts';
import { initTransaction } from './init.ts';
import { startMbway } from './mbway.ts';
import { listMethods } from './methods.ts';
import { startMultibanco } from './multibanco.ts';
import { readStatus } from './status.ts';

export const paymentOperations = {
  init: mutation({
    meta: route('POST', '/payments/init', 'paymentsInit', 'payments', {
      summary: 'Create a transaction',
      description: `Creates a transaction with status \`pending\` and returns its \`transactionId\`. Call it from your server only: the API key must never reach a browser.

- Until your account has its first paid sale, \`customer.name\`, \`customer.email\` and a non-empty \`items\` are required, unless the operator has disabled this rule.
- The domain of \`storeUrl\` must be registered. Without \`storeUrl\`, the service uses the host of \`Origin\`, then of \`Referer\`.
- Aliases: \`customerName\` for \`customer.name\`, \`address_line1\` for \`shippingAddress.line1\`, \`zip\` for \`postalCode\`. If both are present, the canonical field wins.
- The service stores \`items\` and never sums them against \`amount\`.
- Two calls with the same \`orderId\` create two transactions. To retry a call safely, send an \`Idempotency-Key\`.`,
      success: 'The transaction exists and is pending.',
    }),
    input: contract.InitInput,
    output: contract.InitOutput,
    idempotent: true,
    run: (ctx, input) => initTransaction(ctx.deps, ctx.merchant, input, ctx),
  }),
  mbway: mutation({
    meta: route('POST', '/payments/mbway', 'paymentsMbway', 'payments', {
      summary: 'Send an MB WAY push',
      description: `Sends an MB WAY push notification to the customer's phone. The customer has 4 minutes to confirm. The webhook reports the outcome.

While the push is open, a call with the same number returns 200 and sends nothing; a call with another number is refused.`,
      success: 'The push was sent.',
    }),
    input: contract.MbwayInput,
    output: contract.MbwayOutput,
    run: ({ deps, merchant }, input) => startMbway(deps, merchant, input),
  }),
  multibanco: mutation({
    meta: route('POST', '/payments/multibanco', 'paymentsMultibanco', 'payments', {
      summary: 'Create a Multibanco reference',
      description:
        'Creates a Multibanco reference: the entity and reference that the customer pays at an ATM or in a banking app until `expiresAt`. While the reference is live, further calls return the same one.',
      success: 'The reference can be paid.',
    }),
    input: contract.MultibancoInput,
    output: contract.MultibancoOutput,
    run: ({ deps, merchant }, input) => startMultibanco(deps, merchant, input),
  }),
  status: query({
    meta: route('GET', '/payments/status', 'paymentsStatus', 'payments', {
      summary: 'Retrieve the status',
      description:
        'Returns the stored status of a transaction. The call never contacts the bank and confirms nothing: the webhook is the authoritative confirmation. Use it as a fallback on the checkout page. A repeated `transactionId` parameter is 400 `INVALID_FIELDS`.',
      success: 'The stored status.',
    }),
    input: contract.StatusInput,
    output: contract.StatusOutput,
    run: ({ deps, merchant }, input) => readStatus(deps, merchant, input),
  }),
  methods: query({
    meta: route('GET', '/payments/methods', 'paymentsMethods', 'payments', {
      summary: 'List the payment methods',
      description: 'Lists the payment methods of the platform, including inactive ones.',
      success: 'The payment methods.',
    }),
    input: null,
    output: contract.MethodsOutput,
    run: () => listMethods(),
  }),
};
