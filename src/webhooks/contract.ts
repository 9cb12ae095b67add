import { z } from 'zod';

/** What every webhook tells about its transaction. Member order is the order on the wire. */
const eventData = z.object({
  id: z.string().meta({ description: 'The transactionId. Deduplicate on it together with `event`.' }),
  externalOrderId: z.string().meta({ description: 'The orderId given at init.' }),
  amount: z.number().positive().meta({ description: 'In EUR.' }),
  currency: z.literal('EUR'),
  paymentMethod: z.enum(['MBWAY', 'REFERENCE']).nullable(),
  status: z.enum(['pending', 'paid', 'failed', 'cancelled']),
  paidAt: z.iso.datetime().nullable().meta({ description: "The bank's time of payment; null unless paid." }),
});

const payload = <K extends string, D extends z.ZodType>(kind: K, data: D, meaning: string) =>
  z
    .object({
      event: z.literal(kind),
      timestamp: z.iso.datetime().meta({ description: 'When the state changed, UTC.' }),
      data,
    })
    .meta({ description: meaning });

/** The payload of each event kind, for the document and for whoever checks a body. */
export const EVENT_PAYLOADS = {
  'payment.success': payload(
    'payment.success',
    eventData.extend({
      paymentMethod: z.enum(['MBWAY', 'REFERENCE']),
      status: z.literal('paid'),
      paidAt: z.iso.datetime(),
    }),
    'Payment confirmed by the bank. It can follow payment.failed or payment.cancelled when money arrives late.',
  ),
  'payment.failed': payload(
    'payment.failed',
    eventData.extend({ status: z.literal('failed'), paidAt: z.null() }),
    'Payment failed: MB WAY rejected or declined, Multibanco reference expired.',
  ),
  'payment.cancelled': payload(
    'payment.cancelled',
    eventData.extend({ status: z.literal('cancelled'), paidAt: z.null() }),
    'The push lapsed unanswered, or the transaction expired without a live attempt.',
  ),
  'webhook.test': payload(
    'webhook.test',
    eventData.extend({
      id: z.string().startsWith('tx_test_'),
      paymentMethod: z.null(),
      status: z.literal('pending'),
      paidAt: z.null(),
    }),
    'Sent by the test action. No transaction stands behind it.',
  ),
} as const;

/** The kinds of event, in the order of the documentation. */
export const EVENT_KINDS = [
  'payment.success',
  'payment.failed',
  'payment.cancelled',
  'webhook.test',
] as const;
