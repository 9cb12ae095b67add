import type { BankRecord, PushState } from '../banks/port.ts';
import type { BankAttempt, DueAttempt, SettlementPort } from '../banks/settlement-port.ts';
import { afterCommit, type Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import {
  type AttemptRow,
  attemptOfRecord,
  changeAttempt,
  duePushes,
  dueRecoveries,
  dueReferences,
  nextCheckAt,
  unknownPushes,
} from './attempt-store.ts';
import { matchReceipt, recordPayment } from './record-payment.ts';
import { adoptSettledReceipt, settleRecord } from './settle.ts';
import { receiptOfIdentity } from './store.ts';
import { type EndDeps, endAttempt, type LockedAttempt, lockAttempt } from './transitions.ts';

type SettlementDeps = EndDeps & Pick<Deps, 'db' | 'log' | 'bankAccounts'>;

const CHECK_DELAY_MAX_MS = 60_000;
const DELAY_DOUBLINGS_MAX = 16;
const LIST_READS_NEEDED = 2;
/** A check makes at most this many requests to the bank before it writes. */
const REQUESTS_PER_CHECK = 3;
const CHECK_SLACK_MS = 5000;
const RECORDS_PER_BATCH = 200;
const PUSHES_PER_PAGE = 200;

/** Creates the payments side of the bank workers. */
export function createSettlement(deps: SettlementDeps): SettlementPort {
  const { db } = deps;
  let pushesFirst = false;
  // A request that lies ahead was dated by a clock that has been set back since. It must not end an attempt too early.
  const noLater = (at: number) => Math.min(at, deps.clock.now());
  const change = (attempt: BankAttempt, apply: (tx: Tx, locked: LockedAttempt) => Promise<void>) =>
    db.unit(async (tx) => apply(tx, await lockAttempt(tx, attempt)));
  return {
    async findAttempt(bankOrderId) {
      return (await attemptOfRecord(db.read, { bankOrderId, requestId: null })) ?? null;
    },
    dueAttempts(now, limit) {
      // Alternates which kind comes first, so that with a backlog of both each gets half of the rate.
      pushesFirst = !pushesFirst;
      return dueAttempts(deps, now, limit, pushesFirst);
    },
    nextCheckAt: () => nextCheckAt(db.read),
    async claimCheck(attempt) {
      if (db.cluster === null) return true;
      const until = deps.clock.now() + checkLeaseMs(deps);
      return db.unit((tx) => changeAttempt(tx, attempt, ['open'], { check_at: until }, attempt.check_at));
    },
    recordPayments: (accountId, records) => recordPayments(deps, accountId, records),
    applyPushState: (attempt, state, askedAt) =>
      change(attempt, (tx, locked) => applyPushState(tx, deps, locked, state, noLater(askedAt))),
    deferCheck: (attempt) => change(attempt, (tx, locked) => deferCheck(tx, deps, locked)),
    expireReference: (attempt, readAt) =>
      change(attempt, (tx, locked) => expireReference(tx, deps, locked, noLater(readAt))),
    recoverCreate: (attempt) => change(attempt, (tx, locked) => recoverCreate(tx, deps, locked)),
    unknownPushes: (accountId, after, limit) => unknownPushes(db.read, accountId, after, limit),
    countListRead: (accountId, since, readAt) => countListRead(deps, accountId, since, noLater(readAt)),
  };
}

/** How long a check of an attempt excludes other processes. */
function checkLeaseMs({ settings }: Pick<Deps, 'settings'>): number {
  return settings.bankTimeoutMs * REQUESTS_PER_CHECK + CHECK_SLACK_MS;
}

/** The longest time until the next inquiry about a push; a later plan means that the clock was set back. */
function inquiryWaitMaxMs(deps: Pick<Deps, 'settings'>): number {
  return Math.max(deps.settings.inquiryMs, CHECK_DELAY_MAX_MS, checkLeaseMs(deps)) + CHECK_SLACK_MS;
}

async function dueAttempts(
  deps: SettlementDeps,
  now: number,
  limit: number,
  pushesFirst: boolean,
): Promise<DueAttempt[]> {
  const due = (rows: AttemptRow[], action: DueAttempt['action']): DueAttempt[] =>
    rows.map((row) => ({ ...row, action }));
  const db = deps.db.read;
  const recoveries = due(await dueRecoveries(db, now, limit), 'recover');
  const pushes = due(await duePushes(db, now, now + inquiryWaitMaxMs(deps), limit), 'inquire');
  const references = due(await dueReferences(db, now, limit), 'last-read');
  const checks = pushesFirst ? [...pushes, ...references] : [...references, ...pushes];
  return [...recoveries, ...checks].slice(0, limit);
}

/**
 * Records rows in the order of their payment: the first full payment of a transaction pays it, and later ones are duplicates. Each
 * row has its own database transaction, so that a row that fails does not roll back the others.
 */
async function recordPayments(
  deps: SettlementDeps,
  accountId: Id<'acc'>,
  records: readonly BankRecord[],
): Promise<void> {
  const failures: unknown[] = [];
  const fail = (error: unknown) => {
    failures.push(error);
    return null;
  };
  const record = (row: BankRecord) =>
    deps.db.unit((tx) => recordPayment(tx, deps, accountId, row)).catch(fail);
  const lookUp = async (row: BankRecord) => {
    const attempt = await attemptOfRecord(deps.db.read, row);
    return { row, order: attempt?.transaction_id ?? row };
  };
  const rows = oldestFirst(records);
  for (let start = 0; start < rows.length; start += RECORDS_PER_BATCH) {
    const batch = rows.slice(start, start + RECORDS_PER_BATCH).map((row) => lookUp(row).catch(fail));
    const found = (await Promise.all(batch)).filter((each) => each !== null);
    const sequences = Map.groupBy(found, ({ order }) => order);
    await Promise.all(
      [...sequences.values()].map(async (sequence) => {
        for (const { row } of sequence) await record(row);
      }),
    );
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Sorts by the time of payment; a row without a time is the latest. Within one second the list is assumed to be newest first, as
 * the sandbox's is: no acquirer documents its order.
 */
function oldestFirst(records: readonly BankRecord[]): BankRecord[] {
  const timeOf = ({ paidAt }: BankRecord) => paidAt ?? Number.MAX_SAFE_INTEGER;
  return records.toReversed().toSorted((a, b) => timeOf(a) - timeOf(b));
}

async function applyPushState(
  tx: Tx,
  deps: SettlementDeps,
  locked: LockedAttempt,
  state: PushState,
  askedAt: number,
): Promise<void> {
  switch (state.kind) {
    case 'paid':
      return settlePush(tx, deps, locked, state);
    case 'rejected':
    case 'declined':
      return endAttempt(tx, deps, locked, ['open', 'unknown'], state.kind);
    case 'waiting':
      return waitOrLapse(tx, deps, locked, askedAt);
    case 'absent':
      return countAbsence(tx, deps, locked, askedAt);
  }
}

async function settlePush(
  tx: Tx,
  deps: SettlementDeps,
  locked: LockedAttempt,
  { identity, paidAt, record: told }: Extract<PushState, { kind: 'paid' }>,
): Promise<void> {
  const { attempt } = locked;
  const receipt = await receiptOfIdentity(tx, identity);
  const record: BankRecord = told ?? {
    identity,
    method: 'MBWAY',
    amount: attempt.amount_cents,
    paidAt,
    requestId: attempt.request_id,
    bankOrderId: attempt.bank_order_id,
    entity: null,
    reference: null,
    raw: { source: 'inquiry', requestId: attempt.request_id },
  };
  if (receipt === undefined) return settleRecord(tx, deps, record, locked);
  if (await adoptSettledReceipt(tx, deps, locked, receipt)) return;
  if (await matchReceipt(tx, deps, record, locked, receipt)) return;
  // The receipt belongs to no attempt or another one, which an operator must resolve: the push stays open, with rare checks.
  const check_at = deps.clock.now() + CHECK_DELAY_MAX_MS;
  if (await changeAttempt(tx, attempt, ['open'], { check_at })) {
    const message = 'a paid push has a receipt that belongs to no attempt or to another one';
    afterCommit(tx, () => deps.log.error({ attemptId: attempt.id }, message));
  }
}

async function waitOrLapse(
  tx: Tx,
  deps: SettlementDeps,
  locked: LockedAttempt,
  askedAt: number,
): Promise<void> {
  const { attempt } = locked;
  if (attempt.expires_at === null) return;
  const now = deps.clock.now();
  // A window that ends later than one that begins now was opened before the clock was set back.
  const expires_at = Math.min(attempt.expires_at, now + deps.settings.mbwayWindowMs);
  const end = expires_at + deps.settings.mbwayGraceMs;
  // The time of the request decides: the customer may have accepted while a slow answer was in transit.
  if (askedAt >= end) return endAttempt(tx, deps, locked, ['open', 'unknown'], 'lapsed');
  await changeAttempt(tx, attempt, ['open'], {
    expires_at,
    check_at: Math.min(now + deps.settings.inquiryMs, end),
    silent_count: 0,
  });
}

async function deferCheck(tx: Tx, deps: SettlementDeps, { attempt }: LockedAttempt): Promise<void> {
  const doublings = Math.min(attempt.silent_count, DELAY_DOUBLINGS_MAX);
  const delayMs = Math.min(deps.settings.inquiryMs * 2 ** doublings, CHECK_DELAY_MAX_MS);
  await changeAttempt(tx, attempt, ['open'], {
    check_at: deps.clock.now() + delayMs,
    silent_count: attempt.silent_count + 1,
  });
}

async function expireReference(
  tx: Tx,
  deps: SettlementDeps,
  locked: LockedAttempt,
  readAt: number,
): Promise<void> {
  const { attempt } = locked;
  if (attempt.expires_at === null) return;
  const end = attempt.expires_at + deps.settings.multibancoGraceMs;
  if (readAt >= end) return endAttempt(tx, deps, locked, ['open'], 'expired');
  // The clock was set back since this check was planned: the reference has not expired yet.
  await changeAttempt(tx, attempt, ['open'], { check_at: end, silent_count: 0 });
}

async function recoverCreate(tx: Tx, deps: SettlementDeps, locked: LockedAttempt): Promise<void> {
  const { attempt } = locked;
  if (attempt.method === 'REFERENCE') {
    return endAttempt(tx, deps, locked, ['initiated'], 'dead', 'interrupted');
  }
  await changeAttempt(tx, attempt, ['initiated'], {
    state: 'unknown',
    check_at: null,
    expires_at: attempt.created_at + deps.settings.bankTimeoutMs + deps.settings.mbwayWindowMs,
  });
}

async function countListRead(deps: SettlementDeps, accountId: Id<'acc'>, since: number, readAt: number) {
  const span = { createdSince: since, expiredBy: readAt - deps.settings.mbwayGraceMs };
  let after = '';
  for (;;) {
    const page = await unknownPushes(deps.db.read, accountId, after, PUSHES_PER_PAGE, span);
    for (const row of page) {
      await deps.db.unit(async (tx) => countClearRead(tx, deps, await lockAttempt(tx, row), readAt));
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PUSHES_PER_PAGE) return;
    after = last.id;
  }
}

/** Counts an inquiry about a push that the bank does not know, after a create without an answer. */
async function countAbsence(
  tx: Tx,
  deps: SettlementDeps,
  locked: LockedAttempt,
  askedAt: number,
): Promise<void> {
  const { expires_at: expiresAt } = locked.attempt;
  if (expiresAt === null || askedAt < expiresAt + deps.settings.mbwayGraceMs) return;
  await countClearRead(tx, deps, locked, askedAt);
}

/** Counts a complete list read or inquiry without this unknown push. It lapses after two, at least one interval apart. */
async function countClearRead(
  tx: Tx,
  deps: SettlementDeps,
  locked: LockedAttempt,
  readAt: number,
): Promise<void> {
  const { attempt } = locked;
  if (attempt.clear_read_at !== null && readAt - attempt.clear_read_at < deps.settings.reconcileMs) return;
  if (attempt.clear_reads + 1 >= LIST_READS_NEEDED)
    return endAttempt(tx, deps, locked, ['unknown'], 'lapsed');
  await changeAttempt(tx, attempt, ['unknown'], {
    clear_reads: attempt.clear_reads + 1,
    clear_read_at: readAt,
  });
}
