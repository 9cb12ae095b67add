import { type Insertable, type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import type { AuditAction } from '../db/tables/audit.ts';
import type { LeadErasureTable } from '../db/tables/leads.ts';
import type { LeadTable } from '../db/tables/tables.ts';
import type { Id } from '../kernel/ids.ts';

export type Erasure = Selectable<LeadErasureTable>;

/** `waiting`: all is blanked, and blanked again once payments under way are over. */
export type ErasureState = 'running' | 'waiting' | 'done';

export function erasureState({ cursor, finished_at }: Pick<Erasure, 'cursor' | 'finished_at'>): ErasureState {
  if (finished_at !== null) return 'done';
  return cursor === null ? 'waiting' : 'running';
}

/** Blanks everything in the lead that tells of a person; counts and amounts stay. False when it was blank already. */
export async function blankLead(tx: Tx, id: Id<'led'>): Promise<boolean> {
  const result = await tx
    .updateTable('leads')
    .set({
      identity: `erased:${id}`,
      ...{ email: null, phone: null, name: null, items: null, tracking: null },
      ...{ phone_key: null, name_key: null, campaign: null },
    })
    .where('id', '=', id)
    .where('identity', '<>', `erased:${id}`)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function findLead(db: Queryable, id: Id<'led'>): Promise<Selectable<LeadTable> | undefined> {
  return db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirst();
}

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

/** Erasures whose next step is due, the longest due first. */
export async function dueErasures(db: Queryable, now: number, limit: number): Promise<Erasure[]> {
  return db
    .selectFrom('lead_erasures')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
}

/** A lead's transactions after the one named, in the order of their making. */
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

/** What the customer and the phones of one transaction are, before they are blanked. */
export async function peopleOf(
  db: Queryable,
  id: Id<'tx'>,
): Promise<{ customer: string | null; phones: string[] }> {
  const transaction = await db
    .selectFrom('transactions')
    .select('customer')
    .where('id', '=', id)
    .executeTakeFirst();
  const attempts = await db
    .selectFrom('attempts')
    .select('phone_number')
    .distinct()
    .where('transaction_id', '=', id)
    .where('phone_number', 'is not', null)
    .execute();
  return {
    customer: transaction?.customer ?? null,
    phones: attempts.map((attempt) => attempt.phone_number ?? ''),
  };
}

const LIVE = ['initiated', 'open', 'unknown'] as const;

/**
 * Blanks one transaction: what init told of the person, the phones of attempts that are over, what the merchant's
 * endpoint answered. An open push keeps its phone: a repeated call is told by it from one to another phone.
 */
export async function blankTransaction(tx: Tx, id: Id<'tx'>): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({ customer: null, shipping_address: null, items: null, tracking: null })
    .where('id', '=', id)
    .execute();
  await tx
    .updateTable('attempts')
    .set({ phone_number: null })
    .where('transaction_id', '=', id)
    .where('phone_number', 'is not', null)
    .where('state', 'not in', LIVE)
    .execute();
  await tx
    .updateTable('delivery_attempts')
    .set({ response: null })
    .where('delivery_id', 'in', (eb) =>
      eb.selectFrom('deliveries').select('deliveries.id').where('deliveries.transaction_id', '=', id),
    )
    .where('response', 'is not', null)
    .execute();
}

/** Whether something can still be written about the transaction's person: it is pending, or a push or a delivery is under way. */
export async function isUnfinished(db: Queryable, id: Id<'tx'>): Promise<boolean> {
  const transaction = await db
    .selectFrom('transactions')
    .select(['status', 'held'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (transaction?.status === 'pending' && transaction.held === 0) return true;
  const live = await db
    .selectFrom('attempts')
    .select('id')
    .where('transaction_id', '=', id)
    .where('state', 'in', LIVE)
    .where('phone_number', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (live !== undefined) return true;
  const due = await db
    .selectFrom('deliveries')
    .select('id')
    .where('transaction_id', '=', id)
    // A literal: the partial index of the lane proves its condition by it.
    .where('state', '=', sql.lit('due' as const))
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

/** Text that is kept for another reason and may name the person. */
export interface KeptText {
  table: 'receipts' | 'receipt_notes' | 'bank_hints' | 'audit_log';
  id: string;
  text: string;
}

/** What people do about a receipt, with words of their own that the audit log repeats. */
const ACTIONS_WITH_WORDS: readonly AuditAction[] = [
  'receipt.noted',
  'receipt.assigned',
  'receipt.kept',
  'receipt.returned',
  'transaction.credited',
];

/** The rows of the bank, their notes with what the audit log repeats of them, and the callbacks of one transaction. */
export async function keptTexts(db: Queryable, id: Id<'tx'>): Promise<KeptText[]> {
  const receipts = await db
    .selectFrom('receipts')
    .select(['id', 'record as text'])
    .where('transaction_id', '=', id)
    .execute();
  const ofTransaction = db.selectFrom('receipts').select('receipts.id').where('transaction_id', '=', id);
  const notes = await db
    .selectFrom('receipt_notes')
    .select(['id', 'text'])
    .where('receipt_id', 'in', ofTransaction)
    .execute();
  const orders = db
    .selectFrom('attempts')
    .select('attempts.bank_order_id')
    .where('attempts.transaction_id', '=', id);
  const hints = await db
    .selectFrom('bank_hints')
    .select(['id', 'params as text'])
    .where('bank_order_id', 'in', orders)
    .execute();
  return [
    ...receipts.map((row) => ({ table: 'receipts' as const, ...row })),
    ...notes.map((row) => ({ table: 'receipt_notes' as const, ...row })),
    // Without a note there are no words; the log is read by its actions, which are few.
    ...(notes.length === 0 ? [] : await auditedWords(db, [id, ...receipts.map((row) => row.id)])),
    ...hints.map((row) => ({ table: 'bank_hints' as const, ...row })),
  ];
}

async function auditedWords(db: Queryable, targets: readonly string[]): Promise<KeptText[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select(['id', 'details'])
    .where('action', 'in', ACTIONS_WITH_WORDS)
    .where('target', 'in', targets)
    .where('details', 'is not', null)
    .execute();
  return rows.map((row) => ({ table: 'audit_log', id: row.id, text: row.details ?? '' }));
}

export async function replaceText(tx: Tx, { table, id, text }: KeptText): Promise<void> {
  switch (table) {
    case 'receipts':
      await tx
        .updateTable('receipts')
        .set({ record: text })
        .where('id', '=', id as Id<'rcp'>)
        .execute();
      return;
    case 'receipt_notes':
      await tx
        .updateTable('receipt_notes')
        .set({ text })
        .where('id', '=', id as Id<'rno'>)
        .execute();
      return;
    case 'bank_hints':
      await tx
        .updateTable('bank_hints')
        .set({ params: text })
        .where('id', '=', id as Id<'hnt'>)
        .execute();
      return;
    case 'audit_log':
      await tx
        .updateTable('audit_log')
        .set({ details: text })
        .where('id', '=', id as Id<'aud'>)
        .execute();
  }
}

/** Remembers that a transaction is to be blanked again when it is over. */
export async function waitFor(tx: Tx, leadId: Id<'led'>, transactionId: Id<'tx'>): Promise<void> {
  await tx
    .insertInto('lead_erasure_waits')
    .values({ lead_id: leadId, transaction_id: transactionId })
    .onConflict((conflict) => conflict.column('transaction_id').doNothing())
    .execute();
}

export async function waitNoLonger(tx: Tx, transactionId: Id<'tx'>): Promise<void> {
  await tx.deleteFrom('lead_erasure_waits').where('transaction_id', '=', transactionId).execute();
}

/** Transactions that the erasure of a lead waits for, after the one named. */
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
