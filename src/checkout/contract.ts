import { z } from 'zod';
import { LANGUAGES } from '../kernel/language.ts';
import { METHODS } from '../kernel/payment-enums.ts';
import { fault, InitInput } from '../payments/contract.ts';

/*
 * The bodies of the checkout operations. The schemas validate and never coerce, and run after null and blank members are removed.
 * session-faults.ts checks rules that depend on settings, the clock or the merchant's domains.
 */

const RETURN_URL_LENGTH_MAX = 2048;

const returnUrlRule = `must be a string of at most ${RETURN_URL_LENGTH_MAX} characters`;
const returnUrl = (description: string, example: string) =>
  z
    .string(fault(returnUrlRule))
    .max(RETURN_URL_LENGTH_MAX, returnUrlRule)
    .meta({
      format: 'uri',
      description: `${description} An https URL on a registered store domain; with the sandbox also http://localhost. The domain is checked when the session is created.`,
      examples: [example],
    });

const methodsRule = 'must be a non-empty array of MBWAY and REFERENCE';
const methods = z
  .array(z.any(), fault(methodsRule))
  .refine(
    (values) => values.length > 0 && values.every((value) => METHODS.some((method) => method === value)),
    methodsRule,
  )
  .meta({
    items: { type: 'string', enum: METHODS },
    minItems: 1,
    description: 'The methods that the page offers. Default: both.',
    examples: [['MBWAY', 'REFERENCE']],
  });

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const instantRule =
  'must be an RFC 3339 date and time with a time zone, for example 2026-11-24T18:00:00+00:00';

/** The instant of an RFC 3339 text in UTC milliseconds; null for other text. */
export function instantOf(text: string): number | null {
  const [, day = '', time = ''] = RFC_3339.exec(text) ?? [];
  const wall = Date.parse(`${day}T${time}Z`);
  // Date.parse accepts 30 February as a day in March.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== day) return null;
  const instant = Date.parse(text.toUpperCase());
  return Number.isNaN(instant) ? null : instant;
}

const localeRule = 'must be pt or en';

export const CreateSessionInput = InitInput.extend({
  successUrl: returnUrl(
    'Where the page sends the customer once the order is paid, with `session_id` added to the query.',
    'https://demo-shop.example/thanks?order=1001',
  ).optional(),
  cancelUrl: returnUrl(
    'The address of the link back to your shop. It cancels nothing.',
    'https://demo-shop.example/cart',
  ).optional(),
  methods: methods.optional(),
  expiresAt: z
    .string(fault(instantRule))
    .refine((value) => instantOf(value) !== null, instantRule)
    .meta({
      format: 'date-time',
      description:
        'When the session ends: 5 minutes to 30 days ahead. Default: 24 hours. With the sandbox it may be 1 second ahead.',
      examples: ['2026-11-22T10:00:00Z'],
    })
    .optional(),
  locale: z.enum(LANGUAGES, fault(localeRule)).meta({ default: 'pt' }).optional(),
});
export type CreateSessionInput = z.infer<typeof CreateSessionInput>;

const sessionId = z.string().meta({
  pattern: '^cs_',
  description: 'The session. Store it with the order.',
  examples: ['cs_01kaj2x4d0a6e9hpt2vq7mznjs'],
});
const url = z.string().meta({
  format: 'uri',
  description: "The payment page. Redirect the customer's browser to it.",
  examples: ['https://payments.example/pay/mVbq3n0vC9mG8y7lq1Q2Aw'],
});
const status = z.enum(['open', 'complete', 'expired']).meta({
  description:
    '`complete` once a transaction of the session is paid. An `expired` session becomes `complete` if its Multibanco reference is paid later.',
});
const expiresAt = z
  .string()
  .meta({ format: 'date-time', description: 'When the session ends, as an ISO 8601 UTC instant.' });

export const CreateSessionOutput = z.object({ sessionId, url, status, expiresAt });
export type CreateSessionOutput = z.infer<typeof CreateSessionOutput>;

export const SessionInput = z.object({
  sessionId: z.string(fault('must be one string')).meta({
    description: 'The `sessionId` that the creation returned.',
    examples: ['cs_01kaj2x4d0a6e9hpt2vq7mznjs'],
  }),
});
export type SessionInput = z.infer<typeof SessionInput>;

export const SessionOutput = z.object({
  sessionId,
  status,
  transactionId: z.string().meta({
    pattern: '^tx_',
    description: 'The transaction that was paid first; before payment, the newest one.',
    examples: ['tx_01kaj2x4d0a6e9hpt2vq7mznjs'],
  }),
  externalOrderId: z.string().meta({ description: 'The `orderId` of the session.' }),
  amount: z.number().meta({ description: 'The amount in EUR.', examples: [49.9] }),
  currency: z.literal('EUR'),
  url,
  expiresAt,
});
export type SessionOutput = z.infer<typeof SessionOutput>;
