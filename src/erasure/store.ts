import type { Insertable, Selectable } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import type { LeadErasureTable } from '../db/tables/leads.ts';
import type { Id } from '../kernel/ids.ts';

export type Erasure = Selectable<LeadErasureTable>;

export async function insertErasure(tx: Tx, row: Insertable<LeadErasureTable>): Promise<void> {
  await tx.insertInto('lead_erasures').values(row).execute();
}

export async function findErasure(db: Queryable, id: Id<'led'>): Promise<Erasure | undefined> {
  return db.selectFrom('lead_erasures').selectAll().where('lead_id', '=', id).executeTakeFirst();
}

export async function updateErasure(
  tx: Tx,
  id: Id<'led'>,
  change: Partial<Pick<Erasure, 'cursor' | 'left_count' | 'done_count' | 'due_at' | 'finished_at'>>,
): Promise<void> {
  await tx.updateTable('lead_erasures').set(change).where('lead_id', '=', id).execute();
}

/** Leads whose next erasure step is due, the longest overdue first. */
export async function dueErasures(db: Queryable, now: number, limit: number): Promise<Id<'led'>[]> {
  const rows = await db
    .selectFrom('lead_erasures')
    .select('lead_id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map((row) => row.lead_id);
}

/** Transactions of a lead with an id above `after`, in id order. */
export async function transactionsOfLead(
  db: Queryable,
  leadId: Id<'led'>,
  after: string,
  limit: number,
): Promise<Id<'tx'>[]> {
  const rows = await db
    .selectFrom('transactions')
    .select('id')
    .where('lead_id', '=', leadId)
    .where('id', '>', after as Id<'tx'>)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Marks a transaction to be erased again when it is finished. */
export async function insertWait(tx: Tx, leadId: Id<'led'>, transactionId: Id<'tx'>): Promise<void> {
  await tx
    .insertInto('lead_erasure_waits')
    .values({ lead_id: leadId, transaction_id: transactionId })
    .onConflict((conflict) => conflict.column('transaction_id').doNothing())
    .execute();
}

export async function deleteWait(tx: Tx, transactionId: Id<'tx'>): Promise<void> {
  await tx.deleteFrom('lead_erasure_waits').where('transaction_id', '=', transactionId).execute();
}

/** Unfinished transactions of an erased lead with an id above `after`, in id order. */
export async function waitsOf(
  db: Queryable,
  leadId: Id<'led'>,
  after: string,
  limit: number,
): Promise<Id<'tx'>[]> {
  const rows = await db
    .selectFrom('lead_erasure_waits')
    .select('transaction_id')
    .where('lead_id', '=', leadId)
    .where('transaction_id', '>', after as Id<'tx'>)
    .orderBy('transaction_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.transaction_id);
}
