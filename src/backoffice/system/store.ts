import { sql } from 'kysely';
import type { Database, Queryable } from '../../db/database.ts';
import type { AuditAction } from '../../db/tables/audit.ts';
import type { Id } from '../../kernel/ids.ts';

/** The accounts at the bank without their credentials, current ones first. */
export async function bankAccounts(db: Queryable) {
  return await db
    .selectFrom('bank_accounts')
    .leftJoin('merchants', 'merchants.id', 'bank_accounts.merchant_id')
    .select(['bank_accounts.id as accountId', 'bank_accounts.merchant_id as merchantId'])
    .select(['merchants.name as merchantName', 'bank_accounts.current', 'bank_accounts.acquirer'])
    // The start of the last complete read of the bank's payment list.
    .select(['bank_accounts.created_at as createdAt', 'bank_accounts.list_read_at as listReadAt'])
    .orderBy('bank_accounts.current', 'desc')
    .orderBy('bank_accounts.id')
    .execute();
}

export async function databaseFacts(db: Pick<Database, 'engine' | 'read'>) {
  const facts =
    db.engine === 'sqlite'
      ? sql<{ version: string; bytes: number }>`
          select sqlite_version() as version, pages.page_count * sizes.page_size as bytes
          from pragma_page_count() as pages, pragma_page_size() as sizes`
      : sql<{ version: string; bytes: number }>`
          select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`;
  const { rows } = await facts.execute(db.read);
  const name = db.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  return { version: `${name} ${rows[0]?.version ?? ''}`.trim(), bytes: Number(rows[0]?.bytes ?? 0) };
}

const BANK_CHANGES: readonly AuditAction[] = ['bank.changed', 'bank.routed'];

/** Changes of bank accounts and routes after an entry of the audit log, newest first. */
export async function bankChangesAfter(db: Queryable, entry: string, limit: number) {
  return await db
    .selectFrom('audit_log')
    .leftJoin('merchants', 'merchants.id', 'audit_log.merchant_id')
    .select(['audit_log.id', 'audit_log.at', 'audit_log.actor', 'merchants.name as merchantName'])
    .select('audit_log.action')
    .where('audit_log.action', 'in', BANK_CHANGES)
    .where('audit_log.id', '>', entry as Id<'aud'>)
    .orderBy('audit_log.id', 'desc')
    .limit(limit)
    .execute();
}

export async function isBankChange(db: Queryable, entry: Id<'aud'>): Promise<boolean> {
  const row = await db.selectFrom('audit_log').select('action').where('id', '=', entry).executeTakeFirst();
  return row !== undefined && BANK_CHANGES.includes(row.action);
}
