import { z } from 'zod';
import { lisbonDateText, lisbonEndOfDay } from '../kernel/lisbon.ts';
import { randomText } from '../kernel/random.ts';
import type { SandboxContext } from './context.ts';
import type { Reference } from './schema.ts';
import { amount, methodKey, newRequestId, orderId, type Parsed, parse, textUpTo } from './wire-fields.ts';

const ENTITY = '11990';
const EXPIRY_DAYS = [...Array(32).keys(), 45, 60, 90, 120];

const body = z.object({
  mbKey: methodKey('mbKey'),
  orderId,
  amount,
  description: textUpTo('description', 200),
  url: textUpTo('url', 200),
  clientCode: textUpTo('clientCode', 200),
  clientName: textUpTo('clientName', 200),
  clientEmail: textUpTo('clientEmail', 200),
  clientUsername: textUpTo('clientUsername', 200),
  clientPhone: textUpTo('clientPhone', 200),
  // The bank's documentation specifies a number, but its example is text.
  expiryDays: z
    .union(
      [z.int().nonnegative(), z.string().regex(/^\d{1,4}$/)],
      'expiryDays must be a whole number of days',
    )
    .transform(Number)
    .nullish(),
});

export type ReferenceRequest = z.output<typeof body>;

export const readReferenceRequest = (input: unknown): Parsed<ReferenceRequest> => parse(body, input);

/** Creates a reference with digits that were never used before. */
export function createReference(context: SandboxContext, request: ReferenceRequest): Reference {
  const now = context.clock.now();
  for (;;) {
    const reference: Reference = {
      entity: ENTITY,
      reference: randomText(context.random, 9, '0123456789'),
      acquirer: 'ifthenpay',
      request_id: newRequestId(context.random),
      mb_key: request.mbKey,
      order_id: request.orderId,
      amount_cents: request.amount,
      expiry_date: request.expiryDays == null ? '' : expiryDate(now, request.expiryDays),
      created_at: now,
    };
    if (context.store.insertReference(reference)) return reference;
  }
}

/** The bank rounds to the nearest number of days that it offers. */
function expiryDate(now: number, days: number): string {
  const nearest = EXPIRY_DAYS.reduce((best, offer) =>
    Math.abs(offer - days) < Math.abs(best - days) ? offer : best,
  );
  return lisbonDateText(lisbonEndOfDay(now, nearest));
}
