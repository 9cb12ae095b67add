import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { insertTransaction, type TransactionRow } from './store.ts';
import { countCreated } from './totals.ts';

/** Creates the next transaction of a checkout session, with the order of the one before. The session is locked. */
export async function createNext(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids'>,
  before: TransactionRow,
): Promise<Id<'tx'>> {
  const id = deps.ids('tx');
  const now = deps.clock.now();
  const { merchant_id, order_id, amount_cents, store_domain, session_id, pending_until } = before;
  const { customer, shipping_address, items, tracking, lead_id } = before;
  await insertTransaction(tx, {
    id,
    merchant_id,
    order_id,
    amount_cents,
    store_domain,
    session_id,
    pending_until,
    customer,
    shipping_address,
    items,
    tracking,
    lead_id,
    created_at: now,
    deadline_at: pending_until,
  });
  countCreated(tx, { merchant_id, created_at: now, amount_cents });
  return id;
}
