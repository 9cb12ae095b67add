import { sql } from 'kysely';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../kernel/ids.ts';
import type { Kind, NewDocument, Owner, Progress } from './store.ts';
import { leadText, transactionText } from './text.ts';

/** Attempts and transactions read for rows that changed after they were indexed. */
const LATE_MAX = 2000;

/** A range of ids, from `from` (inclusive) to `before` (exclusive). */
export interface IdRange {
  from: string;
  before: string;
}

/** Rows of a kind within the range, in the order of their ids or newest first, with their texts. */
export async function readDocuments(
  db: Queryable,
  kind: Kind,
  owner: Owner,
  { from, before }: IdRange,
  order: 'asc' | 'desc',
  limit: number,
): Promise<NewDocument[]> {
  const table = sql.table(kind === 'tx' ? 'transactions' : 'leads');
  const owned = owner === null ? sql`` : sql`and merchant_id = ${owner}`;
  const { rows } = await sql<{ id: string }>`
    select id from ${table} where id >= ${from} and id < ${before} ${owned}
    order by id ${sql.raw(order)} limit ${limit}`.execute(db);
  const documents = await documentsOf(
    db,
    kind,
    rows.map(({ id }) => id),
  );
  return rows.flatMap(({ id }) => documents.get(id) ?? []);
}

/** The rows with these ids and their current texts. */
export async function documentsOf(
  db: Queryable,
  kind: Kind,
  ids: readonly string[],
): Promise<Map<string, NewDocument>> {
  if (ids.length === 0) return new Map();
  const documents = kind === 'led' ? await leadDocuments(db, ids) : await transactionDocuments(db, ids);
  return new Map(documents.map((document) => [document.id, document]));
}

async function leadDocuments(db: Queryable, ids: readonly string[]): Promise<NewDocument[]> {
  const leads = await db
    .selectFrom('leads')
    .select(['id', 'merchant_id', 'name', 'email', 'phone'])
    .where('id', 'in', ids as Id<'led'>[])
    .execute();
  return leads.map((lead) => ({ id: lead.id, owner: lead.merchant_id, text: leadText(lead) }));
}

async function transactionDocuments(db: Queryable, ids: readonly string[]): Promise<NewDocument[]> {
  const rows = await db
    .selectFrom('transactions')
    .select(['id', 'merchant_id', 'order_id', 'amount_cents', 'customer'])
    .select((eb) =>
      eb
        .selectFrom('checkout_sessions')
        .innerJoin('payment_links', 'payment_links.id', 'checkout_sessions.link_id')
        .select('title')
        .whereRef('checkout_sessions.id', '=', 'transactions.session_id')
        .as('title'),
    )
    .where('id', 'in', ids as Id<'tx'>[])
    .execute();
  const attempts = await db
    .selectFrom('attempts')
    .select(['transaction_id', 'phone_number', 'entity', 'reference'])
    .where('transaction_id', 'in', ids as Id<'tx'>[])
    .execute();
  const byTransaction = Map.groupBy(attempts, (attempt) => attempt.transaction_id);
  return rows.map((row) => ({
    id: row.id,
    owner: row.merchant_id,
    text: transactionText(row, byTransaction.get(row.id) ?? []),
  }));
}

/** The attempts within the range, in the order of their ids, with their transactions. */
export async function readAttempts(db: Queryable, { from, before }: IdRange, limit: number) {
  return await db
    .selectFrom('attempts')
    .select(['id', 'transaction_id'])
    .where('id', '>=', from as Id<'att'>)
    .where('id', '<', before as Id<'att'>)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function leadsOf(db: Queryable, ids: readonly string[]): Promise<Id<'led'>[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('transactions')
    .select('lead_id')
    .distinct()
    .where('id', 'in', ids as Id<'tx'>[])
    .where('lead_id', 'is not', null)
    .execute();
  return rows.flatMap((row) => row.lead_id ?? []);
}

/** Indexed rows that changed since: transactions with a newer attempt, or leads with a newer transaction. */
export async function changedSince(db: Queryable, kind: Kind, owner: Owner, progress: Progress) {
  if (kind === 'tx') {
    // The newest attempts of all merchants, because no index covers those of one merchant.
    const newest = db
      .selectFrom('attempts')
      .select(['transaction_id', 'merchant_id'])
      .where('id', '>', progress.att as Id<'att'>)
      .orderBy('id', 'desc')
      .limit(LATE_MAX);
    let query = db.selectFrom(newest.as('newest')).select('transaction_id as id');
    if (owner !== null) query = query.where('merchant_id', '=', owner);
    const rows = await query.execute();
    return rows.map(({ id }) => id).filter((id) => id <= progress.tx);
  }
  let query = db
    .selectFrom('transactions')
    .select('lead_id')
    .where('id', '>', progress.tx as Id<'tx'>);
  if (owner !== null) query = query.where('merchant_id', '=', owner);
  const rows = await query.orderBy('id', 'desc').limit(LATE_MAX).execute();
  return rows.flatMap(({ lead_id: id }) => (id !== null && id <= progress.led ? id : []));
}
