import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readMeta } from '../../db/meta.ts';
import type { Deps, RuntimeStatsReading } from '../../deps.ts';
import { idFloor } from '../../kernel/ids.ts';
import { queueState } from '../../webhooks/delivery/due-store.ts';
import {
  judgeAccount,
  judgeBackup,
  judgeBank,
  judgeHttp,
  judgeProcess,
  judgeQueue,
  judgeStorage,
  worst,
} from './judge.ts';
import { bankAccounts, databaseFacts, undeliveredByMerchant } from './store.ts';
import { SERVICE_VERSION } from './version.ts';
import type { BackupSigns, Level, SystemState } from './view.ts';

const DAY_MS = 86_400_000;
const MERCHANTS_MAX = 10;

type SystemDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'runtimeStats'>;

/** How the service is doing, each part with its level. */
export async function showSystem(deps: SystemDeps): Promise<SystemState> {
  const now = deps.clock.now();
  const runtimeStats = deps.runtimeStats?.read() ?? null;
  const queue = await readQueue(deps, now, runtimeStats);
  const undelivered = await readUndelivered(deps, now);
  const bank = await readBank(deps, now, runtimeStats);
  const http = readHttp(runtimeStats);
  const { storage, version } = await readStorage(deps);
  const process = readProcess(now, runtimeStats);
  const backup = await readBackup(deps, now);
  const parts: { level: Level }[] = [queue, undelivered, bank, http, process, storage, backup];
  const schema = Number((await readMeta(deps.db.read, 'schema_version')) ?? 0);
  return {
    level: worst(parts.map((part) => part.level)),
    now,
    ...{ queue, undelivered, bank, http, process, storage, backup },
    versions: { service: SERVICE_VERSION, node: globalThis.process.version, database: version, schema },
  };
}

async function readQueue(
  deps: SystemDeps,
  now: number,
  runtimeStats: RuntimeStatsReading | null,
): Promise<SystemState['queue']> {
  const { due, oldestDueAgeMs } = await queueState(deps.db.read, now);
  const unclaimedSeconds = runtimeStats?.unclaimedSeconds ?? Number.NaN;
  const signs = {
    due,
    oldestDueAgeMs,
    unclaimedMs: Number.isNaN(unclaimedSeconds) ? null : Math.round(unclaimedSeconds * 1000),
    delivered: runtimeStats?.deliveries.delivered ?? 0,
    failed: runtimeStats?.deliveries.failed ?? 0,
  };
  return { level: judgeQueue(signs), ...signs };
}

async function readUndelivered(deps: SystemDeps, now: number): Promise<SystemState['undelivered']> {
  const since = now - DAY_MS;
  const merchants = await undeliveredByMerchant(deps.db.read, idFloor('dlv', since), MERCHANTS_MAX);
  return { level: merchants.length === 0 ? 'good' : 'look', since, merchants };
}

async function readBank(
  deps: SystemDeps,
  now: number,
  runtimeStats: RuntimeStatsReading | null,
): Promise<SystemState['bank']> {
  const rows = await bankAccounts(deps.db.read);
  const accounts = rows.map((row) => {
    const account = {
      createdAt: Number(row.created_at),
      listReadAt: row.list_read_at === null ? null : Number(row.list_read_at),
      silentSince: runtimeStats?.bankUnavailableSince.get(row.id) ?? null,
    };
    return {
      accountId: row.id,
      merchantId: row.merchant_id,
      merchantName: row.name,
      current: row.current === 1,
      level: judgeAccount(account, now, deps.settings.reconcileMs),
      ...account,
    };
  });
  const calls = runtimeStats?.bank ?? { calls: 0, failed: 0 };
  const sandbox = deps.settings.bank === 'sandbox';
  const levels = accounts.map((account) => account.level);
  // Without an account no payment can begin.
  const level = accounts.length === 0 ? 'bad' : judgeBank(calls, levels);
  return { level, sandbox, windowMs: runtimeStats?.windowMs ?? 0, ...calls, accounts };
}

function readHttp(runtimeStats: RuntimeStatsReading | null): SystemState['http'] {
  const signs = runtimeStats?.http ?? { requests: 0, clientErrors: 0, serverErrors: 0 };
  return { level: judgeHttp(signs), windowMs: runtimeStats?.windowMs ?? 0, ...signs };
}

function readProcess(now: number, runtimeStats: RuntimeStatsReading | null): SystemState['process'] {
  const signs = {
    startedAt: runtimeStats?.startedAt ?? now,
    loopP99Ms: runtimeStats?.loopDelayMs.p99 ?? 0,
    loopMaxMs: runtimeStats?.loopDelayMs.max ?? 0,
    memoryBytes: process.memoryUsage.rss(),
  };
  return { level: judgeProcess(signs), ...signs };
}

async function readStorage(deps: SystemDeps): Promise<{ storage: SystemState['storage']; version: string }> {
  const { version, bytes } = await databaseFacts(deps.db);
  const disk = await diskOf(deps);
  const signs = { engine: deps.db.engine, databaseBytes: bytes, ...disk };
  return { storage: { level: judgeStorage(signs), ...signs }, version };
}

async function diskOf(
  deps: Pick<Deps, 'settings'>,
): Promise<{ freeBytes: number | null; totalBytes: number | null }> {
  const { databaseUrl } = deps.settings;
  if (!databaseUrl.startsWith('sqlite:')) return { freeBytes: null, totalBytes: null };
  try {
    const { bavail, blocks, bsize } = await statfs(dirname(databaseUrl.slice('sqlite:'.length)));
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    // Not every file system tells.
    return { freeBytes: null, totalBytes: null };
  }
}

async function readBackup(deps: SystemDeps, now: number): Promise<SystemState['backup']> {
  const at = await readMeta(deps.db.read, 'backup_at');
  const signs: BackupSigns = {
    at: at === null ? null : Number(at),
    sandbox: deps.settings.bank === 'sandbox',
  };
  return { level: judgeBackup(signs, now), ...signs };
}
