import type { Kysely } from 'kysely';
import { OperatorError } from '../kernel/errors.ts';
import { type Database, isPostgres, type Tx } from './database.ts';
import { readMeta, writeMeta } from './meta.ts';
import * as m0011 from './migrations/0011-baseline.ts';
import * as m0012 from './migrations/0012-bank-notices.ts';
import * as m0013 from './migrations/0013-unverified-emails.ts';
import * as m0014 from './migrations/0014-search.ts';
import * as m0015 from './migrations/0015-recovery-codes.ts';
import * as m0016 from './migrations/0016-settled-order.ts';
import * as m0017 from './migrations/0017-team-factor.ts';
import * as m0018 from './migrations/0018-day-of-payment.ts';
import * as m0019 from './migrations/0019-named-keys.ts';
import * as m0020 from './migrations/0020-acquirers.ts';
import * as m0021 from './migrations/0021-passkeys.ts';
import * as m0022 from './migrations/0022-fees.ts';
import * as m0023 from './migrations/0023-refunds.ts';
import * as m0024 from './migrations/0024-request-log.ts';
import * as m0025 from './migrations/0025-settled-refunds.ts';
import * as m0026 from './migrations/0026-checkout.ts';
import * as m0027 from './migrations/0027-auto-recovery.ts';
import * as m0028 from './migrations/0028-payment-links.ts';
import * as m0029 from './migrations/0029-mails.ts';
import * as m0030 from './migrations/0030-user-language.ts';
import * as m0031 from './migrations/0031-merchant-brands.ts';
import * as m0032 from './migrations/0032-refund-merchants.ts';
import * as m0033 from './migrations/0033-reported-refunds.ts';
import * as m0034 from './migrations/0034-merchants-of-rows.ts';
import * as m0035 from './migrations/0035-due-of-all.ts';
import * as m0036 from './migrations/0036-scheduled-deliveries.ts';
import * as m0037 from './migrations/0037-deliveries-of-transaction.ts';
import * as m0038 from './migrations/0038-search-batches.ts';
import * as m0039 from './migrations/0039-vacuum-queues.ts';
import * as m0040 from './migrations/0040-no-merchant-triggers.ts';
import * as m0041 from './migrations/0041-automatic-recoveries.ts';
import * as m0042 from './migrations/0042-unlinked-reports.ts';
import * as m0043 from './migrations/0043-sessions-of-link.ts';
import { CCollation } from './postgres/c-collation.ts';
import { limitLockWaits, lockNumber } from './row-locks.ts';

/** One step of the schema; migrations/README.md has the rules. */
export interface Migration {
  readonly name: string;
  up(db: Kysely<unknown>): Promise<void>;
  /** The schema that a program must know to run on a schema with this one; absent for a migration that only adds. */
  readonly knownMin?: number;
}

/** Every migration, in order. Never edited once released. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0011-baseline', up: m0011.up },
  { name: '0012-bank-notices', up: m0012.up },
  { name: '0013-unverified-emails', up: m0013.up },
  { name: '0014-search', up: m0014.up },
  { name: '0015-recovery-codes', up: m0015.up },
  { name: '0016-settled-order', up: m0016.up },
  { name: '0017-team-factor', up: m0017.up },
  { name: '0018-day-of-payment', up: m0018.up },
  { name: '0019-named-keys', up: m0019.up },
  { name: '0020-acquirers', up: m0020.up, knownMin: m0020.knownMin },
  { name: '0021-passkeys', up: m0021.up },
  { name: '0022-fees', up: m0022.up },
  { name: '0023-refunds', up: m0023.up },
  { name: '0024-request-log', up: m0024.up },
  { name: '0025-settled-refunds', up: m0025.up },
  { name: '0026-checkout', up: m0026.up },
  { name: '0027-auto-recovery', up: m0027.up },
  { name: '0028-payment-links', up: m0028.up },
  { name: '0029-mails', up: m0029.up },
  { name: '0030-user-language', up: m0030.up },
  { name: '0031-merchant-brands', up: m0031.up },
  { name: '0032-refund-merchants', up: m0032.up },
  { name: '0033-reported-refunds', up: m0033.up },
  { name: '0034-merchants-of-rows', up: m0034.up },
  { name: '0035-due-of-all', up: m0035.up },
  { name: '0036-scheduled-deliveries', up: m0036.up },
  { name: '0037-deliveries-of-transaction', up: m0037.up },
  { name: '0038-search-batches', up: m0038.up },
  { name: '0039-vacuum-queues', up: m0039.up },
  { name: '0040-no-merchant-triggers', up: m0040.up, knownMin: m0040.knownMin },
  { name: '0041-automatic-recoveries', up: m0041.up },
  { name: '0042-unlinked-reports', up: m0042.up },
  { name: '0043-sessions-of-link', up: m0043.up },
];

/** The schema that the first migration creates; those before it were merged into it. */
const BASELINE = 11;

/** The schema that `migrations` lead to: the number of the last one. */
const versionOf = (migrations: readonly Migration[]) => BASELINE - 1 + migrations.length;

export const SCHEMA_VERSION = versionOf(MIGRATIONS);

export interface Migrated {
  from: number;
  to: number;
  applied: string[];
}

/** The advisory lock of a migration on PostgreSQL; arbitrary, and must never change. */
const MIGRATION_LOCK = 7_206_519_341;
/** Every query of a table waits behind a migration that waits for its lock; shorter than the lock timeout of a unit. */
const LOCK_WAIT_MAX_MS = 2000;

/** Runs in the transaction that upgrades an existing schema, before it; what it throws leaves the old schema. */
export type BeforeUpgrade = (tx: Tx) => Promise<void>;

/**
 * Migrates the schema in one transaction, so that an interrupted start leaves the old schema, and processes that start together
 * migrate once. Accepts a newer schema that this program can run on; throws OperatorError for any other.
 */
export async function migrate(
  db: Pick<Database, 'unit'>,
  migrations: readonly Migration[] = MIGRATIONS,
  beforeUpgrade?: BeforeUpgrade,
): Promise<Migrated> {
  return await db.unit(async (tx) => {
    await lockNumber(tx, MIGRATION_LOCK);
    await limitLockWaits(tx, LOCK_WAIT_MAX_MS);
    // Without types, because a migration refers to the schema at its version, not to the current tables.
    const schema = (isPostgres(tx) ? tx.withPlugin(new CCollation()) : tx) as unknown as Kysely<unknown>;
    await schema.schema
      .createTable('meta')
      .ifNotExists()
      .addColumn('key', 'text', (c) => c.primaryKey().notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .execute();
    const from = Number((await readMeta(tx, 'schema_version')) ?? 0);
    const known = versionOf(migrations);
    const knownMin = Number((await readMeta(tx, 'schema_known_min')) ?? 0);
    if (known < knownMin) {
      throw new OperatorError(
        `SERVICE_DATABASE_URL: the database has schema ${from}, which needs a program that knows ${knownMin}; this one knows ${known}: run a newer version of the service`,
      );
    }
    if (from > 0 && from < BASELINE) {
      throw new OperatorError(
        `SERVICE_DATABASE_URL: the database has schema ${from}, and this version upgrades schema ${BASELINE} and later: start the version of 2026-11-22 on it first`,
      );
    }
    const missing = migrations.slice(from === 0 ? 0 : from - BASELINE + 1);
    if (from > 0 && missing.length > 0) await beforeUpgrade?.(tx);
    for (const migration of missing) await migration.up(schema);
    const needed = Math.max(knownMin, ...missing.map((migration) => migration.knownMin ?? 0));
    if (missing.length > 0) await writeMeta(tx, 'schema_version', String(known));
    if (needed > knownMin) await writeMeta(tx, 'schema_known_min', String(needed));
    return { from, to: Math.max(from, known), applied: missing.map(({ name }) => name) };
  });
}
