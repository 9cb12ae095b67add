import { sql } from 'kysely';
import type { Database, Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** Events of one merchant that are counted at most. */
const UNDELIVERED_COUNTED_MAX = 100;

/**
 * The merchants with events that ended undelivered since `floor` (an id's lower bound) and were not delivered by a later
 * try, those with most first. One look into the index for each merchant whose webhook is on.
 */
export async function undeliveredByMerchant(
  db: Queryable,
  floor: Id<'dlv'>,
  limit: number,
): Promise<{ merchantId: Id<'mer'>; name: string; count: number; more: boolean }[]> {
  const { rows } = await sql<{ id: Id<'mer'>; name: string; missed: number }>`
    select counted.id, counted.name, counted.missed from (
      select m.id, m.name, (
        select count(*) from (
          select d.id from deliveries d
          where d.state in ('undelivered', 'skipped') and d.state = 'undelivered'
            and d.merchant_id = m.id and d.id > ${floor}
            and not exists (
              select 1 from deliveries later
              where later.event_id = d.event_id and later.id > d.id and later.state in ('delivered', 'due')
            )
          limit ${sql.lit(UNDELIVERED_COUNTED_MAX + 1)}
        ) as found
      ) as missed
      from merchants m where m.webhook_enabled = 1
    ) as counted
    where counted.missed > 0
    order by counted.missed desc, counted.id
    limit ${limit}`.execute(db);
  return rows.map((row) => ({
    merchantId: row.id,
    name: row.name,
    count: Math.min(Number(row.missed), UNDELIVERED_COUNTED_MAX),
    more: Number(row.missed) > UNDELIVERED_COUNTED_MAX,
  }));
}

/** The accounts at the bank, without their credentials, current ones first. They are few. */
export async function bankAccounts(db: Queryable) {
  return await db
    .selectFrom('bank_accounts')
    .leftJoin('merchants', 'merchants.id', 'bank_accounts.merchant_id')
    .select(['bank_accounts.id', 'bank_accounts.merchant_id', 'merchants.name', 'bank_accounts.current'])
    .select(['bank_accounts.created_at', 'bank_accounts.list_read_at'])
    .orderBy('bank_accounts.current', 'desc')
    .orderBy('bank_accounts.id')
    .execute();
}

/** The engine's version and the size of the database, each engine in its own words. */
export async function databaseFacts(
  db: Pick<Database, 'engine' | 'read'>,
): Promise<{ version: string; bytes: number }> {
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
