import { z } from 'zod';
import { AMOUNT_MAX_CENTS, type Cents, centsFromDecimal } from '../kernel/money.ts';
import { LETTERS_AND_DIGITS, type Random, randomText } from '../kernel/random.ts';

const REQUEST_ID_LENGTH = 20;

/** A method key, `ABC-123456`. Every well-formed key is accepted. */
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

export const requestId = z.string('requestId is missing').min(1, 'requestId is missing');

/** Decimal text with two decimals, converted to cents. */
export const amount = z
  .string('amount must be text such as "12.50"')
  .regex(/^\d{1,7}\.\d{2}$/, 'amount must have a point and two decimals, such as "12.50"')
  .transform((text) => centsFromDecimal(text) as Cents)
  .refine((value) => value > 0 && value <= AMOUNT_MAX_CENTS, 'amount must be from 0.01 to 99999.99');

export const textUpTo = (name: string, max: number) =>
  z.string(`${name} must be text`).max(max, `${name} is longer than ${max} characters`).nullish();

export type Parsed<T> = { ok: true; value: T } | { ok: false; message: string };

/** Returns the validated body, or all faults in one line. */
export function parse<T>(schema: z.ZodType<T>, body: unknown): Parsed<T> {
  if (Array.isArray(body) || (body != null && typeof body !== 'object')) {
    return { ok: false, message: 'send a JSON object' };
  }
  const result = schema.safeParse(body ?? {});
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, message: result.error.issues.map((issue) => issue.message).join('; ') };
}

/** Returns the validated body, or throws a fault, for which Fastify responds with its `statusCode` 400. */
export function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = parse(schema, body);
  if (!parsed.ok) throw Object.assign(new Error(parsed.message), { statusCode: 400 });
  return parsed.value;
}

/** A request id: 20 characters, sometimes with a `+`, as at the real bank. */
export function newRequestId(random: Random): string {
  const text = randomText(random, REQUEST_ID_LENGTH, LETTERS_AND_DIGITS);
  const [dice = 0, place = 0] = random(2);
  if (dice % 4 !== 0) return text;
  const at = 1 + (place % (REQUEST_ID_LENGTH - 2));
  return `${text.slice(0, at)}+${text.slice(at + 1)}`;
}
