import { z } from 'zod';

/** What the peers accept: the members of the contract that a benchmark's order carries, with its bounds. */
const text = z.string().max(500);

export const InitInput = z.object({
  orderId: z.string().min(1).max(255),
  amount: z.number().positive().max(99_999.99).multipleOf(0.01),
  currency: z.literal('EUR').optional(),
  storeUrl: z.url().max(2048),
  customer: z
    .object({
      name: text,
      email: z.email(),
      phone: text.optional(),
      address: text.optional(),
      city: text.optional(),
      postalCode: text.optional(),
      country: text.optional(),
    })
    .optional(),
  items: z
    .array(
      z.object({
        id: text,
        name: text,
        quantity: z.int().min(1),
        priceInCents: z.int().min(0),
      }),
    )
    .max(200)
    .optional(),
  trackingParameters: z.object({ utm_source: text.optional(), utm_campaign: text.optional() }).optional(),
});
export type InitInput = z.output<typeof InitInput>;

export const InitOutput = z.object({
  transactionId: z.string(),
  amount: z.number(),
  currency: z.literal('EUR'),
});
export type InitOutput = z.output<typeof InitOutput>;

export const StatusInput = z.object({ transactionId: z.string().min(1).max(100) });

export const StatusOutput = z.object({
  transactionId: z.string(),
  externalOrderId: z.string(),
  status: z.string(),
  paymentMethod: z.string().nullable(),
  amount: z.number(),
  currency: z.literal('EUR'),
  paidAt: z.string().nullable(),
});
export type StatusOutput = z.output<typeof StatusOutput>;
