import { z } from 'zod';
import { instantFromBankText } from '../kernel/lisbon.ts';
import { centsFromDecimal } from '../kernel/money.ts';
import type { SandboxContext } from './context.ts';
import { recordRow } from './record.ts';
import { sortable } from './settle.ts';
import { listPayments, type PaymentFilter } from './store.ts';
import { backofficeKey, parse } from './wire-fields.ts';

const ROWS_MAX = 1000;
const LISBON_TEXT = /^\d{2}-\d{2}-\d{4} \d{2}:\d{2}(:\d{2})?$/;

// Members left out, null or blank do not filter.
const text = z
  .string('filters must be text')
  .nullish()
  .transform((value) => value?.trim() || undefined);

const moment = (name: string) =>
  text.refine(
    (value) => value === undefined || (LISBON_TEXT.test(value) && instantFromBankText(value) !== null),
    `${name} must look like 31-12-2026 23:59:59`,
  );

const decimal = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === '' ? null : value))
  .refine((value) => value == null || centsFromDecimal(value) !== null, 'amount must look like "12.50"');

const body = z.object({
  boKey: backofficeKey('boKey'),
  entity: text,
  subEntity: text,
  reference: text,
  orderId: text,
  requestId: text,
  amount: decimal,
  dateStart: moment('dateStart'),
  dateEnd: moment('dateEnd'),
});

/** The answer to POST /v2/payments/read: received payments, newest first, at most 1000. */
export function readPayments(context: SandboxContext, input: unknown): Record<string, unknown> {
  const parsed = parse(body, input);
  if (!parsed.ok) {
    const status = parsed.message.includes('boKey') ? 403 : 400;
    return { message: parsed.message, status, payments: [] };
  }
  const rows = listPayments(context.db, parsed.value.boKey, filterOf(parsed.value), ROWS_MAX);
  const dice = context.random(Math.max(1, rows.length));
  return { message: 'OK', status: 200, payments: rows.map((row, i) => recordRow(row, dice[i] ?? 0)) };
}

function filterOf(query: z.output<typeof body>): PaymentFilter {
  const { entity, subEntity, reference, orderId, requestId, dateStart, dateEnd } = query;
  const amount = query.amount == null ? null : centsFromDecimal(query.amount);
  const filter: PaymentFilter = {};
  if (entity === 'MB') filter.anyReference = true;
  else if (entity !== undefined) filter.entity = entity;
  if (subEntity !== undefined) filter.subEntity = subEntity;
  if (reference !== undefined) filter.reference = reference;
  if (orderId !== undefined) filter.orderId = orderId;
  if (requestId !== undefined) filter.requestId = requestId;
  if (amount !== null) filter.amount = amount;
  if (dateStart !== undefined) filter.fromLocal = sortable(withSeconds(dateStart, '00'));
  if (dateEnd !== undefined) filter.toLocal = sortable(withSeconds(dateEnd, '59'));
  return filter;
}

/** A time may come without seconds; the whole minute then counts. */
function withSeconds(value: string, seconds: string): string {
  return value.length === 'dd-MM-yyyy HH:mm'.length ? `${value}:${seconds}` : value;
}
