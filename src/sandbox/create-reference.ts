import { z } from 'zod';
import { lisbonDateText, lisbonEndOfDay } from '../kernel/lisbon.ts';
import type { SandboxContext } from './context.ts';
import { insertReference, type Reference } from './store.ts';
import { firstFree, referenceText, requestIdText } from './tokens.ts';
import { amount, methodKey, orderId, type Parsed, parse, textUpTo } from './wire-fields.ts';

/** The entity of every reference of the sandbox. */
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
  // The documentation calls it a number and shows it as text.
  expiryDays: z
    .union(
      [
        z.int().nonnegative(),
        z
          .string()
          .regex(/^\d{1,4}$/)
          .transform(Number),
      ],
      'expiryDays must be a whole number of days, 0 or more',
    )
    .nullish(),
});

export type ReferenceRequest = z.output<typeof body>;

export function readReferenceRequest(input: unknown): Parsed<ReferenceRequest> {
  return parse(body, input);
}

/** Makes a reference that was never given out before. */
export function createReference(context: SandboxContext, request: ReferenceRequest): Reference {
  const now = context.clock.now();
  return firstFree(() => {
    const reference: Reference = {
      entity: ENTITY,
      reference: referenceText(context.random),
      requestId: requestIdText(context.random),
      mbKey: request.mbKey,
      orderId: request.orderId,
      amount: request.amount,
      expiryDate: expiryDate(now, request.expiryDays ?? null),
      createdAt: now,
    };
    return insertReference(context.db, reference) ? reference : null;
  });
}

function expiryDate(now: number, days: number | null): string {
  return days === null ? '' : lisbonDateText(lisbonEndOfDay(now, nearestDays(days)));
}

/** A number of days that is not offered is moved to the nearest one that is. */
function nearestDays(days: number): number {
  return EXPIRY_DAYS.reduce((best, offer) => (Math.abs(offer - days) < Math.abs(best - days) ? offer : best));
}
