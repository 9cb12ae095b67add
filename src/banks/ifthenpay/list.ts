import { DAY_MS } from '../../kernel/clock.ts';
import { instantFromBankText, lisbonDayStart } from '../../kernel/lisbon.ts';
import { centsFromDecimal } from '../../kernel/money.ts';
import { digits, isObject, member, textIn } from '../json.ts';
import {
  type BankRecord,
  BankUnavailable,
  type ListFilter,
  type PaymentList,
  type ReceiptFees,
} from '../port.ts';
import { halves, type WallRange, wallRange } from './wall-time.ts';
import { pushIdentity } from './wire.ts';

/** The bank returns at most this many rows and does not indicate further rows. */
const ROWS_MAX = 1000;
/** Bounds the requests of one read. */
const REQUESTS_MAX = 4096;
/** Earlier than any payment; the start of the range when a read without a range must be split. */
const BEGINNING = Date.UTC(2015, 0, 1);

/** Reads one answer of the bank's list; `range` null reads without one. Throws BankUnavailable. */
export type ReadPage = (range: WallRange | null) => Promise<unknown[]>;

/**
 * Reads the list completely. An answer at the row limit is discarded and its range read in halves, down to one second; for a
 * full second, the rows that the bank returned and a failure are the result. Ranges meet at whole seconds, so that identical rows stay in one
 * answer and their ranks do not depend on the split. Rows without a readable amount are returned in `unreadable`.
 */
export async function readPaymentList(
  readPage: ReadPage,
  filter: ListFilter,
  now: number,
): Promise<Pick<PaymentList, 'records' | 'failure'> & { unreadable: unknown[] }> {
  const records = new Map<string, BankRecord>();
  const unreadable: unknown[] = [];
  const full: Pick<PaymentList, 'failure'> = {};
  let requestsCount = 0;
  const read = async (range: WallRange | null): Promise<void> => {
    requestsCount += 1;
    if (requestsCount > REQUESTS_MAX) throw new BankUnavailable(`list: more than ${REQUESTS_MAX} requests`);
    const rows = await readPage(range);
    const isFull = rows.length >= ROWS_MAX;
    const parts = isFull ? halves(range ?? wallRange(BEGINNING, now + DAY_MS)) : null;
    if (parts !== null) {
      for (const part of parts) await read(part);
      return;
    }
    for (const record of recordsOfPage(rows, unreadable)) addRecord(records, record);
    if (isFull) full.failure = new BankUnavailable(`list: ${rows.length} rows within one second`);
  };
  await read(filter.from === undefined || filter.to === undefined ? null : wallRange(filter.from, filter.to));
  return { records: [...records.values()], unreadable, ...full };
}

/** Of two rows of one payment, the larger is the payment and the other its refund. */
function addRecord(records: Map<string, BankRecord>, record: BankRecord): void {
  const known = records.get(record.identity);
  if (known === undefined || known.amount < record.amount) records.set(record.identity, record);
}

/** Whether a row is a refund. The bank's documentation has no refund rows, so every plausible form is recognised. */
function isRefundRow(row: unknown): boolean {
  if (!isObject(row)) return false;
  const amount = textIn(row, 'amount');
  if (amount !== null && /^-\s?\d/.test(amount)) return true;
  return ['status', 'state', 'estado', 'type'].some((name) =>
    /^(devol|reembols|estorn|refund)/i.test(textIn(row, name) ?? ''),
  );
}

/** The records of one answer, without refunds. Rows without a readable amount are added to `unreadable`. */
function recordsOfPage(rows: readonly unknown[], unreadable: unknown[]): BankRecord[] {
  const ranks = new Map<string, number>();
  const records: BankRecord[] = [];
  for (const row of rows) {
    if (isRefundRow(row)) continue;
    const record = recordOfRow(row, ranks);
    if (record === null) unreadable.push(row);
    else records.push(record);
  }
  return records;
}

function recordOfRow(row: unknown, ranks: Map<string, number>): BankRecord | null {
  if (!isObject(row)) return null;
  const amount = centsFromDecimal(member(row, 'amount'));
  if (amount === null) return null;
  const requestId = textIn(row, 'requestId');
  const bankOrderId = textIn(row, 'orderId');
  const paymentDate = textIn(row, 'paymentDate');
  const entity = digits(member(row, 'entity'), 5) ?? textIn(row, 'entity');
  const reference = digits(member(row, 'reference'), 9) ?? textIn(row, 'reference');
  const method = methodOf(entity);
  const origin = requestId === null ? [entity, reference, bankOrderId] : [requestId];
  const identity =
    method === 'MBWAY' && requestId !== null
      ? pushIdentity(requestId)
      : rankedIdentity([...origin, paymentDate, amount], ranks);
  return {
    identity,
    method,
    amount,
    paidAt: paymentDate === null ? null : instantFromBankText(paymentDate),
    requestId,
    bankOrderId,
    entity,
    reference,
    raw: withoutMethodKey(row),
    methodKey: textIn(row, 'subEntity'),
    fees: feesOf(row),
  };
}

/** `procDate` is the day of processing, taken as the day of the payout: the documentation does not explain it. */
function feesOf(row: Record<string, unknown>): ReceiptFees {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(textIn(row, 'procDate') ?? '') ?? [];
  const valueDate = `${year}-${month}-${day}`;
  return {
    fee: centsFromDecimal(member(row, 'fee')),
    net: centsFromDecimal(member(row, 'netAmount')),
    valueDate: lisbonDayStart(valueDate) === null ? null : valueDate,
  };
}

/** A reference can be paid twice within a second; only the rank among identical rows distinguishes these payments. */
function rankedIdentity(content: readonly unknown[], ranks: Map<string, number>): string {
  const key = JSON.stringify(content);
  const rank = (ranks.get(key) ?? 0) + 1;
  ranks.set(key, rank);
  return `ifthenpay:${JSON.stringify([...content, rank])}`;
}

/** The row without the method key, which is a credential. */
function withoutMethodKey(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name.toLowerCase() !== 'subentity'));
}

function methodOf(entity: string | null): BankRecord['method'] {
  if (entity === null) return null;
  // Documented as MBWAY, while the brand is written with a space.
  const name = entity.toUpperCase().replace(/[\s_-]/g, '');
  if (name === 'MBWAY') return 'MBWAY';
  return name === 'MB' || /^\d{5}$/.test(name) ? 'REFERENCE' : null;
}
