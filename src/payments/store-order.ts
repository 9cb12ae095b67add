import { beforeCommit, type Tx } from '../db/database.ts';
import { hasRowLocks } from '../db/row-locks.ts';
import { type leadOf, recordLeads } from '../leads/record.ts';
import { insertRecords } from './postgres-store.ts';
import { insertTransaction, type NewTransaction } from './store.ts';

/** A new transaction and the lead that its customer becomes; null without an address or number. */
export interface NewOrder {
  readonly lead: ReturnType<typeof leadOf>;
  readonly transaction: Omit<NewTransaction, 'lead_id'>;
}

/**
 * Inserts the transaction, and inserts or updates its lead. On PostgreSQL, where each statement is a round trip, the orders of
 * all units that share the commit are written in one statement each.
 */
export async function storeOrder(tx: Tx, order: NewOrder): Promise<void> {
  if (hasRowLocks(tx)) beforeCommit(tx, storeOrders, order);
  else await storeOrders(tx, [order]);
}

async function storeOrders(tx: Tx, orders: readonly NewOrder[]): Promise<void> {
  const leadIds = await recordLeads(
    tx,
    orders.flatMap(({ lead }) => lead ?? []),
  );
  let next = 0;
  await insertTransactions(
    tx,
    orders.map(({ lead, transaction }) => ({
      ...transaction,
      lead_id: lead === null ? null : (leadIds[next++] ?? null),
    })),
  );
}

async function insertTransactions(tx: Tx, rows: readonly NewTransaction[]): Promise<void> {
  if (hasRowLocks(tx)) await insertRecords(tx, rows);
  else for (const row of rows) await insertTransaction(tx, row);
}
