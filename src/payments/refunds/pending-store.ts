import type { Queryable, Tx } from '../../db/database.ts';
import { ofMerchant } from '../../db/of-merchant.ts';
import type { RefundState } from '../../db/tables/refunds.ts';
import type { Id } from '../../kernel/ids.ts';
import type { RefundRow } from './store.ts';

/** Refunds that wait to be sent, oldest first, without those of the accounts `except`. */
export async function requestedRefunds(
  db: Queryable,
  limit: number,
  except: readonly Id<'acc'>[],
): Promise<RefundRow[]> {
  return inState(db, 'requested', limit)
    .$if(except.length > 0, (query) => query.where('account_id', 'not in', except))
    .execute();
}

/** Refunds whose call has no outcome yet. */
export async function sentRefunds(db: Queryable, limit: number): Promise<RefundRow[]> {
  return inState(db, 'sent', limit).execute();
}

/** Accepted refunds whose check is due, or was planned beyond `latest` before the clock was set back. */
export async function dueAccepted(
  db: Queryable,
  now: number,
  latest: number,
  limit: number,
): Promise<RefundRow[]> {
  return inState(db, 'accepted', limit)
    .where((eb) =>
      eb.or([eb('check_at', 'is', null), eb('check_at', '<=', now), eb('check_at', '>', latest)]),
    )
    .execute();
}

function inState(db: Queryable, state: RefundState, limit: number) {
  return db.selectFrom('refunds').selectAll().where('state', '=', state).orderBy('id').limit(limit);
}

/** A refund that awaits its transfer, with its order and the amounts of its receipt. */
export type TransferRow = Awaited<ReturnType<typeof transferPage>>[number];

/** One page of refunds that await their transfer, oldest first; `again` includes exported ones. */
export async function transferPage(db: Queryable, page: { after: string; again: boolean; limit: number }) {
  return db
    .selectFrom('refunds')
    .innerJoin('receipts', 'receipts.id', 'refunds.receipt_id')
    .leftJoin('transactions', 'transactions.id', 'receipts.transaction_id')
    .selectAll('refunds')
    .select(['transactions.order_id', 'receipts.refund_cents', 'receipts.amount_cents as receipt_cents'])
    .where('refunds.state', '=', 'awaiting_transfer')
    .where('refunds.id', '>', page.after as Id<'ref'>)
    .$if(!page.again, (query) => query.where('refunds.exported_at', 'is', null))
    .orderBy('refunds.id')
    .limit(page.limit)
    .execute();
}

/** Marks a refund as written to a transfer file. False when its state, account or export has changed since it was read. */
export async function markExported(
  tx: Tx,
  refund: Pick<RefundRow, 'id' | 'merchant_id' | 'iban' | 'name' | 'exported_at'>,
  at: number,
): Promise<boolean> {
  const result = await tx
    .updateTable('refunds')
    .set({ exported_at: at })
    .where('id', '=', refund.id)
    .where(ofMerchant(tx, refund.merchant_id))
    .where('state', '=', 'awaiting_transfer')
    .where('iban', 'is not distinct from', refund.iban)
    .where('name', 'is not distinct from', refund.name)
    .where('exported_at', 'is not distinct from', refund.exported_at)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
