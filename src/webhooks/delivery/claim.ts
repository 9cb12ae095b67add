import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { type AlertDeps, alertUndelivered } from '../alert.ts';
import { beginAttempts, markInterrupted } from './attempts-store.ts';
import type { DueDelivery } from './due-store.ts';
import { LEASE_MS, SENDS_MAX } from './schedule.ts';
import {
  claimDeliveries,
  finishDeliveries,
  lockSendable,
  lockTransactions,
  type Sendable,
  unblockNext,
} from './store.ts';

const TOKEN_BYTES = 16;
/** What merchants read about an attempt that a crash interrupted. */
const INTERRUPTED = 'The attempt was interrupted by a restart of the service; its outcome is unknown.';

/** An attempt that is counted and recorded, and is sent next. */
export interface Claimed {
  delivery: Sendable;
  url: string;
  /** Of this attempt, from 1. */
  number: number;
  startedAt: number;
  token: string;
}

export interface ClaimResult {
  claimed: Claimed[];
  /** Deliveries that ended without a request. */
  ended: { id: Id<'dlv'>; state: 'skipped' | 'undelivered' }[];
}

/**
 * Claims due deliveries and counts their attempts before anything is sent. A delivery without a URL or with the webhook
 * turned off ends as skipped; one that used its last request before a crash ends as undelivered. The database transaction
 * is queued before this returns.
 */
export async function claimDue(
  deps: Pick<Deps, 'db' | 'random'> & AlertDeps,
  due: readonly DueDelivery[],
  instanceId: string | null = null,
): Promise<ClaimResult> {
  const secret = deps.random(TOKEN_BYTES).toString('base64url');
  const token = instanceId === null ? secret : `${instanceId}.${secret}`;
  return await deps.db.unit(async (tx) => {
    const now = deps.clock.now();
    const rows = due.map(({ id, merchantId }) => ({ id, merchant_id: merchantId }));
    const sendable = await lockSendable(tx, rows, now);
    for (const row of sendable) {
      if (row.claim_token !== null) await markInterrupted(tx, row, INTERRUPTED);
    }
    const { send = [], skipped = [], undelivered = [] } = Object.groupBy(sendable, nextStep);
    const lost = undelivered.filter(({ kind }) => kind !== 'webhook.test');
    await alertUndelivered(
      tx,
      deps,
      lost.map((row) => row.merchant_id),
    );
    return {
      claimed: await claim(tx, send, token, now),
      ended: [
        ...(await end(tx, skipped, 'skipped', now)),
        ...(await end(tx, undelivered, 'undelivered', now)),
      ],
    };
  });
}

function nextStep(row: Sendable): 'send' | 'skipped' | 'undelivered' {
  if (row.attempts_count >= SENDS_MAX) return 'undelivered';
  const isEnabled = row.webhook_enabled === 1 || row.kind === 'webhook.test';
  return isEnabled && row.webhook_url !== null ? 'send' : 'skipped';
}

async function claim(tx: Tx, rows: readonly Sendable[], token: string, now: number): Promise<Claimed[]> {
  const claimed = rows.map((row) => ({
    delivery: row,
    url: row.webhook_url ?? '',
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
  return ended.map((id) => ({ id, state }));
}
