import type { BankRecord, DueAttempt, Ledger, PushState } from '../banks/port.ts';
import { afterCommit, type Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { adoptSettledMoney } from './adopt.ts';
import {
  type AttemptRow,
  attemptOfRecord,
  changeAttempt,
  duePushes,
  dueRecoveries,
  dueReferences,
  findAttempt,
  nextCheckAt,
  overdueUnknownPushes,
  putOffLook,
} from './attempt-store.ts';
import { type EndDeps, endAttempt } from './end-attempt.ts';
import { settleRecord } from './settle.ts';

export type LedgerDeps = EndDeps & Pick<Deps, 'db' | 'log'>;

const SILENT_DELAY_MAX_MS = 60_000;
const SILENT_DOUBLINGS_MAX = 16;
const CLEAR_READS_NEEDED = 2;
/** A look asks the bank so many questions at most, and then writes. */
const LOOK_QUESTIONS = 2;
const LOOK_SLACK_MS = 5000;
const UNKNOWN_PAGE = 200;

/** The payments' side of the bank desk; see `Ledger` for what each call promises. */
export function createLedger(deps: LedgerDeps): Ledger {
  let looks = 0;
  return {
    dueAttempts: (now, limit) => dueAttempts(deps, now, limit, looks++ % 2 === 0),
    nextCheckAt: () => nextCheckAt(deps.db.read),
    takeLook: (attemptId, checkAt) => takeLook(deps, attemptId, checkAt),
    record: (accountId, records) => record(deps, accountId, records),
    pushAnswered: (attemptId, state, askedAt) =>
      deps.db.unit((tx) => pushAnswered(tx, deps, attemptId, state, askedAt)),
    bankSilent: (attemptId) => deps.db.unit((tx) => bankSilent(tx, deps, attemptId)),
    referenceRead: (attemptId, startedAt) =>
      deps.db.unit((tx) => referenceRead(tx, deps, attemptId, startedAt)),
    recover: (attemptId) => deps.db.unit((tx) => recover(tx, deps, attemptId)),
    listRead: (accountId, startedAt) => listRead(deps, accountId, startedAt),
    async isPaid(bankOrderId) {
      const attempt = await attemptOfRecord(deps.db.read, { bankOrderId, requestId: null });
      return attempt?.state === 'paid';
    },
  };
}

/** Pushes and last reads take turns at the front: under a backlog of one kind the other still gets half of the pace. */
async function dueAttempts(
  deps: LedgerDeps,
  now: number,
  limit: number,
  pushesFirst: boolean,
): Promise<DueAttempt[]> {
  const db = deps.db.read;
  const due = (rows: AttemptRow[], action: DueAttempt['action']): DueAttempt[] =>
    rows.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      bankOrderId: row.bank_order_id,
      requestId: row.request_id,
      action,
      checkAt: row.check_at,
    }));
  const recoveries = due(await dueRecoveries(db, now, limit), 'recover');
  const pushes = due(await duePushes(db, now, limit), 'inquire');
  const references = due(await dueReferences(db, now, limit), 'last-read');
  const [first, second] = pushesFirst ? [pushes, references] : [references, pushes];
  return [...recoveries, ...first, ...second].slice(0, limit);
}

/** Where no other process looks, nothing has to be written. */
async function takeLook(deps: LedgerDeps, id: Id<'att'>, checkAt: number | null): Promise<boolean> {
  if (deps.db.neighbours === null) return true;
  const until = deps.clock.now() + deps.settings.bankTimeoutMs * LOOK_QUESTIONS + LOOK_SLACK_MS;
  return await deps.db.unit((tx) => putOffLook(tx, id, checkAt, until));
}

async function record(deps: LedgerDeps, accountId: Id<'acc'>, records: readonly BankRecord[]): Promise<void> {
  // One unit each: on SQLite they share a commit anyway, and one that fails must not take the others' money with it.
  const results = await Promise.allSettled(
    records.map((row) => deps.db.unit((tx) => settleRecord(tx, deps, accountId, row))),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function pushAnswered(
  tx: Tx,
  deps: LedgerDeps,
  id: Id<'att'>,
  state: PushState,
  askedAt: number,
): Promise<void> {
  const attempt = await findAttempt(tx, id);
  if (attempt === undefined) return;
  switch (state.kind) {
    case 'paid':
      if (await settleRecord(tx, deps, attempt.account_id, recordOfPush(attempt, state))) return;
      if (await adoptSettledMoney(tx, deps, attempt, state.identity)) return;
      await lookAgainLater(tx, deps, attempt);
      return;
    case 'rejected':
    case 'declined':
      await endAttempt(tx, deps, attempt, ['open', 'unknown'], state.kind);
      return;
    case 'waiting':
      await waitOrLapse(tx, deps, attempt, askedAt);
  }
}

/**
 * Known money usually means a settled attempt. Should its receipt belong elsewhere, only a person can tell why: the
 * push stays open, and the bank is not asked without end.
 */
async function lookAgainLater(tx: Tx, deps: LedgerDeps, attempt: AttemptRow): Promise<void> {
  const check_at = deps.clock.now() + SILENT_DELAY_MAX_MS;
  const stillOpen = await changeAttempt(tx, attempt.id, ['open'], { check_at });
  if (stillOpen) {
    const said = 'a paid push has its money in the books without its attempt';
    afterCommit(tx, () => deps.log.error({ attemptId: attempt.id }, said));
  }
}

/** The bank's word on a push carries no amount; what was asked of it at creation is what was paid. */
function recordOfPush(attempt: AttemptRow, state: Extract<PushState, { kind: 'paid' }>): BankRecord {
  return {
    identity: state.identity,
    method: 'MBWAY',
    amount: attempt.amount_cents,
    paidAt: state.paidAt,
    requestId: attempt.request_id,
    bankOrderId: attempt.bank_order_id,
    entity: null,
    reference: null,
    raw: { source: 'inquiry', requestId: attempt.request_id },
  };
}

async function waitOrLapse(tx: Tx, deps: LedgerDeps, attempt: AttemptRow, askedAt: number): Promise<void> {
  if (attempt.state !== 'open' || attempt.expires_at === null) return;
  const end = attempt.expires_at + deps.settings.mbwayGraceMs;
  // The question's time counts: the customer may have accepted while a slow answer was on its way.
  if (askedAt >= end) {
    await endAttempt(tx, deps, attempt, ['open'], 'lapsed');
    return;
  }
  const now = deps.clock.now();
  await changeAttempt(tx, attempt.id, ['open'], {
    check_at: Math.min(now + deps.settings.inquiryMs, end),
    silent_count: 0,
  });
}

async function bankSilent(tx: Tx, deps: LedgerDeps, id: Id<'att'>): Promise<void> {
  const attempt = await findAttempt(tx, id);
  if (attempt === undefined) return;
  const doublings = Math.min(attempt.silent_count, SILENT_DOUBLINGS_MAX);
  const delayMs = Math.min(deps.settings.inquiryMs * 2 ** doublings, SILENT_DELAY_MAX_MS);
  await changeAttempt(tx, id, ['open'], {
    check_at: deps.clock.now() + delayMs,
    silent_count: attempt.silent_count + 1,
  });
}

async function referenceRead(tx: Tx, deps: LedgerDeps, id: Id<'att'>, startedAt: number): Promise<void> {
  const attempt = await findAttempt(tx, id);
  if (attempt === undefined || attempt.expires_at === null) return;
  const end = attempt.expires_at + deps.settings.multibancoGraceMs;
  if (startedAt >= end) {
    await endAttempt(tx, deps, attempt, ['open'], 'expired');
    return;
  }
  // Planned by a clock that was set back since: the day is not over yet, and this read tells nothing.
  await changeAttempt(tx, id, ['open'], { check_at: end, silent_count: 0 });
}

async function recover(tx: Tx, deps: LedgerDeps, id: Id<'att'>): Promise<void> {
  const attempt = await findAttempt(tx, id);
  if (attempt === undefined) return;
  if (attempt.method === 'REFERENCE') {
    await endAttempt(tx, deps, attempt, ['initiated'], 'dead', 'interrupted');
    return;
  }
  await changeAttempt(tx, id, ['initiated'], {
    state: 'unknown',
    check_at: null,
    expires_at: attempt.created_at + deps.settings.bankTimeoutMs + deps.settings.mbwayWindowMs,
  });
}

async function listRead(deps: LedgerDeps, accountId: Id<'acc'>, startedAt: number): Promise<void> {
  const expiredBefore = startedAt - deps.settings.mbwayGraceMs;
  let after = '';
  for (;;) {
    const page = await overdueUnknownPushes(deps.db.read, accountId, expiredBefore, after, UNKNOWN_PAGE);
    for (const attempt of page) await deps.db.unit((tx) => countClearRead(tx, deps, attempt, startedAt));
    const last = page.at(-1);
    if (last === undefined || page.length < UNKNOWN_PAGE) return;
    after = last.id;
  }
}

async function countClearRead(tx: Tx, deps: LedgerDeps, seen: AttemptRow, startedAt: number): Promise<void> {
  const attempt = await findAttempt(tx, seen.id);
  if (attempt === undefined || attempt.state !== 'unknown') return;
  const apart =
    attempt.clear_read_at === null || startedAt - attempt.clear_read_at >= deps.settings.reconcileMs;
  if (!apart) return;
  if (attempt.clear_reads + 1 >= CLEAR_READS_NEEDED) {
    await endAttempt(tx, deps, attempt, ['unknown'], 'lapsed');
    return;
  }
  await changeAttempt(tx, attempt.id, ['unknown'], {
    clear_reads: attempt.clear_reads + 1,
    clear_read_at: startedAt,
  });
}
