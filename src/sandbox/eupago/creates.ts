import { z } from 'zod';
import { dayAfter } from '../../kernel/lisbon.ts';
import { AMOUNT_MAX_CENTS, type Cents, centsFromDecimal } from '../../kernel/money.ts';
import type { SandboxContext } from '../context.ts';
import type { PushOrder } from '../mbway.ts';
import type { ReferenceOrder } from '../multibanco.ts';
import { testPhone } from '../phones.ts';
import { localTime } from './notifications.ts';

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
  const parsed = pushBody.safeParse(body ?? {}, { reportInput: true });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = String(issue?.path.find((part) => part === 'amount' || part === 'customerPhone') ?? '');
    const fault = issue?.input === undefined ? 'MISSING' : 'INVALID';
    const code = field === '' ? 'BAD_REQUEST' : `${field.toUpperCase()}_${fault}`;
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

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const referenceBody = z.object({
  valor: amount,
  // This call does not read the identifier's name in the other calls.
  id: z.string().max(IDENTIFIER_MAX).nullish(),
  data_fim: day.nullish(),
});

type ReadReference = { ok: true; value: ReferenceOrder } | { ok: false; state: number; text: string };

/** Reads the body of a reference; a refusal has EuPago's negative state. */
export function readReferenceRequest({ store, clock }: SandboxContext, body: unknown): ReadReference {
  const apiKey = String((body as { chave?: unknown } | null)?.chave ?? '');
  if (store.eupago.account(apiKey) === undefined) return { ok: false, state: -10, text: 'Chave inválida' };
  const parsed = referenceBody.safeParse(body);
  if (!parsed.success) return { ok: false, state: -9, text: 'Valores incorretos' };
  const { valor, id, data_fim } = parsed.data;
  const value: ReferenceOrder = {
    acquirer: 'eupago',
    entity: ENTITY,
    mb_key: apiKey,
    order_id: id ?? '',
    amount_cents: valor,
    expiry_date: data_fim ?? dayAfter(localTime(clock.now())[0], 30),
  };
  return { ok: true, value };
}
