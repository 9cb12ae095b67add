import type { Kysely } from 'kysely';
import { OperatorError } from '../kernel/errors.ts';
import type { Database } from './database.ts';
import { readMeta, writeMeta } from './meta.ts';
import * as m0001 from './migrations/0001-init.ts';
import * as m0002 from './migrations/0002-rotation-recovery-sequence.ts';
import * as m0003 from './migrations/0003-back-office.ts';
import * as m0004 from './migrations/0004-back-office-money.ts';
import * as m0005 from './migrations/0005-exceptions.ts';
import * as m0006 from './migrations/0006-delivery-log.ts';
import * as m0007 from './migrations/0007-attempt-times.ts';
import * as m0008 from './migrations/0008-leads.ts';
import * as m0009 from './migrations/0009-link-expiry.ts';
import * as m0010 from './migrations/0010-many-processes.ts';
import * as m0011 from './migrations/0011-day-parts.ts';
import { BytewiseText } from './postgres/bytewise.ts';
import { lockNumber } from './row-locks.ts';
import type { Tables } from './tables.ts';

/** Every migration, in order; its number is its place. Never edited once released. */
const MIGRATIONS: readonly { up(db: Kysely<unknown>): Promise<void> }[] = [
  m0001,
  m0002,
  m0003,
  m0004,
  m0005,
  m0006,
  m0007,
  m0008,
  m0009,
  m0010,
  m0011,
];

/** Who migrates holds this advisory lock of PostgreSQL; the number is arbitrary and must never change. */
const MIGRATION_LOCK = 7_206_519_341;

/**
 * Brings the schema up to date in one unit of work, so that a start that dies in the middle leaves the old schema,
 * and two processes that start together migrate once. Throws OperatorError when the database is newer than this program.
 */
export async function migrate(db: Pick<Database, 'engine' | 'unit'>): Promise<void> {
  const shared = db.engine === 'postgres';
  await db.unit(async (tx) => {
    await lockNumber(tx, MIGRATION_LOCK);
    const schema = withoutTypes(shared ? tx.withPlugin(new BytewiseText()) : tx);
    await schema.schema
      .createTable('meta')
      .ifNotExists()
      .addColumn('key', 'text', (c) => c.primaryKey().notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .execute();
    const applied = Number((await readMeta(tx, 'schema_version')) ?? 0);
    if (applied > MIGRATIONS.length) {
      throw new OperatorError(
        `SERVICE_DATABASE_URL: the database has schema ${applied}, this program knows ${MIGRATIONS.length}; run a newer version`,
      );
    }
    for (const migration of MIGRATIONS.slice(applied)) await migration.up(schema);
    if (applied < MIGRATIONS.length) await writeMeta(tx, 'schema_version', String(MIGRATIONS.length));
  });
}

// A migration speaks of the schema as it was then, not of today's tables.
function withoutTypes(db: Kysely<Tables>): Kysely<unknown> {
  return db as unknown as Kysely<unknown>;
}
