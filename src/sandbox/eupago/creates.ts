import { z } from 'zod';
import { dayAfter } from '../../kernel/lisbon.ts';
import { AMOUNT_MAX_CENTS, type Cents, centsFromDecimal } from '../../kernel/money.ts';
import type { SandboxContext } from '../context.ts';
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

interface PushRequest {
  identifier: string;
  amount: Cents;
  phoneNumber: string;
  description: string;
}

type ReadPush = { ok: true; value: PushRequest } | { ok: false; code: string; text: string };

/** Reads the body of a push; a refusal has the code of the first fault. */
export function readPushRequest(body: unknown, context: SandboxContext): ReadPush {
  const parsed = pushBody.safeParse(body ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = String(issue?.path.find((part) => part === 'amount' || part === 'customerPhone') ?? '');
    const isMissing = valueAt(body, issue?.path ?? []) === undefined;
    const code = field === '' ? 'BAD_REQUEST' : `${field.toUpperCase()}_${isMissing ? 'MISSING' : 'INVALID'}`;
    return { ok: false, code, text: `${issue?.path.join('.') ?? ''} is missing or invalid` };
  }
  const { identifier, customerPhone, description, ...rest } = parsed.data.payment;
  if (testPhone(customerPhone, context).unknown)
    return { ok: false, code: 'CUSTOMERPHONE_INVALID', text: 'The phone is unknown to MB WAY' };
  const value = { identifier, amount: rest.amount.value, phoneNumber: customerPhone };
  return { ok: true, value: { ...value, description: description ?? '' } };
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[name] : undefined,
    body,
  );
}

/** Creates a push. With `unanswered`, an action that follows the answer is due immediately. */
export function createPush(
  context: SandboxContext,
  apiKey: string,
  request: PushRequest,
  hangs: boolean,
): Push {
  const { store, random } = context;
  const now = context.clock.now();
  const { act, afterMs, answerLost } = testPhone(request.phoneNumber, context);
  const delayMs = afterMs ?? (hangs || answerLost ? 0 : null);
  // A push without an answer from the customer expires, which is announced.
  const planned =
    act === undefined
      ? { action: 'expire' as const, action_at: now + context.mbwayWindowMs }
      : { action: act, action_at: delayMs === null ? null : now + delayMs };
  for (;;) {
    const push = store.insertPush({
      acquirer: 'eupago',
      request_id: Buffer.from(random(16)).toString('hex'),
      mbway_key: apiKey,
      order_id: request.identifier,
      amount_cents: request.amount,
      phone_number: request.phoneNumber,
      description: request.description,
      reference: newNumber(random, 8),
      state: 'pending',
      created_at: now,
      updated_at: now,
      ...planned,
    });
    // The id exists already: generate another.
    if (push === null) continue;
    if (push.action_at !== null) context.wakePhones();
    return push;
  }
}

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const referenceBody = z.object({
  valor: amount,
  // This call does not read the identifier's name in the other calls.
  id: z.string().max(IDENTIFIER_MAX).nullish(),
  data_fim: day.nullish(),
});

interface ReferenceRequest {
  apiKey: string;
  identifier: string;
  amount: Cents;
  lastDay: string | null;
}

type ReadReference = { ok: true; value: ReferenceRequest } | { ok: false; state: number; text: string };

/** Reads the body of a reference; a refusal has EuPago's negative state. */
export function readReferenceRequest({ store }: SandboxContext, body: unknown): ReadReference {
  const apiKey = String((body as { chave?: unknown } | null)?.chave ?? '');
  if (store.eupago.account(apiKey) === undefined) return { ok: false, state: -10, text: 'Chave inválida' };
  const parsed = referenceBody.safeParse(body);
  if (!parsed.success) return { ok: false, state: -9, text: 'Valores incorretos' };
  const { valor, id, data_fim } = parsed.data;
  return { ok: true, value: { apiKey, identifier: id ?? '', amount: valor, lastDay: data_fim ?? null } };
}

/** Creates a reference with digits that were never used before. */
export function createReference(
  { store, clock, random }: SandboxContext,
  request: ReferenceRequest,
): Reference {
  const now = clock.now();
  for (;;) {
    const reference: Reference = {
      acquirer: 'eupago',
      entity: ENTITY,
      reference: newNumber(random, 9),
      request_id: Buffer.from(random(16)).toString('hex'),
      mb_key: request.apiKey,
      order_id: request.identifier,
      amount_cents: request.amount,
      created_at: now,
      expiry_date: request.lastDay ?? dayAfter(localTime(now)[0], 30),
    };
    if (store.insertReference(reference)) return reference;
  }
}
