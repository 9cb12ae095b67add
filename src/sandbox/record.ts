import { z } from 'zod';
import { instantFromBankText, lisbonText } from '../kernel/lisbon.ts';
import { type Cents, cents, centsFromDecimal, decimalFromCents, eurosFromCents } from '../kernel/money.ts';
import type { SandboxContext } from './context.ts';
import type { Payment, Refund } from './schema.ts';
import { backofficeKey, parse } from './wire-fields.ts';

const ROWS_MAX = 1000;
const LISBON_TEXT = /^\d{2}-\d{2}-\d{4} \d{2}:\d{2}(:\d{2})?$/;

// Null and blank filters are ignored.
const text = z
  .string('filters must be text')
  .nullish()
  .transform((value) => value?.trim() || undefined);

/** A time without seconds is completed by `seconds`. */
const moment = (name: string, seconds: string) =>
  text
    .refine(
      (value) => value === undefined || (LISBON_TEXT.test(value) && instantFromBankText(value) !== null),
      `${name} must look like 31-12-2026 23:59:59`,
    )
    .transform((value) => value && sortable(value.length === 16 ? `${value}:${seconds}` : value));

const readBody = z.object({
  boKey: backofficeKey('boKey'),
  entity: text,
  subEntity: text,
  reference: text,
  orderId: text,
  requestId: text,
  amount: z
    .union([z.string(), z.number()])
    .nullish()
    .transform((value) => (value == null || value === '' ? undefined : centsFromDecimal(value)))
    .refine((value) => value !== null, 'amount must look like "12.50"'),
  dateStart: moment('dateStart', '00'),
  dateEnd: moment('dateEnd', '59'),
});

/** The answer to POST /v2/payments/read: received payments, newest first, at most 1000. */
export function readPayments(context: SandboxContext, input: unknown): Record<string, unknown> {
  const parsed = parse(readBody, input);
  if (!parsed.ok) {
    const status = parsed.message.includes('boKey') ? 403 : 400;
    return { message: parsed.message, status, payments: [] };
  }
  const { boKey, entity, amount, dateStart, dateEnd, ...exact } = parsed.value;
  const filter = {
    ...exact,
    ...(entity === 'MB' ? { anyReference: 1 } : { entity }),
    amount: amount ?? undefined,
    fromLocal: dateStart,
    toLocal: dateEnd,
  };
  const rows = context.store.listPayments(boKey, filter, ROWS_MAX);
  const dice = context.random(Math.max(1, rows.length));
  const payments = rows.flatMap((row, i) => recordRows(context, row, dice[i] ?? 0));
  return { message: 'OK', status: 200, payments };
}

/** The bank's fee. It is never zero, so that net and gross always differ. */
export function feeOf({ amount_cents }: Payment): Cents {
  return cents(Math.min(amount_cents, 5 + Math.round(amount_cents * 0.007)));
}

export function terminalOf({ entity }: Payment): string {
  return entity === 'MBWAY' ? 'MBWAY' : '5-0000000000-SANDBOX ATM';
}

/** How an acquirer writes the rows of one payment. */
interface RowForms<Row> {
  payment(amount: Cents): Row;
  refund(refund: Refund, sign: '' | '-'): Row;
  /** The row with the state of returned money. */
  returned(row: Row): Row;
}

/** The rows of a payment: one, with its refunds in the form that a test chose. */
export function rowsOf<Row>({ store }: SandboxContext, payment: Payment, forms: RowForms<Row>): Row[] {
  const row = forms.payment(payment.amount_cents);
  if (payment.refunded_cents === 0) return [row];
  const refunds = store.refundsOf(payment.id);
  switch (store.refundRows()) {
    case 'unchanged':
      return [row];
    case 'reduced':
      return [forms.payment(cents(payment.amount_cents - payment.refunded_cents))];
    case 'status':
      return [forms.returned(row)];
    case 'gone':
      return [];
    case 'negative':
      return [...refunds.map((refund) => forms.refund(refund, '-')), row];
    case 'extra':
      return [...refunds.map((refund) => forms.returned(forms.refund(refund, ''))), row];
  }
}

function recordRows(context: SandboxContext, payment: Payment, dice: number): Record<string, unknown>[] {
  return rowsOf<Record<string, unknown>>(context, payment, {
    payment: (amount_cents) => recordRow({ ...payment, amount_cents }, dice),
    refund({ amount_cents, refunded_text }, sign) {
      const amount = sign + decimalFromCents(amount_cents);
      const row = recordRow(payment, dice);
      return { ...row, amount, netAmount: amount, fee: '0.00', paymentDate: refunded_text };
    },
    returned: (row) => ({ ...row, status: 'DEVOLVIDO' }),
  });
}

/** One row of the bank's list. `dice` picks a spelling: the real bank varies amounts and entities. */
function recordRow(payment: Payment, dice: number): Record<string, unknown> {
  const fee = feeOf(payment);
  const spelt = (amount: Cents) => (dice & 1 ? decimalFromCents(amount) : eurosFromCents(amount));
  return {
    amount: spelt(payment.amount_cents),
    entity: entitySpelling(payment.entity, dice),
    fee: spelt(fee),
    netAmount: spelt(cents(payment.amount_cents - fee)),
    orderId: payment.order_id,
    paymentDate: lisbonText(payment.paid_at),
    procDate: payment.paid_local.slice(0, 10).replaceAll('-', ''),
    reference: payment.reference,
    requestId: payment.request_id,
    subEntity: payment.sub_entity,
    terminal: terminalOf(payment),
  };
}

/** Five digits are sent as text or as a number, `MBWAY` always as text. */
export function entitySpelling(entity: string, dice: number): string | number {
  return dice & 2 && /^\d+$/.test(entity) ? Number(entity) : entity;
}

/** Converts the bank's `dd-MM-yyyy HH:mm:ss` to a text that sorts by time. */
export function sortable(bankText: string): string {
  const [date = '', time = ''] = bankText.split(' ');
  return `${date.split('-').reverse().join('-')} ${time}`;
}
