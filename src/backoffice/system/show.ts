import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readMeta } from '../../db/meta.ts';
import type { Deps, RuntimeStatsReading } from '../../deps.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { countReported } from '../../payments/refunds/reported-store.ts';
import { indexesWords } from '../../search/store.ts';
import { VERSION } from '../../version.ts';
import { queueState } from '../../webhooks/delivery/due-store.ts';
import { undeliveredByMerchant } from '../webhook/store.ts';
import {
  accountLevel,
  backupLevel,
  bankLevel,
  httpLevel,
  type Level,
  queueLevel,
  storageLevel,
  worst,
} from './levels.ts';
import { bankAccounts, databaseFacts } from './store.ts';

const MERCHANTS_MAX = 10;
const REPORTED_MAX = 100;

type SystemDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'runtimeStats'>;

/** The health of the service: each part with its level. Instants and durations in milliseconds, sizes in bytes. */
export async function showSystem(deps: SystemDeps) {
  const now = deps.clock.now();
  const stats = deps.runtimeStats.read();
  const { version, bytes } = await databaseFacts(deps.db);
  const parts = {
    queue: await readQueue(deps, now, stats),
    undelivered: await readUndelivered(deps, now),
    bank: await readBank(deps, now, stats),
    refunds: await readRefunds(deps),
    http: { level: httpLevel(stats.http), windowMs: stats.windowMs, ...stats.http },
    storage: await readStorage(deps, bytes),
    backup: await readBackup(deps, now),
  };
  const schema = Number((await readMeta(deps.db.read, 'schema_version')) ?? 0);
  return {
    level: worst(Object.values(parts).map((part) => part.level)),
    now,
    ...parts,
    process: { startedAt: stats.startedAt, memoryBytes: process.memoryUsage.rss() },
    versions: { service: VERSION, node: process.version, database: version, schema },
  };
}

async function readQueue(deps: SystemDeps, now: number, stats: RuntimeStatsReading) {
  const { due, oldestDueAgeMs } = await queueState(deps.db.read, now);
  const { unclaimedSeconds, deliveries } = stats;
  /** The time for which a due delivery has not been claimed; null while unknown. */
  const unclaimedMs = Number.isNaN(unclaimedSeconds) ? null : Math.round(unclaimedSeconds * 1000);
  return {
    level: queueLevel({ oldestDueAgeMs, unclaimedMs }),
    due,
    oldestDueAgeMs,
    unclaimedMs,
    ...deliveries,
  };
}

async function readUndelivered(deps: SystemDeps, now: number) {
  const since = now - DAY_MS;
  const limit = MERCHANTS_MAX;
  const merchants = await undeliveredByMerchant(deps.db.read, since, { limit });
  const level: Level = merchants.length === 0 ? 'good' : 'attention';
  return { level, since, merchants };
}

async function readBank({ db, settings }: SystemDeps, now: number, stats: RuntimeStatsReading) {
  const rows = await bankAccounts(db.read);
  const accounts = rows.map((row) => {
    const unavailableSince = stats.bankUnavailableSince.get(row.accountId) ?? null;
    const level = accountLevel({ ...row, unavailableSince }, now, settings.reconcileMs);
    return { ...row, current: row.current === 1, level, unavailableSince };
  });
  const levels = accounts.map((account) => account.level);
  const sandbox = settings.bank === 'sandbox';
  return { level: bankLevel(stats.bank, levels), sandbox, windowMs: stats.windowMs, ...stats.bank, accounts };
}

/** Refunds that the bank reports and this service did not make. */
async function readRefunds({ db }: SystemDeps) {
  const reported = await countReported(db.read, REPORTED_MAX);
  const level: Level = reported === 0 ? 'good' : 'attention';
  return { level, reported };
}

async function readStorage(deps: SystemDeps, databaseBytes: number) {
  const disk = await diskOf(deps.settings.databaseUrl);
  const slowSearch = !(await indexesWords(deps.db.read));
  return { level: storageLevel(disk), databaseBytes, slowSearch, ...disk };
}

/** The space of the file system of a SQLite database; null for PostgreSQL. */
async function diskOf(databaseUrl: string): Promise<{ freeBytes: number | null; totalBytes: number | null }> {
  const unknown = { freeBytes: null, totalBytes: null };
  if (!databaseUrl.startsWith('sqlite:')) return unknown;
  try {
    const { bavail, blocks, bsize } = await statfs(dirname(databaseUrl.slice('sqlite:'.length)));
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return unknown;
  }
}

async function readBackup(deps: SystemDeps, now: number) {
  const byServer = deps.db.engine === 'postgres';
  // A database copied from SQLite has the time of its last backup there.
  const at = byServer ? null : await readMeta(deps.db.read, 'backup_at');
  const sandbox = deps.settings.bank === 'sandbox';
  const backup = { at: at === null ? null : Number(at), sandbox, byServer };
  return { level: backupLevel(backup, now), ...backup };
}
