import type { Queryable } from '../../db/database.ts';
import type { PaymentMethod } from '../../db/tables/payments.ts';
import type { Acquirer } from '../../kernel/acquirer.ts';
import { csvEuros, csvLine } from '../../kernel/csv.ts';
import type { Id } from '../../kernel/ids.ts';
import { dayAfter, lisbonDay, lisbonDayStart } from '../../kernel/lisbon.ts';
import { receiptsBetween, refundsBetween, type StatementFilter, type StatementPlace } from './store.ts';

const PAGE_ROWS = 500;

const COLUMNS = [
  ...['day', 'kind', 'orderId', 'transactionId', 'receiptId', 'refundId', 'acquirer', 'method'],
  ...['gross', 'fee', 'net', 'refund', 'valueDate'],
] as const;

/** A line of a statement. Amounts in cents; null where nothing is known or applies. */
export interface StatementLine {
  /** The receipt's or refund's id. */
  id: string;
  /** The instant that decides the Lisbon day, UTC milliseconds. */
  at: number;
  kind: 'receipt' | 'refund';
  orderId: string | null;
  transactionId: string | null;
  receiptId: string;
  refundId: string | null;
  acquirer: Acquirer;
  method: PaymentMethod | null;
  gross: number | null;
  fee: number | null;
  net: number | null;
  refund: number | null;
  /** `YYYY-MM-DD`. */
  valueDate: string | null;
}

/** The interval of the Lisbon days `from` to `to`, both inclusive; null when a day is invalid or the order is wrong. */
export function daysBetween(from: string, to: string): Pick<StatementFilter, 'from' | 'until'> | null {
  const [start, end] = [lisbonDayStart(from), lisbonDayStart(to)];
  if (start === null || end === null || start > end) return null;
  const until = lisbonDayStart(dayAfter(to));
  return until === null ? null : { from: start, until };
}

/** One page of what a merchant received and refunded, in the order of time. */
export async function statementPage(
  db: Queryable,
  filter: StatementFilter,
  cursor: StatementPlace | null,
): Promise<{ rows: StatementLine[]; nextCursor: StatementPlace | null }> {
  const after = cursor ?? { at: filter.from - 1, id: '' };
  const receipts = await receiptsBetween(db, filter, after, PAGE_ROWS);
  const last = receipts.length < PAGE_ROWS ? undefined : receipts.at(-1);
  // Later refunds belong to the next page.
  const until = last === undefined ? filter.until : Math.min(filter.until, last.paid_at + 1);
  const refunds = await refundsBetween(db, { ...filter, until }, after, PAGE_ROWS);
  const rows = [...receipts.map(receiptLine), ...refunds.map(refundLine)].sort(inOrder).slice(0, PAGE_ROWS);
  return { rows, nextCursor: rows.length < PAGE_ROWS ? null : (rows.at(-1) ?? null) };
}

function inOrder(a: StatementPlace, b: StatementPlace): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1);
}

function receiptLine(row: Awaited<ReturnType<typeof receiptsBetween>>[number]): StatementLine {
  return {
    id: row.id,
    at: row.paid_at,
    kind: 'receipt',
    orderId: row.order_id,
    transactionId: row.transaction_id,
    receiptId: row.id,
    refundId: null,
    acquirer: row.acquirer,
    method: row.method,
    gross: row.amount_cents,
    fee: row.fee_cents,
    net: row.net_cents,
    refund: null,
    valueDate: row.value_date,
  };
}

function refundLine(row: Awaited<ReturnType<typeof refundsBetween>>[number]): StatementLine {
  return {
    id: row.id,
    at: row.settled_at ?? 0,
    kind: 'refund',
    orderId: row.order_id,
    transactionId: row.transaction_id,
    receiptId: row.receipt_id,
    refundId: row.id,
    acquirer: row.acquirer,
    method: row.method,
    gross: null,
    fee: null,
    net: null,
    refund: row.amount_cents,
    valueDate: null,
  };
}

/** A statement as CSV for programs: comma, decimal point, the header of the contract. */
export async function* statementCsv(
  db: Queryable,
  merchantId: Id<'mer'>,
  days: Pick<StatementFilter, 'from' | 'until'>,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  let cursor: StatementPlace | null = null;
  do {
    const page: Awaited<ReturnType<typeof statementPage>> = await statementPage(
      db,
      { merchantId, ...days, unheld: false },
      cursor,
    );
    for (const line of page.rows) yield csvLine(cells(line));
    cursor = page.nextCursor;
  } while (cursor !== null);
}

function cells(line: StatementLine): unknown[] {
  const euros = (cents: number | null) => (cents === null ? '' : csvEuros(cents, 'en'));
  return [
    ...[lisbonDay(line.at), line.kind, line.orderId, line.transactionId, line.receiptId, line.refundId],
    ...[line.acquirer, line.method, euros(line.gross), euros(line.fee), euros(line.net)],
    ...[euros(line.refund), line.valueDate],
  ];
}
