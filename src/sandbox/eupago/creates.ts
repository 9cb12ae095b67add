import { z } from 'zod';
import { dayAfter } from '../../kernel/lisbon.ts';
import { AMOUNT_MAX_CENTS, type Cents, centsFromDecimal } from '../../kernel/money.ts';
import type { Random } from '../../kernel/random.ts';
import type { SandboxContext } from '../context.ts';
import type { PushOrder } from '../mbway.ts';
import { testPhone } from '../phones.ts';
import type { Push, Reference } from '../schema.ts';
import { localTime, newNumber } from './notifications.ts';

const ENTITY = '81921';
const MIN_CENTS = 100;
const IDENTIFIER_MAX = 50;

const amount = z
  .union([z.number(), z.string()])
  .transform(centsFromDecimal)
  .refine((value): value is Cents => value !== null && value >= MIN_CENTS && value <= AMOUNT_MAX_CENTS);

const pushBody = z.object({
  payment: z.object({
    identifier: z.string().min(1).max(IDENTIFIER_MAX),
    amount: z.object({ value: amount, currency: z.literal('EUR') }),
    customerPhone: z.string().regex(/^9\d{8}$/),
    countryCode: z.string().regex(/^\+?351$/),
    description: z.string().max(200).nullish(),
  }),
});

type ReadPush = { ok: true; value: PushOrder } | { ok: false; code: string; text: string };

/** Reads the body of a push; a refusal has the code of the first fault. */
export function readPushRequest(context: SandboxContext, apiKey: string, body: unknown): ReadPush {
  const parsed = pushBody.safeParse(body ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = String(issue?.path.find((part) => part === 'amount' || part === 'customerPhone') ?? '');
    const isMissing = valueAt(body, issue?.path ?? []) === undefined;
    const code = field === '' ? 'BAD_REQUEST' : `${field.toUpperCase()}_${isMissing ? 'MISSING' : 'INVALID'}`;
    return { ok: false, code, text: `${issue?.path.join('.') ?? ''} is missing or invalid` };
  }
  const { identifier, customerPhone, description, amount } = parsed.data.payment;
  if (testPhone(customerPhone, context).unknown)
    return { ok: false, code: 'CUSTOMERPHONE_INVALID', text: 'The phone is unknown to MB WAY' };
  const value: PushOrder = {
    acquirer: 'eupago',
    mbway_key: apiKey,
    order_id: identifier,
    amount_cents: amount.value,
    phone_number: customerPhone,
    description: description ?? '',
  };
  return { ok: true, value };
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[name] : undefined,
    body,
  );
}

/** The ids of a push: the transaction id, and the reference for inquiries. */
export function newPushIds(random: Random): Pick<Push, 'request_id' | 'reference'> {
  return { request_id: random(16).toString('hex'), reference: newNumber(random, 8) };
}

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const referenceBody = z.object({
  valor: amount,
  // This call does not read the identifier's name in the other calls.
  id: z.string().max(IDENTIFIER_MAX).nullish(),
  data_fim: day.nullish(),
});

type ReferenceRequest = Pick<Reference, 'mb_key' | 'order_id' | 'amount_cents'> & { lastDay: string | null };

type ReadReference = { ok: true; value: ReferenceRequest } | { ok: false; state: number; text: string };

/** Reads the body of a reference; a refusal has EuPago's negative state. */
export function readReferenceRequest({ store }: SandboxContext, body: unknown): ReadReference {
  const apiKey = String((body as { chave?: unknown } | null)?.chave ?? '');
  if (store.eupago.account(apiKey) === undefined) return { ok: false, state: -10, text: 'Chave inválida' };
  const parsed = referenceBody.safeParse(body);
  if (!parsed.success) return { ok: false, state: -9, text: 'Valores incorretos' };
  const { valor, id, data_fim } = parsed.data;
  const value = { mb_key: apiKey, order_id: id ?? '', amount_cents: valor, lastDay: data_fim ?? null };
  return { ok: true, value };
}

/** Creates a reference with digits that were never used before. */
export function createReference(
  { store, clock, random }: SandboxContext,
  { lastDay, ...order }: ReferenceRequest,
): Reference {
  const now = clock.now();
  for (;;) {
    const reference: Reference = {
      ...order,
      acquirer: 'eupago',
      entity: ENTITY,
      reference: newNumber(random, 9),
      request_id: random(16).toString('hex'),
      created_at: now,
      expiry_date: lastDay ?? dayAfter(localTime(now)[0], 30),
    };
    if (store.insertReference(reference)) return reference;
  }
}
