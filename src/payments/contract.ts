import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { AMOUNT_MAX_CENTS, centsFromEuros, eurosFromCents } from '../kernel/money.ts';
import { hostOfUrl } from '../merchants/store-domain.ts';

/**
 * The five operations: what a merchant sends, what it gets. The schemas validate and never coerce; they run after
 * members that are null or blank were dropped, so that `optional` means absent, null or blank alike.
 */
const AMOUNT_MAX_EUR = eurosFromCents(AMOUNT_MAX_CENTS);
const ORDER_ID_LENGTH_MAX = 255;
const TEXT_LENGTH_MAX = 500;
const ITEMS_MAX = 200;

const says = (what: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? 'is required' : what),
});

// Characters, which are never more than UTF-16 units: counting those of every text took 4 µs of an init.
const isWithin = (value: string, lengthMax: number) =>
  value.length <= lengthMax || [...value].length <= lengthMax;

const textRule = `must be a string of at most ${TEXT_LENGTH_MAX} characters`;
const text = () =>
  z
    .string(says(textRule))
    .refine((value) => isWithin(value, TEXT_LENGTH_MAX), textRule)
    .meta({ maxLength: TEXT_LENGTH_MAX });

const orderIdRule = `must be a string of 1 to ${ORDER_ID_LENGTH_MAX} characters without control characters`;
const orderId = z
  .string(says(orderIdRule))
  .refine(
    (value) => isWithin(value, ORDER_ID_LENGTH_MAX) && value.isWellFormed() && !/\p{Cc}/u.test(value),
    orderIdRule,
  )
  .meta({
    minLength: 1,
    maxLength: ORDER_ID_LENGTH_MAX,
    description: "The merchant's own order identifier.",
  });

const amountRule = `must be a number above 0 and at most ${AMOUNT_MAX_EUR}, in EUR with at most two decimals`;
const amount = z
  .number(says(amountRule))
  .refine((value) => value > 0 && value <= AMOUNT_MAX_EUR && centsFromEuros(value) !== null, amountRule)
  .meta({ exclusiveMinimum: 0, maximum: AMOUNT_MAX_EUR, description: 'EUR, at most two decimals.' });

const email = text().pipe(z.email('must be a valid e-mail address'));

const Customer = z
  .object(
    {
      name: text().optional(),
      email: email.optional(),
      phone: text().optional(),
      address: text().optional(),
      city: text().optional(),
      postalCode: text().optional(),
      zip: text().optional().meta({ description: 'Alias of postalCode.' }),
      country: text().optional(),
    },
    says('must be an object'),
  )
  .meta({ description: 'Stored with the transaction; required members depend on the account.' });

const ShippingAddress = z.object(
  {
    line1: text().optional(),
    address_line1: text().optional().meta({ description: 'Alias of line1.' }),
    city: text().optional(),
    postalCode: text().optional(),
    zip: text().optional().meta({ description: 'Alias of postalCode.' }),
    country: text().optional(),
  },
  says('must be an object'),
);

const itemPriceRule = 'must be a number of at least 0, in EUR with at most two decimals';
const itemCentsRule = 'must be a whole number of cents of at least 0';
const itemQuantityRule = 'must be a whole number of at least 1';

const Item = z
  .object(
    {
      id: z.union([text(), z.int()], says('must be a string of at most 500 characters or a whole number')),
      name: text(),
      quantity: z.int(says(itemQuantityRule)).min(1, itemQuantityRule),
      priceInCents: z.int(says(itemCentsRule)).min(0, itemCentsRule).optional(),
      price: z
        .number(says(itemPriceRule))
        .refine((value) => centsFromEuros(value) !== null, itemPriceRule)
        .meta({ minimum: 0 })
        .optional()
        .meta({ description: 'EUR; the alternative to priceInCents.' }),
    },
    says('must be an object'),
  )
  .refine(({ price, priceInCents }) => price !== undefined || priceInCents !== undefined, {
    path: ['priceInCents'],
    error: 'is required (or price)',
    when: isObjectSoFar,
  })
  .refine(
    ({ price, priceInCents }) =>
      typeof price !== 'number' || typeof priceInCents !== 'number' || centsFromEuros(price) === priceInCents,
    { path: ['priceInCents'], error: 'must agree with price', when: isObjectSoFar },
  );

/** Lets a rule over several members run although one of them is at fault: all faults are reported at once. */
function isObjectSoFar(payload: { value: unknown }): boolean {
  return typeof payload.value === 'object' && payload.value !== null && !Array.isArray(payload.value);
}

const TrackingParameters = z.object(
  {
    utm_source: text().optional(),
    utm_medium: text().optional(),
    utm_campaign: text().optional(),
    fbclid: text().optional(),
    gclid: text().optional(),
    ttclid: text().optional(),
    src: text().optional(),
    sck: text().optional(),
  },
  says('must be an object'),
);

const storeUrlRule = 'must be an http or https address of the store';

export const InitInput = z.object({
  orderId,
  amount,
  currency: z.literal('EUR', says('must be EUR, the only supported currency')).optional(),
  customer: Customer.optional(),
  customerName: text().optional().meta({ description: 'Alias of customer.name.' }),
  shippingAddress: ShippingAddress.optional(),
  items: z
    .array(Item, says('must be an array'))
    .max(ITEMS_MAX, `must have at most ${ITEMS_MAX} entries`)
    .optional(),
  storeUrl: z
    .string(says(storeUrlRule))
    .refine((value) => hostOfUrl(value) !== null, storeUrlRule)
    .optional()
    .meta({
      description:
        "URL of the merchant's store; its domain must be registered. From a browser, Origin or Referer is accepted instead.",
    }),
  trackingParameters: TrackingParameters.optional(),
});
export type InitInput = z.infer<typeof InitInput>;

export const InitOutput = z.object({
  transactionId: z.string(),
  amount: z.number(),
  currency: z.literal('EUR'),
});
export type InitOutput = z.infer<typeof InitOutput>;

const transactionId = z
  .string(says('must be one string'))
  .meta({ description: 'The transactionId that init returned.' });

const phoneRule = 'must be 9 digits starting with 9, as in 912345678';
export const MbwayInput = z.object({
  transactionId,
  phoneNumber: z.string(says(phoneRule)).regex(/^9\d{8}$/, phoneRule),
});
export type MbwayInput = z.infer<typeof MbwayInput>;

export const MbwayOutput = z.object({ success: z.boolean(), message: z.string() });
export type MbwayOutput = z.infer<typeof MbwayOutput>;

export const MultibancoInput = z.object({ transactionId });
export type MultibancoInput = z.infer<typeof MultibancoInput>;

const instant = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC.' });

export const MultibancoOutput = z.object({
  entity: z.string(),
  reference: z.string(),
  amount: z.number(),
  expiresAt: instant,
});
export type MultibancoOutput = z.infer<typeof MultibancoOutput>;

export const StatusInput = z.object({ transactionId });
export type StatusInput = z.infer<typeof StatusInput>;

const MethodId = z.enum(['MBWAY', 'REFERENCE']);

export const StatusOutput = z.object({
  transactionId: z.string(),
  externalOrderId: z.string(),
  status: z.enum(['pending', 'paid', 'failed', 'cancelled']),
  paymentMethod: MethodId.nullable().meta({ description: 'Null while no method step was accepted.' }),
  amount: z.number(),
  currency: z.literal('EUR'),
  paidAt: instant.nullable(),
  mb: z
    .object({ entity: z.string(), reference: z.string(), expiresAt: instant })
    .optional()
    .meta({ description: 'Only when paymentMethod is REFERENCE and the reference exists.' }),
});
export type StatusOutput = z.infer<typeof StatusOutput>;

export const MethodsOutput = z.object({
  methods: z.array(
    z.object({
      id: z.enum(['MBWAY', 'REFERENCE', 'CARD']),
      name: z.string(),
      active: z.boolean(),
      reason: z.string().optional().meta({ description: 'On inactive entries.' }),
    }),
  ),
});
export type MethodsOutput = z.infer<typeof MethodsOutput>;

const route = (
  method: 'GET' | 'POST',
  path: `/${string}`,
  summary: string,
  description: string,
): OpenApiMeta => ({
  openapi: { method, path, protect: true, tags: ['payments'], summary, description },
});

export const ROUTES = {
  init: route('POST', '/payments/init', 'Create a transaction', 'Creates a transaction in state pending.'),
  mbway: route(
    'POST',
    '/payments/mbway',
    'Send an MB WAY push',
    "Sends an MB WAY push notification to the customer's phone; 4 minutes to confirm.",
  ),
  multibanco: route(
    'POST',
    '/payments/multibanco',
    'Get a Multibanco reference',
    'Generates an entity and reference pair that the customer pays at a bank channel.',
  ),
  status: route(
    'GET',
    '/payments/status',
    'Read the stored state',
    'Reads persisted data only; never asks the bank and confirms nothing. The webhook is the authoritative confirmation.',
  ),
  methods: route(
    'GET',
    '/payments/methods',
    'List the payment methods',
    'Lists the payment methods of the platform.',
  ),
};
