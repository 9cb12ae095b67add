import { z } from 'zod';
import type { EventKind } from '../db/tables/webhooks.ts';
import { METHODS, TRANSACTION_STATUSES } from '../kernel/payment-enums.ts';

const method = z.enum(METHODS);

/** The transaction in every event. The order of members is the order in the body. */
const eventData = z.object({
  id: z.string().meta({ description: 'The `transactionId`. Deduplicate on it together with `event`.' }),
  externalOrderId: z.string().meta({ description: 'The `orderId` given at init.' }),
  amount: z.number().positive().meta({ description: 'The amount in EUR.' }),
  currency: z.literal('EUR'),
  paymentMethod: method.nullable().meta({
    description: 'The method that paid, else that of the newest attempt that the bank accepted, else null.',
  }),
  status: z.enum(TRANSACTION_STATUSES),
  paidAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the bank received the payment. Null unless paid.' }),
});

const payload = <K extends string, D extends z.ZodType>(
  kind: K,
  data: D,
  title: string,
  description: string,
) =>
  z
    .object({
      event: z.literal(kind),
      timestamp: z.iso.datetime().meta({ description: 'When the event occurred, in UTC.' }),
      data,
    })
    .meta({ title, description });

export const EVENT_PAYLOADS = {
  'payment.success': payload(
    'payment.success',
    eventData.extend({
      paymentMethod: method,
      status: z.literal('paid'),
      paidAt: z.iso.datetime().meta({ description: 'When the bank received the payment.' }),
    }),
    'Payment confirmed by the bank',
    'The bank confirmed the payment. This event can follow `payment.failed` or `payment.cancelled` if the money arrives late.',
  ),
  'payment.failed': payload(
    'payment.failed',
    eventData.extend({ status: z.literal('failed'), paidAt: z.null() }),
    'Payment failed',
    'The customer rejected the MB WAY push, the bank declined it, or the Multibanco reference expired.',
  ),
  'payment.cancelled': payload(
    'payment.cancelled',
    eventData.extend({ status: z.literal('cancelled'), paidAt: z.null() }),
    'Payment cancelled',
    'The customer did not answer the MB WAY push in time, or the transaction expired without a live attempt.',
  ),
  'payment.refunded': payload(
    'payment.refunded',
    z.object({
      id: z.string().meta({ description: 'The refund. Deduplicate on it together with `event`.' }),
      transactionId: z.string().meta({ description: 'The transaction whose payment was refunded.' }),
      externalOrderId: z.string().meta({ description: 'The `orderId` given at init.' }),
      status: z.literal('refunded'),
      paymentMethod: method.meta({ description: 'The method that paid.' }),
      amount: z.number().positive().meta({ description: 'The amount of this refund in EUR.' }),
      currency: z.literal('EUR'),
      refundedAt: z.iso.datetime().meta({ description: 'When the refund was completed.' }),
    }),
    'Payment refunded',
    'All or part of the payment of an order was returned. Sent only if the operator has switched refund events on for your account. The status of the transaction stays `paid`.',
  ),
  'webhook.test': payload(
    'webhook.test',
    eventData.extend({
      id: z.string().regex(/^tx_test_/),
      externalOrderId: z.string().meta({ description: 'Always `TEST`.' }),
      paymentMethod: z.null(),
      status: z.literal('pending'),
      paidAt: z.null(),
    }),
    'Test event',
    'Sent when you test the webhook settings. It belongs to no transaction.',
  ),
} as const satisfies Record<EventKind, z.ZodType>;

export type TransactionEventData = z.infer<typeof eventData>;
export type RefundEventData = z.infer<(typeof EVENT_PAYLOADS)['payment.refunded']>['data'];
