import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import { allAccounts, type KnownAccount } from '../accounts.ts';
import { type BankRecord, BankSilent, type Ledger } from '../port.ts';
import { endSweep, markListRead, takeSweep } from '../store.ts';
import { createSilence, type Silence } from './availability.ts';
import { recordAll } from './find-money.ts';
import { createWorkLoop, type WorkLoop } from './work-loop.ts';

export type ReconcileDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'settings' | 'bank' | 'box'> &
  Partial<Pick<Deps, 'metrics'>> & {
    ledger: Ledger;
  };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LONG_MS = 35 * DAY_MS;
/** A read goes so far past now: the bank's clock may be ahead of ours. */
const AHEAD_MS = DAY_MS;
/** What one call of the adapter covers, so that a long read holds a week of rows at most. */
const PART_MS = 7 * DAY_MS;
const BACK_OFF_MAX_MS = 15 * 60_000;
const CONCURRENCY_MAX = 4;
/** How long a read keeps other processes away while it runs. */
const TURN_MS = 120_000;

/** Accounts that share one list at the bank (one backoffice key), read together. */
interface Group {
  key: string;
  accounts: KnownAccount[];
}

interface Progress {
  startedAt: number;
  dueAt: number;
  failures: number;
}

/**
 * The sweep: reads the bank's list of received payments of every account again and again, so that a lost callback
 * delays and never loses. Accounts fail each for itself.
 */
export function createReconcileLoop(deps: ReconcileDeps): WorkLoop {
  const progress = new Map<string, Progress>();
  const silence = createSilence(deps.log, 'list', deps.metrics);

  async function sweep(group: Group): Promise<void> {
    const startedAt = deps.clock.now();
    const failures = progress.get(group.key)?.failures ?? 0;
    // Set first: whatever happens, this group is not due again at once.
    const dueAt = startedAt + backOffMs(deps, failures + 1);
    progress.set(group.key, { startedAt, dueAt, failures: failures + 1 });
    if (!(await isOurs(deps, group, startedAt))) {
      const lookAgainAt = startedAt + Math.min(deps.settings.reconcileMs, TURN_MS);
      progress.set(group.key, { startedAt, dueAt: lookAgainAt, failures });
      return;
    }
    if (!(await readGroup(deps, silence, group, startedAt))) {
      await endTurn(deps, group, dueAt);
      return;
    }
    const { reconcileMs } = deps.settings;
    const endedAt = deps.clock.now();
    // A read that was held up is not followed by another at once: what two reads say counts because they are apart.
    const from = endedAt - startedAt > reconcileMs / 2 ? endedAt : startedAt;
    progress.set(group.key, { startedAt, dueAt: from + reconcileMs, failures: 0 });
    await endTurn(deps, group, from + reconcileMs);
  }

  return createWorkLoop({
    name: 'reconcile',
    clock: deps.clock,
    log: deps.log,
    concurrencyMax: CONCURRENCY_MAX,
    async due() {
      const now = deps.clock.now();
      const groups = groupAccounts(await allAccounts(deps));
      for (const key of progress.keys()) if (!groups.some((group) => group.key === key)) progress.delete(key);
      return groups
        .filter((group) => isDue(progress.get(group.key), now))
        .map((group) => ({ key: group.accounts[0]?.id ?? '', run: () => sweep(group) }));
    },
    async nextAt() {
      // Accounts that another process adds are found within one interval.
      const dueAts = [...progress.values()].map(({ dueAt }) => dueAt);
      return Math.min(deps.clock.now() + deps.settings.reconcileMs, ...dueAts);
    },
  });
}

/** Of several processes one reads a list; should it die over it, another does when its turn is over. */
async function isOurs(deps: ReconcileDeps, group: Group, now: number): Promise<boolean> {
  const [reader] = group.accounts;
  if (deps.db.neighbours === null || reader === undefined) return true;
  const latest = now + deps.settings.reconcileMs + Math.max(TURN_MS, BACK_OFF_MAX_MS);
  return await deps.db.unit((tx) => takeSweep(tx, reader.id, { now, until: now + TURN_MS, latest }));
}

async function endTurn(deps: ReconcileDeps, group: Group, until: number): Promise<void> {
  const [reader] = group.accounts;
  if (deps.db.neighbours === null || reader === undefined) return;
  await deps.db.unit((tx) => endSweep(tx, reader.id, until));
}

/** A start in the future means that the clock was set back: waiting for it to come again could take for ever. */
function isDue(progress: Progress | undefined, now: number): boolean {
  return progress === undefined || progress.dueAt <= now || progress.startedAt > now;
}

function groupAccounts(accounts: readonly KnownAccount[]): Group[] {
  const groups = Map.groupBy(accounts, (account) => account.credentials.backofficeKey);
  return [...groups].map(([key, members]) => ({ key, accounts: members }));
}

/** False when the bank was silent or a row's recording failed: the cursor then stays where it is. */
async function readGroup(
  deps: ReconcileDeps,
  silence: Silence,
  group: Group,
  startedAt: number,
): Promise<boolean> {
  const [reader] = group.accounts;
  if (reader === undefined) return true;
  try {
    const { from, long } = reach(group.accounts, startedAt);
    const clear = await readParts(deps, group.accounts, reader, from, startedAt + AHEAD_MS);
    const ids = group.accounts.map((account) => account.id);
    await deps.db.unit((tx) => markListRead(tx, ids, startedAt, long));
    silence.spoke(reader.id);
    // A row that could not be read may be the very money whose absence would be counted.
    if (clear) for (const id of ids) await deps.ledger.listRead(id, startedAt);
    return true;
  } catch (error) {
    if (error instanceof BankSilent) silence.silent(reader.id, error.message);
    else
      deps.log.error(
        { accountId: reader.id, detail: errorText(error) },
        "the bank's list could not be recorded",
      );
    return false;
  }
}

/** How far back this read goes: a day before the newest complete one; 35 days at first and once a day. */
function reach(accounts: readonly KnownAccount[], startedAt: number): { from: number; long: boolean } {
  const longFrom = startedAt - LONG_MS;
  const starts = accounts.map(({ listReadAt }) =>
    isKnown(listReadAt, startedAt) ? listReadAt - DAY_MS : longFrom,
  );
  const longDue = accounts.some(
    ({ longReadAt }) => !isKnown(longReadAt, startedAt) || longReadAt <= startedAt - DAY_MS,
  );
  const from = Math.min(...starts, longDue ? longFrom : startedAt);
  return { from, long: from <= longFrom };
}

/** A read of the future was made by a clock that has been set back since: what it covered is anybody's guess. */
function isKnown(readAt: number | null, now: number): readAt is number {
  return readAt !== null && readAt <= now;
}

/** Reads and records part by part: what was read is recorded even when another part cannot be read or recorded. */
async function readParts(
  deps: ReconcileDeps,
  accounts: readonly KnownAccount[],
  reader: KnownAccount,
  from: number,
  to: number,
): Promise<boolean> {
  let clear = true;
  const failures: unknown[] = [];
  for (let start = from; start <= to; start += PART_MS) {
    const end = Math.min(start + PART_MS - 1, to);
    const rows = await deps.bank.listPayments(reader, { from: start, to: end }, () => {
      clear = false;
    });
    const byAccount = Map.groupBy(rows, (row) => accountOf(row, accounts) ?? reader);
    for (const [account, records] of byAccount) {
      await recordAll(deps.ledger, account.id, records).catch((error: unknown) => failures.push(error));
    }
  }
  if (failures.length > 0) throw failures[0];
  return clear;
}

function accountOf(row: BankRecord, accounts: readonly KnownAccount[]): KnownAccount | undefined {
  if (row.methodKey === undefined || row.methodKey === null) return undefined;
  return accounts.find(
    ({ credentials }) => credentials.mbWayKey === row.methodKey || credentials.mbKey === row.methodKey,
  );
}

function backOffMs(deps: Pick<Deps, 'settings'>, failures: number): number {
  const { reconcileMs } = deps.settings;
  return Math.max(reconcileMs, Math.min(reconcileMs * 2 ** Math.min(failures, 20), BACK_OFF_MAX_MS));
}
