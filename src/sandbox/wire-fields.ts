import { z } from 'zod';
import { AMOUNT_MAX_CENTS, type Cents, centsFromDecimal } from '../kernel/money.ts';

const AMOUNT_TEXT = /^\d{1,7}\.\d{2}$/;

/** A method key, `ABC-123456`. Any well-formed one is accepted. */
export const methodKey = (name: string) =>
  z.string(`${name} is missing`).regex(/^[A-Z]{3}-\d{6}$/, `${name} must look like ABC-123456`);

export const backofficeKey = (name: string) =>
  z
    .string(`${name} is missing`)
    .regex(/^\d{4}-\d{4}-\d{4}-\d{4}$/, `${name} must look like 0000-0000-0000-0000`);

export const orderId = z
  .string('orderId is missing')
  .min(1, 'orderId is missing')
  .max(15, 'orderId is longer than 15 characters');

/** Decimal text with exactly two decimals, read as cents. */
export const amount = z
  .string('amount must be text such as "12.50"')
  .regex(AMOUNT_TEXT, 'amount must have a point and exactly two decimals, such as "12.50"')
  .transform((text) => centsFromDecimal(text) as Cents)
  .refine((value) => value > 0 && value <= AMOUNT_MAX_CENTS, 'amount must be from 0.01 to 99999.99');

export const textUpTo = (name: string, max: number) =>
  z.string(`${name} must be text`).max(max, `${name} is longer than ${max} characters`).nullish();

export type Parsed<T> = { ok: true; value: T } | { ok: false; message: string };

/** The validated body, or every complaint about it in one line. */
export function parse<T>(schema: z.ZodType<T>, body: unknown): Parsed<T> {
  if (Array.isArray(body) || (body != null && typeof body !== 'object')) {
    return { ok: false, message: 'send a JSON object' };
  }
  const result = schema.safeParse(body ?? {});
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, message: result.error.issues.map((issue) => issue.message).join('; ') };
}
