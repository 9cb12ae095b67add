import type { ExpressionBuilder } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import { AUDIT_ACTIONS, type AuditAction, type AuditTable } from '../../db/tables/audit.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { type Id, idFloor } from '../../kernel/ids.ts';
import { KNOWN } from '../exceptions/store.ts';

export interface AuditFilter {
  merchantId?: Id<'mer'> | undefined;
  action?: AuditAction | undefined;
  userId?: Id<'usr'> | undefined;
  /** UTC milliseconds. */
  since?: number | undefined;
}

export interface AuditSpan {
  /** An id: only lines older than it. */
  before: string | null;
  limit: number;
}

/** Lines of the log, newest first, before the id given. Each filter by itself has an index that ends where the page does. */
export async function selectAudit(
  db: Queryable,
  filter: AuditFilter,
  span: AuditSpan,
): Promise<AuditTable[]> {
  return await lines(db, filter, span).execute();
}

/**
 * The same as far as a merchant may know of its own affairs: neither of reviews and of money that is held, nor of the
 * platform's accounts.
 */
export async function selectKnownAudit(
  db: Queryable,
  filter: AuditFilter & { merchantId: Id<'mer'> },
  span: AuditSpan,
): Promise<AuditTable[]> {
  return await lines(db, filter, span)
    .where('action', 'not in', ['transaction.released', 'bank.changed'])
    .where((eb) =>
      eb.not(eb.and([eb('action', '=', 'merchant.changed'), eb('details', 'like', '%"hold":%')])),
    )
    .where((eb) =>
      eb.or([eb('action', 'not in', ABOUT_RECEIPTS), eb.exists(knownReceipt(eb, filter.merchantId))]),
    )
    .execute();
}

const ABOUT_RECEIPTS: AuditAction[] = AUDIT_ACTIONS.filter((action) => action.startsWith('receipt.'));

function knownReceipt(eb: ExpressionBuilder<Tables, 'audit_log'>, merchantId: Id<'mer'>) {
  return eb
    .selectFrom('receipts')
    .innerJoin('transactions', 'transactions.id', 'receipts.transaction_id')
    .select('receipts.id')
    .whereRef('receipts.id', '=', 'audit_log.target')
    .where('receipts.merchant_id', '=', merchantId)
    .where(KNOWN);
}

function lines(db: Queryable, filter: AuditFilter, span: AuditSpan) {
  let query = db.selectFrom('audit_log').selectAll();
  if (filter.merchantId !== undefined) query = query.where('merchant_id', '=', filter.merchantId);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId);
  if (filter.since !== undefined) {
    // The id tells when it was made, or a little later: the index ends the look back, the instant decides.
    query = query.where('id', '>=', idFloor('aud', filter.since)).where('at', '>=', filter.since);
  }
  if (span.before !== null) query = query.where('id', '<', span.before as Id<'aud'>);
  return query.orderBy('id', 'desc').limit(span.limit);
}

/** Those of `ids` that are the platform's own people. */
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

/** The names of these merchants. */
export async function merchantNames(
  db: Queryable,
  ids: readonly Id<'mer'>[],
): Promise<Map<Id<'mer'>, string>> {
  if (ids.length === 0) return new Map();
  const wanted = [...new Set(ids)];
  const rows = await db.selectFrom('merchants').select(['id', 'name']).where('id', 'in', wanted).execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}
