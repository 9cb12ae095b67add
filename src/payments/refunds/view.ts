import type { Deps } from '../../deps.ts';
import { isoInstant } from '../../kernel/clock.ts';
import { Missing } from '../../kernel/errors.ts';
import { eurosFromCents } from '../../kernel/money.ts';
import { readIban } from './iban.ts';
import { historyOf, type ListedRefundRow, listedRefund, type RefundPage, refundPage } from './view-store.ts';

type ViewDeps = Pick<Deps, 'db' | 'box'>;

export type ShownRefund = Awaited<ReturnType<typeof showRefund>>;

/** One refund with its journal. Throws Missing. */
export async function showRefund(deps: ViewDeps, id: string) {
  const { row, history } = await deps.db.snapshot(async (db) => {
    const row = await listedRefund(db, id);
    if (row === undefined) throw new Missing('refund', id);
    return { row, history: await historyOf(db, row) };
  });
  return {
    ...refundView(deps, row),
    history: history.map(({ at, state, actor, note }) => ({ at: isoInstant(at), state, actor, note })),
  };
}

/** One page of refunds after the id `after`, oldest first. */
export async function listRefunds(deps: ViewDeps, page: RefundPage) {
  const rows = await refundPage(deps.db.read, page);
  return rows.map((row) => refundView(deps, row));
}

/** A refund as the command line and the back office show it. Amounts in EUR, instants ISO 8601 UTC. */
function refundView({ box }: ViewDeps, row: ListedRefundRow) {
  return {
    refundId: row.id,
    receiptId: row.receipt_id,
    transactionId: row.transaction_id,
    amount: eurosFromCents(row.amount_cents),
    state: row.state,
    method: row.method,
    acquirer: row.acquirer,
    reason: row.reason,
    /** The last 4 characters. */
    iban: readIban(box, row)?.slice(-4) ?? null,
    name: row.name,
    detail: row.detail,
    retryOf: row.retry_of,
    createdAt: isoInstant(row.created_at),
    settledAt: optionalInstant(row.settled_at),
    exportedAt: optionalInstant(row.exported_at),
  };
}

function optionalInstant(instant: number | null): string | null {
  return instant === null ? null : isoInstant(instant);
}
