import type { Deps } from '../../deps.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import { createDueWorker } from '../../kernel/due-worker.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import type { PeriodicJob } from '../../kernel/periodic.ts';
import { allAccounts, hasMethodKey, type KnownAccount, listKeyOf } from '../accounts.ts';
import { profileOf } from '../acquirers.ts';
import { type BankRecord, BankUnavailable } from '../port.ts';
import type { BankAttempt, SettlementPort } from '../settlement-port.ts';
import { claimListRead, markListRead, releaseListRead } from '../store.ts';
import { type Availability, createAvailability } from './availability.ts';
import { bankIds } from './find-payment.ts';

export type ReconcilerDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'metrics' | 'settings' | 'bank' | 'box'> & {
  settlement: SettlementPort;
};

/** The range of the first read and of the daily long read. */
const LONG_MS = 35 * DAY_MS;
/** A read extends beyond now because the bank's clock may be ahead of ours. */
const AHEAD_MS = DAY_MS;
/** The range of one request to the adapter, so that memory holds the rows of a week at most. */
const CHUNK_MS = 7 * DAY_MS;
const BACK_OFF_MAX_MS = 15 * 60_000;
const CONCURRENCY_MAX = 4;
const PUSHES_PER_PAGE = 200;
const FAILED_INQUIRIES_MAX = 3;
const LEASE_MS = 120_000;

/** Accounts that share one list at the bank. `reader` is the account that reads it. */
interface Group {
  /** Of the reader. */
  id: Id<'acc'>;
  key: string;
  reader: KnownAccount;
  accounts: KnownAccount[];
}

interface ReadState {
  availability: Availability;
  inquired: Map<Id<'acc'>, Id<'att'>>;
  isStopping: () => boolean;
}

interface Progress {
  startedAt: number;
  dueAt: number;
  failures: number;
}

/**
 * Creates the reconciler: it reads the bank's list of received payments of every account at regular intervals, so that
 * a lost callback delays a payment and never loses it. Groups of accounts fail independently.
 */
export function createReconciler(deps: ReconcilerDeps): PeriodicJob {
  const { db, clock, log, settings } = deps;
  const progress = new Map<string, Progress>();
  const state = {
    availability: createAvailability(deps, 'list'),
    /** The last push inquired about, by account; the next inquiries continue after it. */
    inquired: new Map<Id<'acc'>, Id<'att'>>(),
  };

  async function reconcile(group: Group, isStopping: () => boolean): Promise<void> {
    // If only this clock is ahead, the read would end unknown pushes too early.
    await clock.correct?.();
    const startedAt = clock.now();
    const failures = progress.get(group.key)?.failures ?? 0;
    // Set first, so that no failure makes the group due again immediately.
    const dueAt = startedAt + backOffMs(settings.reconcileMs, failures + 1);
    progress.set(group.key, { startedAt, dueAt, failures: failures + 1 });
    if (!(await claim(deps, group, startedAt))) {
      const recheckAt = startedAt + Math.min(settings.reconcileMs, LEASE_MS);
      progress.set(group.key, { startedAt, dueAt: recheckAt, failures });
      return;
    }
    // After a failed read, another process may read at once: it may still reach the bank.
    let leaseUntil: number | null = null;
    if (await readGroup(deps, { ...state, isStopping }, group, startedAt)) {
      const endedAt = clock.now();
      // Two reads count for unknown pushes only when at least one interval apart, so a slow read delays the next one.
      const from = endedAt - startedAt > settings.reconcileMs / 2 ? endedAt : startedAt;
      leaseUntil = from + settings.reconcileMs;
      progress.set(group.key, { startedAt, dueAt: leaseUntil, failures: 0 });
    }
    if (db.cluster === null) return;
    await db.unit((tx) => releaseListRead(tx, group.reader.id, startedAt + LEASE_MS, leaseUntil));
  }

  return createDueWorker({
    name: 'reconciliation',
    clock,
    log,
    concurrencyMax: CONCURRENCY_MAX,
    async due() {
      const accounts = await allAccounts(deps, ({ id: accountId }, error) =>
        log.error({ accountId, detail: errorText(error) }, 'cannot read the credentials of a bank account'),
      );
      const groups = groupAccounts(accounts);
      for (const key of progress.keys()) if (!groups.some((group) => group.key === key)) progress.delete(key);
      return groups.filter((group) => isDue(progress.get(group.key), clock.now()));
    },
    run: reconcile,
    async nextAt() {
      // Accounts added by another process are found within one interval.
      const dueAts = [...progress.values()].map(({ dueAt }) => dueAt);
      return Math.min(clock.now() + settings.reconcileMs, ...dueAts);
    },
  });
}

/** Only one process at a time reads a list; if it dies, its lease ends. */
async function claim(deps: ReconcilerDeps, group: Group, now: number): Promise<boolean> {
  if (deps.db.cluster === null) return true;
  const latest = now + deps.settings.reconcileMs + BACK_OFF_MAX_MS;
  return deps.db.unit((tx) => claimListRead(tx, group.reader.id, { now, until: now + LEASE_MS, latest }));
}

/** A start in the future means that the clock was set back. */
function isDue(progress: Progress | undefined, now: number): boolean {
  return progress === undefined || progress.dueAt <= now || progress.startedAt > now;
}

function groupAccounts(all: readonly KnownAccount[]): Group[] {
  const groups = Map.groupBy(all, listKeyOf);
  return [...groups].flatMap(([key, accounts]) => {
    const [reader] = accounts;
    return reader === undefined ? [] : [{ id: reader.id, key, reader, accounts }];
  });
}

/**
 * Reads and records the list of a group. False when the bank was unavailable, a row could not be recorded, or the credentials were
 * replaced: the cursor then does not move.
 */
async function readGroup(
  deps: ReconcilerDeps,
  state: ReadState,
  { reader, accounts }: Group,
  startedAt: number,
): Promise<boolean> {
  const { availability, isStopping } = state;
  const report = (error: unknown) => {
    const detail = errorText(error);
    if (error instanceof BankUnavailable) availability.unavailable(reader.id, detail);
    else deps.log.error({ accountId: reader.id, detail }, 'reconciliation failed; retrying');
  };
  try {
    const { hasCompleteList } = profileOf(reader.acquirer);
    const failures: unknown[] = [];
    // Failed inquiries neither stop this read of the list nor delay the next one.
    if (!hasCompleteList) await inquireUnknown(deps, state, accounts).catch((error) => failures.push(error));
    const { from, long } = reach(accounts, startedAt);
    const complete = await readList({ ...deps, isStopping }, accounts, reader, from, startedAt + AHEAD_MS);
    const read = accounts.map(({ encryptedCredentials }) => encryptedCredentials);
    if (!(await deps.db.unit((tx) => markListRead(tx, read, startedAt, long)))) return false;
    if (failures.length > 0) report(failures[0]);
    // Another account of the group may have been its reader during an outage.
    else for (const { id } of accounts) availability.recovered(id);
    // An unreadable row may be the payment of an unknown push.
    if (hasCompleteList && complete) {
      // A long read also counts for older pushes, which would otherwise stay unknown for ever. The bank's clock may be behind.
      const since = long ? 0 : from + HOUR_MS;
      for (const { id } of accounts) await deps.settlement.countListRead(id, since, startedAt);
    }
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

/**
 * Inquires about each unknown push of an acquirer whose list is not complete. An inquiry without a readable answer does not
 * stop the others. Throws BankUnavailable after several such inquiries, and returns when the service is stopping; the next call then
 * begins after them.
 */
async function inquireUnknown(
  deps: ReconcilerDeps,
  { inquired, isStopping }: ReadState,
  accounts: readonly KnownAccount[],
): Promise<void> {
  let failures = 0;
  const inquire = async (account: KnownAccount, push: BankAttempt) => {
    const askedAt = deps.clock.now();
    inquired.set(account.id, push.id);
    try {
      const state = await deps.bank.inquirePush(account, bankIds(push));
      await deps.settlement.applyPushState(push, state, askedAt);
    } catch (error) {
      failures += 1;
      if (!(error instanceof BankUnavailable) || failures >= FAILED_INQUIRIES_MAX) throw error;
      const fields = { attemptId: push.id, accountId: account.id, detail: error.message };
      deps.log.warn(fields, 'the bank gives no readable answer about a push of unknown outcome; retrying');
    }
  };
  for (const account of accounts) {
    let page: BankAttempt[] = [];
    do {
      page = await deps.settlement.unknownPushes(account.id, inquired.get(account.id) ?? '', PUSHES_PER_PAGE);
      for (const push of page) {
        if (isStopping()) return;
        await inquire(account, push);
      }
    } while (page.length === PUSHES_PER_PAGE);
    inquired.delete(account.id);
  }
}

/** The start of this read: a day before the last complete one; 35 days back at first and once a day. */
function reach(accounts: readonly KnownAccount[], startedAt: number): { from: number; long: boolean } {
  const longFrom = startedAt - LONG_MS;
  const starts = accounts.map(({ listReadAt }) =>
    isPast(listReadAt, startedAt) ? listReadAt - DAY_MS : longFrom,
  );
  const longDue = accounts.some(
    ({ longReadAt }) => !isPast(longReadAt, startedAt) || longReadAt <= startedAt - DAY_MS,
  );
  const from = Math.min(...starts, longDue ? longFrom : startedAt);
  return { from, long: from <= longFrom };
}

/** A read in the future was made before the clock was set back, and is ignored. */
function isPast(readAt: number | null, now: number): readAt is number {
  return readAt !== null && readAt <= now;
}

/**
 * Records each chunk as it is read, so that a failure loses nothing read before. The bank may never return one chunk, so the
 * others are read too, unless the service is stopping; two failures in a row mean that it is unavailable. Returns whether every
 * row was readable.
 */
async function readList(
  deps: ReconcilerDeps & Pick<ReadState, 'isStopping'>,
  accounts: readonly KnownAccount[],
  reader: KnownAccount,
  from: number,
  to: number,
): Promise<boolean> {
  let allComplete = true;
  const failures: unknown[] = [];
  const readChunk = async (start: number) => {
    const end = Math.min(start + CHUNK_MS - 1, to);
    const { records, complete, failure } = await deps.bank.listPayments(reader, { from: start, to: end });
    allComplete &&= complete;
    const byAccount = Map.groupBy(records, (record) => accountOf(record, accounts) ?? reader);
    for (const [account, own] of byAccount) {
      await deps.settlement.recordPayments(account.id, own).catch((error: unknown) => failures.push(error));
    }
    if (failure !== undefined) failures.push(failure);
    return true;
  };
  const starts: number[] = [];
  for (let start = from; start <= to; start += CHUNK_MS) starts.push(start);
  let wasRead = true;
  // Oldest first; after a failure the newest, which the bank is most likely to return.
  for (let start = starts.shift(); start !== undefined; start = wasRead ? starts.shift() : starts.pop()) {
    const isRead = await readChunk(start).catch((error: unknown) => {
      failures.push(error);
      return false;
    });
    if ((!isRead && !wasRead) || (failures.length > 0 && deps.isStopping())) break;
    wasRead = isRead;
  }
  if (failures.length > 0) throw failures[0];
  return allComplete;
}

function accountOf({ methodKey }: BankRecord, accounts: readonly KnownAccount[]): KnownAccount | undefined {
  return accounts.find((account) => hasMethodKey(account, methodKey));
}

function backOffMs(reconcileMs: number, failures: number): number {
  return Math.max(reconcileMs, Math.min(reconcileMs * 2 ** Math.min(failures, 20), BACK_OFF_MAX_MS));
}
