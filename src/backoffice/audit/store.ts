import type { ExpressionBuilder } from 'kysely';
import { countList } from '../../db/count-rows.ts';
import type { Queryable } from '../../db/database.ts';
import { AUDIT_ACTIONS, type AuditAction } from '../../db/tables/audit.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { type Id, idFloor } from '../../kernel/ids.ts';
import { VISIBLE } from '../../payments/store.ts';

export interface AuditFilter {
  merchantId?: Id<'mer'> | undefined;
  /** Only entries that the team of this merchant may read: without reviews, held payments and bank accounts. */
  readableBy?: Id<'mer'> | undefined;
  action?: AuditAction | undefined;
  userId?: Id<'usr'> | undefined;
  /** UTC milliseconds. */
  since?: number | undefined;
}

/** Entries of the log with an id below `before`, newest first. Each filter alone is served by an index. */
export async function selectAudit(db: Queryable, filter: AuditFilter, before: string | null, limit: number) {
  return await entries(db, filter)
    .select(['id', 'at', 'actor', 'address', 'action', 'target', 'details'])
    .select(['user_id as userId', 'merchant_id as merchantId'])
    .$if(before !== null, (query) => query.where('id', '<', before as Id<'aud'>))
    .limit(limit)
    .execute();
}

export function countAudit(db: Queryable, filter: AuditFilter) {
  return countList(db, entries(db, filter).select('id'));
}

const ABOUT_RECEIPTS: AuditAction[] = AUDIT_ACTIONS.filter((action) => action.startsWith('receipt.'));

function visibleReceipt(eb: ExpressionBuilder<Tables, 'audit_log'>, merchantId: Id<'mer'>) {
  return eb
    .selectFrom('receipts')
    .innerJoin('transactions', 'transactions.id', 'receipts.transaction_id')
    .select('receipts.id')
    .whereRef('receipts.id', '=', 'audit_log.target')
    .where('receipts.merchant_id', '=', merchantId)
    .where(VISIBLE);
}

function entries(db: Queryable, filter: AuditFilter) {
  let query = db.selectFrom('audit_log');
  if (filter.merchantId !== undefined) query = query.where('merchant_id', '=', filter.merchantId);
  if (filter.readableBy !== undefined) {
    const { readableBy } = filter;
    query = query
      .where('merchant_id', '=', readableBy)
      .where('action', 'not in', ['transaction.released', 'bank.changed', 'bank.routed'])
      .where((eb) =>
        eb.not(eb.and([eb('action', '=', 'merchant.changed'), eb('details', 'like', '%"hold":%')])),
      )
      .where((eb) =>
        eb.or([eb('action', 'not in', ABOUT_RECEIPTS), eb.exists(visibleReceipt(eb, readableBy))]),
      );
  }
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId);
  if (filter.since !== undefined) {
    // The id bounds the search in the index; an id can be a little later than the instant.
    query = query.where('id', '>=', idFloor('aud', filter.since)).where('at', '>=', filter.since);
  }
  return query.orderBy('id', 'desc');
}

export async function operatorsAmong(db: Queryable, ids: readonly Id<'usr'>[]): Promise<Set<Id<'usr'>>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .where('operator', '=', 1)
    .execute();
  return new Set(rows.map((row) => row.id));
}
