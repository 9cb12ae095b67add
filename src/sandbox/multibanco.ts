import { z } from 'zod';
import { lisbonDateText, lisbonEndOfDay } from '../kernel/lisbon.ts';
import type { SandboxContext } from './context.ts';
import type { Reference } from './schema.ts';
import { amount, methodKey, orderId, type Parsed, parse, textUpTo } from './wire-fields.ts';

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

/** A reference as the service asks for it. */
export type ReferenceOrder = Omit<Reference, 'reference' | 'request_id' | 'created_at'>;

export function readReferenceRequest({ clock }: SandboxContext, input: unknown): Parsed<ReferenceOrder> {
  const parsed = parse(body, input);
  if (!parsed.ok) return parsed;
  const { mbKey, orderId, amount, expiryDays } = parsed.value;
  const value: ReferenceOrder = {
    acquirer: 'ifthenpay',
    entity: ENTITY,
    mb_key: mbKey,
    order_id: orderId,
    amount_cents: amount,
    expiry_date: expiryDays == null ? '' : expiryDate(clock.now(), expiryDays),
  };
  return { ok: true, value };
}

export function createReference(
  { store, clock, log }: SandboxContext,
  order: ReferenceOrder,
  hangs: boolean,
  newIds: () => Pick<Reference, 'request_id' | 'reference'>,
): Reference {
  for (;;) {
    const created = { ...order, ...newIds(), created_at: clock.now() };
    // Digits that exist already: generate others.
    if (!store.insertReference(created)) continue;
    log(`reference ${created.entity} ${created.reference}${hangs ? ', not answered' : ''}`);
    return created;
  }
}

/** The bank rounds to the nearest number of days that it offers. */
function expiryDate(now: number, days: number): string {
  const nearest = EXPIRY_DAYS.reduce((best, offer) =>
    Math.abs(offer - days) < Math.abs(best - days) ? offer : best,
  );
  return lisbonDateText(lisbonEndOfDay(now, nearest));
}
