import type { Queryable } from '../../db/database.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { csvEuros, csvLine } from '../../kernel/csv.ts';
import type { Id } from '../../kernel/ids.ts';
import { dayAfter, lisbonDay, lisbonDayStart } from '../../kernel/lisbon.ts';
import { receiptsBetween, refundsBetween, type StatementFilter, type StatementPlace } from './store.ts';

const PAGE_ROWS = 500;

/** A line of a statement. Amounts in cents; null where nothing is known or applies. `at` decides the Lisbon day. */
export type StatementLine = Awaited<ReturnType<typeof statementPage>>['rows'][number];

/** The columns of the CSV file and their cells. */
const COLUMNS: Readonly<Record<string, (line: StatementLine) => unknown>> = {
  day: ({ at }) => lisbonDay(at),
  kind: ({ kind }) => kind,
  orderId: ({ orderId }) => orderId,
  transactionId: ({ transactionId }) => transactionId,
  receiptId: ({ receiptId }) => receiptId,
  refundId: ({ refundId }) => refundId,
  acquirer: ({ acquirer }) => acquirer,
  method: ({ method }) => method,
  gross: ({ gross }) => euros(gross),
  fee: ({ fee }) => euros(fee),
  net: ({ net }) => euros(net),
  refund: ({ refund }) => euros(refund),
  valueDate: ({ valueDate }) => valueDate,
};

const NO_REFUND = { refundId: null, refund: null };
const NO_RECEIPT = { gross: null, fee: null, net: null, valueDate: null };

/** The interval of the Lisbon days `from` to `to`, both inclusive; null when a day is invalid or the order is wrong. */
export function daysBetween(from: string, to: string): Pick<StatementFilter, 'from' | 'until'> | null {
  const [start, end] = [lisbonDayStart(from), lisbonDayStart(to)];
  if (start === null || end === null || start > end) return null;
  // After the last day of year 9999 there is none.
  return { from: start, until: lisbonDayStart(dayAfter(to)) ?? end + DAY_MS };
}

/** One page of what a merchant received and refunded, in the order of time. */
export async function statementPage(db: Queryable, filter: StatementFilter, cursor: StatementPlace | null) {
  const after = cursor ?? { at: filter.from - 1, id: '' };
  const receipts = await receiptsBetween(db, filter, after, PAGE_ROWS);
  const last = receipts.length < PAGE_ROWS ? undefined : receipts.at(-1);
  // Later refunds belong to the next page.
  const until = last === undefined ? filter.until : Math.min(filter.until, last.at + 1);
  const refunds = await refundsBetween(db, { ...filter, until }, after, PAGE_ROWS);
  const lines = [
    ...receipts.map((line) => ({ ...line, kind: 'receipt' as const, ...NO_REFUND })),
    ...refunds.map((line) => ({ ...line, kind: 'refund' as const, ...NO_RECEIPT })),
  ];
  const rows = lines.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).slice(0, PAGE_ROWS);
  const nextCursor: StatementPlace | null = rows.length < PAGE_ROWS ? null : (rows.at(-1) ?? null);
  return { rows, nextCursor };
}

/** A statement as CSV for programs: comma, decimal point, the header of the contract. */
export async function* statementCsv(
  db: Queryable,
  merchantId: Id<'mer'>,
  days: Pick<StatementFilter, 'from' | 'until'>,
): AsyncGenerator<string> {
  yield csvLine(Object.keys(COLUMNS));
  const cells = Object.values(COLUMNS);
  let cursor: StatementPlace | null = null;
  do {
    const filter = { merchantId, ...days, unheld: false };
    const page: Awaited<ReturnType<typeof statementPage>> = await statementPage(db, filter, cursor);
    for (const line of page.rows) yield csvLine(cells.map((cell) => cell(line)));
    cursor = page.nextCursor;
  } while (cursor !== null);
}

function euros(cents: number | null): string {
  return cents === null ? '' : csvEuros(cents, 'en');
}
