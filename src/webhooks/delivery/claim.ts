import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { SENDS_MAX } from './schedule.ts';
import {
  claimDeliveries,
  finishDeliveries,
  lockLanes,
  markCut,
  putAttempts,
  readSendable,
  type Sendable,
  unblockLanes,
} from './store.ts';

/** How long a claim keeps others away: the deadline of an attempt, and ample time to write its outcome. */
export const LEASE_MS = 20_000;
const TOKEN_BYTES = 16;

/** What merchants read of an attempt that a crash cut short. */
const CUT = 'The attempt was interrupted by a restart of the service; its outcome is unknown.';

/** An attempt that is counted and recorded, and must now be sent. */
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
  /** Deliveries that ended here, without a request. */
  ended: { id: Id<'dlv'>; state: 'skipped' | 'undelivered' }[];
  /** Whether a delivery of a lane became free. */
  unblocked: boolean;
}

/**
 * Claims due deliveries in one unit, queued before this returns: counts their attempts before anything is sent, and reads URL and toggle, which
 * hold for this attempt alone. A delivery whose merchant has no URL or turned the toggle off ends as skipped; one
 * whose last permitted request was cut by a crash ends as undelivered. `mark` shows the neighbours whether the claimer lives.
 */
export async function claimDue(
  deps: Pick<Deps, 'db' | 'clock' | 'random'>,
  ids: readonly Id<'dlv'>[],
  mark: string | null = null,
): Promise<ClaimResult> {
  const secret = deps.random(TOKEN_BYTES).toString('base64url');
  const token = mark === null ? secret : `${mark}.${secret}`;
  return await deps.db.unit(async (tx) => {
    const now = deps.clock.now();
    const sendable = await readSendable(tx, ids, now);
    for (const row of sendable) {
      if (row.claim_token !== null) await markCut(tx, row.id, row.attempts_count, CUT);
    }
    const byFate = Map.groupBy(sendable, fate);
    const claimed = await claim(tx, byFate.get('send') ?? [], token, now);
    const skipped = await end(tx, byFate.get('skipped') ?? [], 'skipped', now);
    const undelivered = await end(tx, byFate.get('undelivered') ?? [], 'undelivered', now);
    return {
      claimed,
      ended: [...skipped.ended, ...undelivered.ended],
      unblocked: skipped.unblocked || undelivered.unblocked,
    };
  });
}

function fate(row: Sendable): 'send' | 'skipped' | 'undelivered' {
  if (row.attempts_count >= SENDS_MAX) return 'undelivered';
  const wanted = row.webhook_enabled === 1 || row.kind === 'webhook.test';
  return wanted && row.webhook_url !== null ? 'send' : 'skipped';
}

async function claim(tx: Tx, rows: readonly Sendable[], token: string, now: number): Promise<Claimed[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const won = await claimDeliveries(tx, ids, { token, now, until: now + LEASE_MS });
  const claimed = rows
    .filter((row) => won.has(row.id))
    .map((row) => ({
      delivery: row,
      url: row.webhook_url ?? '',
      number: row.attempts_count + 1,
      startedAt: now,
      token,
    }));
  if (claimed.length > 0) {
    await putAttempts(
      tx,
      claimed.map(({ delivery, number }) => ({ delivery_id: delivery.id, number, started_at: now })),
    );
  }
  return claimed;
}

async function end(tx: Tx, rows: readonly Sendable[], state: 'skipped' | 'undelivered', now: number) {
  if (rows.length === 0) return { ended: [], unblocked: false };
  await lockLanes(
    tx,
    rows.flatMap((row) => row.transaction_id ?? []),
  );
  const ended = new Set(
    await finishDeliveries(
      tx,
      rows.map((row) => row.id),
      { state, now },
    ),
  );
  const lanes = rows.flatMap((row) => (row.transaction_id && ended.has(row.id) ? [row.transaction_id] : []));
  const unblocked = lanes.length > 0 && (await unblockLanes(tx, lanes)) > 0;
  return { ended: [...ended].map((id) => ({ id, state })), unblocked };
}
