import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { type AlertDeps, alertUndelivered } from '../alert.ts';
import { beginAttempts, deleteAttempt, markInterrupted } from './attempts-store.ts';
import { lockUnlocked, type Queue } from './due-store.ts';
import { LEASE_MS, SENDS_MAX } from './schedule.ts';
import {
  claimDeliveries,
  endedRecoveries,
  finishDeliveries,
  holdRecoveries,
  lockSendable,
  lockTransactions,
  type OwnDelivery,
  releaseClaim,
  type Sendable,
  unblockNext,
} from './store.ts';

const TOKEN_BYTES = 16;
/** The error that merchants see for an attempt interrupted by a crash. */
const INTERRUPTED = 'The attempt was interrupted by a restart of the service; its outcome is unknown.';

/** An attempt that is counted and recorded, ready to send. */
export interface Claimed {
  delivery: Sendable;
  /** Of this attempt, from 1. */
  number: number;
  startedAt: number;
  token: string;
}

export interface ClaimOptions {
  queue: Queue;
  /** Identifies this process in its claims; null while other processes cannot see it. */
  instanceId?: string | null;
  /** Deliveries in progress in this process, which must not be claimed as replacements. */
  held?: readonly Id<'dlv'>[];
}

/**
 * Claims due deliveries and counts their attempts before they are sent. For deliveries that another process claims first, it
 * claims others of the same merchant instead. A delivery without a URL or with the webhook turned off ends as skipped, and so does
 * one of an automatic recovery that `endedRecoveries` returns; a delivery that used its last request before a crash ends as
 * undelivered. `ended` has the states of these. The database transaction is queued before this returns.
 */
export async function claimDue(
  deps: Pick<Deps, 'db' | 'random'> & AlertDeps,
  due: readonly OwnDelivery[],
  { instanceId = null, queue, held = [] }: ClaimOptions,
) {
  const secret = deps.random(TOKEN_BYTES).toString('base64url');
  const token = instanceId === null ? secret : `${instanceId}.${secret}`;
  return await deps.db.unit(async (tx) => {
    const now = deps.clock.now();
    const sendable = await lockSendable(tx, due, { now });
    if (sendable.length < due.length && deps.db.cluster !== null) {
      const others = await lockInstead(tx, due, sendable, { now, queue, held });
      sendable.push(...(await lockSendable(tx, others, { now })));
    }
    for (const row of sendable) {
      if (row.claim_token !== null) await markInterrupted(tx, row, INTERRUPTED);
    }
    const recovered = sendable.filter(({ recovery_id }) => recovery_id !== null);
    const notSent = new Set((await endedRecoveries(tx, recovered, {})).map(({ id }) => id));
    const {
      send = [],
      skipped = [],
      undelivered = [],
    } = Object.groupBy(sendable, (row) => (notSent.has(row.id) ? 'skipped' : nextStep(row)));
    const claimed = await claim(tx, send, token, now);
    await holdRecoveries(tx, [...skipped, ...undelivered]);
    const ended = [
      ...(await end(tx, skipped, 'skipped', now)),
      ...(await end(tx, undelivered, 'undelivered', now)),
    ];
    // After the locks of `end`, as the outcomes of attempts do.
    await alertUndelivered(tx, deps, undelivered);
    return { claimed, ended };
  });
}

/** Releases the claim of an attempt that was not sent and deletes the attempt, unless another process has claimed the delivery. */
export async function releaseUnsent(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { delivery, number, token }: Claimed,
): Promise<void> {
  await db.unit(async (tx) => {
    if (await releaseClaim(tx, delivery, token, clock.now())) await deleteAttempt(tx, delivery, number);
  });
}

/** Locks other due deliveries of each merchant, at most as many as other processes have taken from `due`. */
async function lockInstead(
  tx: Tx,
  due: readonly OwnDelivery[],
  locked: readonly Sendable[],
  { now, queue, held }: { now: number; queue: Queue; held: readonly Id<'dlv'>[] },
): Promise<OwnDelivery[]> {
  const except = locked.map(({ id }) => id);
  const isLocked = new Set(except);
  const taken = due.filter(({ id }) => !isLocked.has(id));
  const missing = new Map(
    [...Map.groupBy(taken, (row) => row.merchant_id)].map(([id, { length }]) => [id, length]),
  );
  const limit = Math.max(...missing.values());
  const merchants = [...missing.keys()];
  const found = await lockUnlocked(tx, { merchants, now, except: [...except, ...held] }, queue, limit);
  const byMerchant = Map.groupBy(found, (row) => row.merchant_id);
  return [...byMerchant].flatMap(([id, rows]) => rows.slice(0, missing.get(id)));
}

function nextStep(row: Sendable): 'send' | 'skipped' | 'undelivered' {
  if (row.attempts_count >= SENDS_MAX) return 'undelivered';
  const isEnabled = row.webhook_enabled === 1 || row.kind === 'webhook.test';
  return isEnabled && row.webhook_url !== null ? 'send' : 'skipped';
}

async function claim(tx: Tx, rows: readonly Sendable[], token: string, now: number): Promise<Claimed[]> {
  const claimed = rows.map((row) => ({
    delivery: row,
    number: row.attempts_count + 1,
    startedAt: now,
    token,
  }));
  await claimDeliveries(tx, rows, { token, until: now + LEASE_MS });
  await beginAttempts(
    tx,
    claimed.map(({ delivery: { id, merchant_id }, number }) => ({
      delivery_id: id,
      merchant_id,
      number,
      started_at: now,
    })),
  );
  return claimed;
}

async function end(tx: Tx, rows: readonly Sendable[], state: 'skipped' | 'undelivered', now: number) {
  await lockTransactions(tx, rows);
  const ended = await finishDeliveries(tx, rows, { state, now });
  await unblockNext(tx, rows);
  return ended.map(() => state);
}
