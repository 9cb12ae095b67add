import { z } from 'zod';
import { AMOUNT_MAX_CENTS, centsFromEuros, eurosFromCents } from '../kernel/money.ts';
import { METHODS, TRANSACTION_STATUSES } from '../kernel/payment-enums.ts';
import { hostOfUrl } from '../merchants/store-domain.ts';

/*
 * The bodies of the five operations: schemas, messages and descriptions. The schemas validate and never coerce.
 * They run after null and blank members are removed, so `optional` means absent, null or blank.
 */

const AMOUNT_MAX_EUR = eurosFromCents(AMOUNT_MAX_CENTS);
const ORDER_ID_LENGTH_MAX = 255;
const TEXT_LENGTH_MAX = 500;
const ITEMS_MAX = 200;

/** Zod error options: `is required` for an absent member, `rule` for any other fault. */
export const fault = (rule: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? 'is required' : rule),
});

/** Counts characters (code points). A string never has more characters than UTF-16 units. */
const isWithin = (value: string, lengthMax: number) =>
  value.length <= lengthMax || [...value].length <= lengthMax;

const textRule = `must be a string of at most ${TEXT_LENGTH_MAX} characters`;
const text = (description?: string) =>
  z
    .string(fault(textRule))
    .refine((value) => isWithin(value, TEXT_LENGTH_MAX), textRule)
    .meta({ maxLength: TEXT_LENGTH_MAX, ...(description !== undefined && { description }) });

const transactionId = z.string(fault('must be one string')).meta({
  description: 'The `transactionId` that init returned.',
  examples: ['tx_01kaj2x4d0a6e9hpt2vq7mznjs'],
});
const ownTransactionId = transactionId.meta({ pattern: '^tx_' });

const orderIdRule = `must be a string of 1 to ${ORDER_ID_LENGTH_MAX} characters without control characters`;
const orderId = z
  .string(fault(orderIdRule))
  .refine(
    (value) => isWithin(value, ORDER_ID_LENGTH_MAX) && value.isWellFormed() && !/\p{Cc}/u.test(value),
    orderIdRule,
  )
  .meta({
    minLength: 1,
    maxLength: ORDER_ID_LENGTH_MAX,
    pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]+$',
    description: 'Your order identifier, without control characters. The customer sees it in the MB WAY app.',
    examples: ['ORDER-1001'],
  });

const amountRule = `must be a number greater than 0 and at most ${AMOUNT_MAX_EUR}, in EUR with at most two decimals`;
const amount = z
  .number(fault(amountRule))
  .refine((value) => value > 0 && value <= AMOUNT_MAX_EUR && centsFromEuros(value) !== null, amountRule)
  .meta({
    exclusiveMinimum: 0,
    maximum: AMOUNT_MAX_EUR,
    description: 'The amount in EUR, with at most two decimals.',
    examples: [49.9],
  });

const storedAmount = z.number().meta({ description: 'The amount in EUR.', examples: [49.9] });

/** The local part may have every character that is valid without quotes. */
const EMAIL = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z\d][a-z\d-]*\.)+[a-z]{2,}$/i;

const Customer = z
  .object(
    {
      name: text().optional(),
      email: text()
        .pipe(z.email({ pattern: EMAIL, error: 'must be a valid email address' }))
        .meta({ format: 'email', maxLength: TEXT_LENGTH_MAX })
        .optional(),
      phone: text().optional(),
      address: text().optional(),
      city: text().optional(),
      postalCode: text().optional(),
      zip: text('Alias of `postalCode`.').optional(),
      country: text().optional(),
    },
    fault('must be an object'),
  )
  .meta({
    description:
      'Stored with the transaction. `name` and `email` are required until your account has its first paid sale.',
  });

const ShippingAddress = z
  .object(
    {
      line1: text().optional(),
      address_line1: text('Alias of `line1`.').optional(),
      city: text().optional(),
      postalCode: text().optional(),
      zip: text('Alias of `postalCode`.').optional(),
      country: text().optional(),
    },
    fault('must be an object'),
  )
  .meta({ description: "The delivery address, if it differs from the customer's address." });

const itemIdRule = `must be a string of at most ${TEXT_LENGTH_MAX} characters or an integer of at most ${Number.MAX_SAFE_INTEGER}`;
const itemPriceRule = 'must be a number of at least 0, in EUR with at most two decimals';
const itemCentsRule = 'must be an integer number of cents, at least 0';
const itemQuantityRule = 'must be an integer of at least 1';

const Item = z
  .object(
    {
      id: z.union([text(), z.int(fault(itemIdRule))], fault(itemIdRule)).meta({
        description: `Your item identifier. An integer, at most ${Number.MAX_SAFE_INTEGER}, is stored as text; send a larger one as a string.`,
      }),
      name: text(),
      // Not z.int(): its refusal of a fraction keeps the rules for several members from running.
      quantity: z
        .number(fault(itemQuantityRule))
        .refine((value) => Number.isSafeInteger(value) && value >= 1, itemQuantityRule)
        .meta({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      priceInCents: z
        .int(fault(itemCentsRule))
        .min(0, itemCentsRule)
        .meta({ description: 'The unit price in EUR cents.' })
        .optional(),
      price: z
        .number(fault(itemPriceRule))
        .refine((value) => centsFromEuros(value) !== null, itemPriceRule)
        .meta({
          minimum: 0,
          description: 'The unit price in EUR, with at most two decimals. Alternative to `priceInCents`.',
        })
        .optional(),
    },
    fault('must be an object'),
  )
  .refine(({ price, priceInCents }) => price !== undefined || priceInCents !== undefined, {
    path: ['priceInCents'],
    error: 'is required (or price)',
    when: isObject,
  })
  .refine(
    ({ price, priceInCents }) =>
      typeof price !== 'number' || typeof priceInCents !== 'number' || centsFromEuros(price) === priceInCents,
    { path: ['priceInCents'], error: 'must agree with price', when: isObject },
  )
  .meta({ description: 'Requires `priceInCents` or `price`. If both are present, they must agree.' });

/** Runs a rule over several members even if one of them is invalid, so that all faults are reported at once. */
function isObject(payload: { value: unknown }): boolean {
  return typeof payload.value === 'object' && payload.value !== null && !Array.isArray(payload.value);
}

const TrackingParameters = z
  .object(
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
    fault('must be an object'),
  )
  .meta({ description: 'Campaign parameters, stored with the transaction.' });

const storeUrlRule = 'must be an http or https URL of the store';

export const InitInput = z.object({
  orderId,
  amount,
  currency: z
    .literal('EUR', fault('must be EUR, the only supported currency'))
    .meta({ default: 'EUR' })
    .optional(),
  customer: Customer.optional(),
  customerName: text('Alias of `customer.name`.').optional(),
  shippingAddress: ShippingAddress.optional(),
  items: z
    .array(Item, fault('must be an array'))
    .max(ITEMS_MAX, `must have at most ${ITEMS_MAX} items`)
    .meta({
      description:
        'The items of the order. Required until your account has its first paid sale. Stored, and never summed against `amount`.',
    })
    .optional(),
  storeUrl: z
    .string(fault(storeUrlRule))
    .refine((value) => hostOfUrl(value) !== null, storeUrlRule)
    .meta({
      format: 'uri',
      description:
        'The URL of your store. Its domain must be registered. Always send it; without it, the service uses the host of `Origin`, then of `Referer`.',
      examples: ['https://demo-shop.example'],
    })
    .optional(),
  trackingParameters: TrackingParameters.optional(),
});
export type InitInput = z.infer<typeof InitInput>;

export const InitOutput = z.object({
  transactionId: ownTransactionId.meta({
    description:
      'The transaction. Store it with the order: the other calls need it and webhooks carry it as `data.id`.',
  }),
  amount: storedAmount,
  currency: z.literal('EUR'),
});
export type InitOutput = z.infer<typeof InitOutput>;

const phoneRule = 'must be 9 digits starting with 9, for example 912345678';
export const MbwayInput = z.object({
  transactionId,
  phoneNumber: z
    .string(fault(phoneRule))
    .regex(/^9\d{8}$/, phoneRule)
    .meta({
      description: "The customer's Portuguese mobile number: 9 digits, without prefix or spaces.",
      examples: ['912345678'],
    }),
});
export type MbwayInput = z.infer<typeof MbwayInput>;

export const MbwayOutput = z.object({
  success: z.boolean(),
  message: z.string().meta({ description: 'A sentence that states the time limit of 4 minutes.' }),
});
export type MbwayOutput = z.infer<typeof MbwayOutput>;

export const MultibancoInput = z.object({ transactionId });
export type MultibancoInput = z.infer<typeof MultibancoInput>;

const instant = (description: string) => z.string().meta({ format: 'date-time', description });

const reference = {
  entity: z.string().meta({
    pattern: '^\\d{5}$',
    description: 'The Multibanco entity, 5 digits.',
    examples: ['11473'],
  }),
  reference: z.string().meta({
    pattern: '^\\d{9}$',
    description: 'The Multibanco reference, 9 digits.',
    examples: ['512345678'],
  }),
};
const expiresAt = instant('The last day of payment, at 23:59:59 in Lisbon, as an ISO 8601 UTC instant.');

export const MultibancoOutput = z.object({ ...reference, amount: storedAmount, expiresAt });
export type MultibancoOutput = z.infer<typeof MultibancoOutput>;

export const StatusInput = z.object({ transactionId });
export type StatusInput = z.infer<typeof StatusInput>;

export const StatusOutput = z.object({
  transactionId: ownTransactionId,
  externalOrderId: z.string().meta({ description: 'The `orderId` given at init.' }),
  status: z.enum(TRANSACTION_STATUSES),
  paymentMethod: z.enum(METHODS).nullable().meta({
    description:
      'The method that paid. Before payment, that of the newest attempt that is open or has an unknown outcome, else of the newest that the bank accepted, else null.',
  }),
  amount: storedAmount,
  currency: z.literal('EUR'),
  paidAt: instant('When the bank received the payment. Null until paid.').nullable(),
  mb: z
    .object({ ...reference, expiresAt })
    .meta({ description: 'The Multibanco reference. Present only if `paymentMethod` is `REFERENCE`.' })
    .optional(),
});
export type StatusOutput = z.infer<typeof StatusOutput>;

export const MethodsOutput = z.object({
  methods: z.array(
    z.object({
      id: z.enum([...METHODS, 'CARD']),
      name: z.string(),
      active: z.boolean(),
      reason: z.string().meta({ description: 'Why the method is inactive.' }).optional(),
    }),
  ),
});
export type MethodsOutput = z.infer<typeof MethodsOutput>;
