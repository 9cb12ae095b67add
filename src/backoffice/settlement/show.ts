import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { DAYS_MAX, type Interval } from '../../kernel/day-interval.ts';
import { dayAfter, lisbonDayStart } from '../../kernel/lisbon.ts';
import type { StatementFilter } from '../../payments/statement/store.ts';
import { type DaySpan, receiptTotals, refundTotals } from '../../payments/statement/totals-store.ts';

const DAYS_AT_ONCE = 7;

export type Settlement = Awaited<ReturnType<typeof showSettlement>>;
export type SettlementDay = ReturnType<typeof dayOf>;

/**
 * The money that a merchant received and refunded on each Lisbon day from `from` to `to`, both inclusive, newest first, and in
 * total. Days without either are omitted. Amounts in cents. The net is the acquirer's payout of receipts whose net is known, less
 * the refunds.
 */
export async function showSettlement(
  deps: Pick<Deps, 'db'>,
  filter: Pick<StatementFilter, 'merchantId' | 'unheld'>,
  { from, to }: Interval,
) {
  const db = deps.db.read;
  const days: SettlementDay[] = [];
  for (let at = 0; at < DAYS_MAX; at += DAYS_AT_ONCE) {
    const spans = spansOf(dayAfter(from, at), to);
    if (spans.length === 0) break;
    const receipts = new Map((await receiptTotals(db, spans, filter)).map((row) => [row.day, row]));
    const refunds = new Map((await refundTotals(db, spans, filter)).map((row) => [row.day, row]));
    for (const { day } of spans) {
      if (receipts.has(day) || refunds.has(day)) days.push(dayOf(day, receipts.get(day), refunds.get(day)));
    }
    // Other requests are served between two queries.
    await nextTurn();
  }
  const sum = (amount: (day: SettlementDay) => number) => days.reduce((total, day) => total + amount(day), 0);
  return {
    total: {
      count: sum((day) => day.count),
      grossCents: sum((day) => day.grossCents),
      feeCents: sum((day) => day.feeCents),
      refundCents: sum((day) => day.refundCents),
      netCents: sum((day) => day.netCents),
      unknownCount: sum((day) => day.unknownCount),
      unknownFeeCount: sum((day) => day.unknownFeeCount),
    },
    days: days.reverse(),
  };
}

function dayOf(
  day: string,
  receipts: Awaited<ReturnType<typeof receiptTotals>>[number] | undefined,
  refunds: Awaited<ReturnType<typeof refundTotals>>[number] | undefined,
) {
  const count = Number(receipts?.count ?? 0);
  const refundCents = Number(refunds?.refund_cents ?? 0);
  return {
    day,
    count,
    grossCents: Number(receipts?.gross_cents ?? 0),
    feeCents: Number(receipts?.fee_cents ?? 0),
    refundCents,
    netCents: Number(receipts?.net_cents ?? 0) - refundCents,
    /** The receipts without a net; some acquirers report only the fee. */
    unknownCount: count - Number(receipts?.net_count ?? 0),
    unknownFeeCount: count - Number(receipts?.fee_count ?? 0),
    /** The first and last day on which the acquirer pays out receipts of the day; null while unknown. */
    firstValueDate: receipts?.first_value_date ?? null,
    lastValueDate: receipts?.last_value_date ?? null,
  };
}

/** The days from `first` that one query adds up, up to `to`. */
function spansOf(first: string, to: string): DaySpan[] {
  return Array.from({ length: DAYS_AT_ONCE }, (_, index) => dayAfter(first, index))
    .filter((day) => day <= to)
    .map((day) => ({
      day,
      from_at: lisbonDayStart(day) ?? 0,
      until_at: lisbonDayStart(dayAfter(day)) ?? 0,
    }));
}
