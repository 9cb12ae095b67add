import { type Insertable, type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import { ofMerchant } from '../db/of-merchant.ts';
import type { LeadErasureTable } from '../db/tables/leads.ts';
import type { Id } from '../kernel/ids.ts';
import type { TransactionKey } from '../payments/store.ts';

export type Erasure = Selectable<LeadErasureTable>;
export type ErasureKey = Pick<Erasure, 'lead_id' | 'merchant_id'>;

export async function insertErasure(tx: Tx, row: Insertable<LeadErasureTable>): Promise<void> {
  await tx.insertInto('lead_erasures').values(row).execute();
}

/** The erasure of the lead with this id; with `merchantId`, only if it is that merchant's. */
export async function findErasure(db: Queryable, id: Id<'led'>, merchantId: Id<'mer'> | null = null) {
  return db
    .selectFrom('lead_erasures')
    .selectAll()
    .where('lead_id', '=', id)
    .$if(merchantId !== null, (query) => query.where(ofMerchant(db, merchantId)))
    .executeTakeFirst();
}

export async function updateErasure(
  tx: Tx,
  erasure: ErasureKey,
  change: Partial<Pick<Erasure, 'cursor' | 'left_count' | 'done_count' | 'due_at' | 'finished_at'>>,
): Promise<void> {
  await tx
    .updateTable('lead_erasures')
    .set(change)
    .where('lead_id', '=', erasure.lead_id)
    .where(ofMerchant(tx, erasure.merchant_id))
    .execute();
}

/** Erasures whose next step is due, the longest overdue first. */
export async function dueErasures(db: Queryable, now: number, limit: number): Promise<ErasureKey[]> {
  return db
    .selectFrom('lead_erasures')
    .select(['lead_id', 'merchant_id'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
}

/** Transactions of a lead with an id above `after`, in id order. */
export function transactionsOfLead(db: Queryable, lead: ErasureKey, after: string, limit: number) {
  return idsAfter(db, { table: 'transactions', id: 'id' }, lead, after, limit);
}

/** Unfinished transactions of an erased lead with an id above `after`, in id order. */
export function waitsOf(db: Queryable, lead: ErasureKey, after: string, limit: number) {
  return idsAfter(db, { table: 'lead_erasure_waits', id: 'transaction_id' }, lead, after, limit);
}

async function idsAfter(
  db: Queryable,
  { table, id }: { table: 'transactions' | 'lead_erasure_waits'; id: string },
  lead: ErasureKey,
  after: string,
  limit: number,
): Promise<Id<'tx'>[]> {
  const { rows } = await sql<{ id: Id<'tx'> }>`
    select ${sql.ref(id)} as id from ${sql.table(table)}
    where lead_id = ${lead.lead_id} and ${ofMerchant(db, lead.merchant_id)} and ${sql.ref(id)} > ${after}
    order by ${sql.ref(id)} limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Marks a transaction to be erased again when it is finished. */
export async function insertWait(tx: Tx, leadId: Id<'led'>, transaction: TransactionKey): Promise<void> {
  const { id, merchant_id } = transaction;
  await tx
    .insertInto('lead_erasure_waits')
    .values({ lead_id: leadId, transaction_id: id, merchant_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteWait(tx: Tx, { id, merchant_id }: TransactionKey): Promise<void> {
  await tx
    .deleteFrom('lead_erasure_waits')
    .where('transaction_id', '=', id)
    .where(ofMerchant(tx, merchant_id))
    .execute();
}
