import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isPostgres, type Queryable } from '../../db/database.ts';
import { ofMerchant } from '../../db/of-merchant.ts';
import { recordset, recordsOf } from '../../db/recordset.ts';
import { VISIBLE } from '../store.ts';
import { isDone, type StatementFilter } from './store.ts';

/** A day `YYYY-MM-DD` with its first instant and that of the next day. */
export interface DaySpan {
  day: string;
  from_at: number;
  until_at: number;
}

/**
 * The bounds of all days, in ascending order: PostgreSQL cannot estimate those of each day, and would read whole tables. Always true
 * on SQLite, which would read the rows of all days for each of them.
 */
function within(db: Queryable, days: readonly DaySpan[], column: string): RawBuilder<SqlBool> {
  if (!isPostgres(db)) return sql`true`;
  const [from, until] = [days[0]?.from_at ?? 0, days.at(-1)?.until_at ?? 0];
  return sql`(${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${until})`;
}

type TotalsFilter = Pick<StatementFilter, 'merchantId' | 'unheld'>;

const DAY_COLUMNS = { day: 'text', from_at: 'bigint', until_at: 'bigint' } as const;

/** Cross-join it: SQLite then reads the index range of each day, and otherwise every row for each query. */
const daysTable = (db: Queryable, days: readonly DaySpan[]) =>
  sql<DaySpan>`(select * from ${recordset(db, recordsOf(days), DAY_COLUMNS)})`.as<'days'>(sql`days`);

/** The receipts of each day, added up; days without any have no row. */
export async function receiptTotals(
  db: Queryable,
  days: readonly DaySpan[],
  { merchantId, unheld }: TotalsFilter,
) {
  return await db
    .selectFrom(daysTable(db, days))
    .crossJoin('receipts')
    .where('receipts.merchant_id', '=', merchantId)
    .where(within(db, days, 'receipts.paid_at'))
    .whereRef('receipts.paid_at', '>=', 'days.from_at')
    .whereRef('receipts.paid_at', '<', 'days.until_at')
    .$if(unheld, (query) =>
      query
        .innerJoin('transactions', 'transactions.id', 'receipts.transaction_id')
        .where(ofMerchant(db, merchantId, 'transactions.merchant_id'))
        .where(VISIBLE),
    )
    .select(({ fn }) => [
      'days.day',
      fn.countAll<number>().as('count'),
      fn.count<number>('receipts.net_cents').as('net_count'),
      fn.count<number>('receipts.fee_cents').as('fee_count'),
      fn.sum<number>('receipts.amount_cents').as('gross_cents'),
      fn.sum<number | null>('receipts.fee_cents').as('fee_cents'),
      fn.sum<number | null>('receipts.net_cents').as('net_cents'),
      fn.min('receipts.value_date').as('first_value_date'),
      fn.max('receipts.value_date').as('last_value_date'),
    ])
    .groupBy('days.day')
    .execute();
}

/** The refunds of each day, added up; days without any have no row. */
export async function refundTotals(
  db: Queryable,
  days: readonly DaySpan[],
  { merchantId, unheld }: TotalsFilter,
) {
  return await db
    .selectFrom(daysTable(db, days))
    .crossJoin('refunds')
    .where(isDone(db))
    .where(within(db, days, 'refunds.settled_at'))
    .whereRef('refunds.settled_at', '>=', 'days.from_at')
    .whereRef('refunds.settled_at', '<', 'days.until_at')
    .crossJoin('receipts')
    .whereRef('receipts.id', '=', 'refunds.receipt_id')
    .$if(unheld, (query) =>
      query
        .innerJoin('transactions', 'transactions.id', 'receipts.transaction_id')
        .where(ofMerchant(db, merchantId, 'transactions.merchant_id'))
        .where(VISIBLE),
    )
    .where('receipts.merchant_id', '=', merchantId)
    .where(ofMerchant(db, merchantId, 'refunds.merchant_id'))
    .select(({ fn }) => ['days.day', fn.sum<number>('refunds.amount_cents').as('refund_cents')])
    .groupBy('days.day')
    .execute();
}
