import type { Tx } from '../db/database.ts';
import { lockNumber } from '../db/row-locks.ts';
import type { Deps } from '../deps.ts';
import { countPost } from '../http/post-counts-store.ts';
import { clientKey } from '../http/rate-limit.ts';
import type { Id } from '../kernel/ids.ts';
import { type AttemptRow, attemptsOf } from '../payments/attempt-store.ts';
import type { TransactionKey } from '../payments/store.ts';
import { type Notice, noticeOf } from './notice.ts';
import { deletePushes, forgetPushes, insertPush, pushWithin } from './store.ts';

const SESSION_PUSHES_MAX = 5;
/** The maximum number of failed references of a transaction within the window. */
const SESSION_REFERENCES_MAX = 5;
const SESSION_WINDOW_MS = 10 * 60_000;
const PHONE_WINDOW_MS = 3_600_000;
const ADDRESS_WINDOW_MS = 3_600_000;
/** The orders through payment links that an address may start, per allowed push. */
const LINK_ORDERS_PER_PUSH = 4;
/** The advisory locks of phone numbers on PostgreSQL begin here; arbitrary, and must never change. */
const PHONE_LOCKS = 8_000_000_000_000;

/** The session, phone or client address has reached its limit of pushes, references or link orders. */
export class PushLimited extends Error {
  override readonly name = 'PushLimited';
  readonly notice: Notice;

  constructor(notice: Notice) {
    super('too many pushes');
    this.notice = notice;
  }
}

/** Counts a push of the payment page before the bank is called. The session is locked. Throws PushLimited. */
export async function countPush(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'settings'>,
  push: { attemptId: Id<'att'>; sessionId: Id<'cs'>; phoneNumber: string; address: string },
): Promise<void> {
  const now = deps.clock.now();
  const { attemptId, sessionId, phoneNumber, address } = push;
  await lockNumber(tx, PHONE_LOCKS + Number(phoneNumber));
  /** The end of the wait when `max` pushes were sent within the window, else 0. */
  const waitEnd = async (of: Parameters<typeof pushWithin>[1], windowMs: number, max: number) => {
    const sentAt = await pushWithin(tx, of, { now, windowMs }, max);
    return sentAt === null ? 0 : sentAt + windowMs;
  };
  const until = Math.max(
    await waitEnd({ session_id: sessionId }, SESSION_WINDOW_MS, SESSION_PUSHES_MAX),
    await waitEnd({ phone_number: phoneNumber }, PHONE_WINDOW_MS, deps.settings.phonePushesPerHour),
  );
  if (until > 0) throw new PushLimited({ kind: 'limit', until });
  await countAddress(tx, deps, `pushes ${clientKey(address)}`, deps.settings.addressPushesPerHour);
  await forgetPushes(tx, now - PHONE_WINDOW_MS);
  await insertPush(tx, {
    attempt_id: attemptId,
    session_id: sessionId,
    phone_number: phoneNumber,
    created_at: now,
  });
}

/**
 * Stops counting the newest pushes of a transaction for which no connection was made. A push before a sent one stays counted,
 * because it stands for its fallback.
 */
export async function forgetUnsent(tx: Tx, transaction: TransactionKey): Promise<void> {
  const pushes = (await attemptsOf(tx, transaction)).filter(({ method }) => method === 'MBWAY');
  const lastSent = pushes.findLastIndex(({ end_reason: reason }) => reason !== 'unreachable');
  await deletePushes(
    tx,
    pushes.slice(lastSent + 1).map(({ id }) => id),
  );
}

/** Throws PushLimited when too many references of the transaction have just failed. */
export function limitReferences(references: readonly AttemptRow[], now: number): void {
  const failed = references.filter(
    ({ state, created_at }) => state === 'dead' && Math.abs(now - created_at) < SESSION_WINDOW_MS,
  );
  if (failed.length >= SESSION_REFERENCES_MAX) throw new PushLimited(noticeOf('bank', now));
}

/** Counts an order that is started by a payment link. Throws PushLimited when the client's address has reached its limit. */
export async function countLinkOrder(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'settings'>,
  address: string,
): Promise<void> {
  const max = LINK_ORDERS_PER_PUSH * deps.settings.addressPushesPerHour;
  await countAddress(tx, deps, `links ${clientKey(address)}`, max);
}

async function countAddress(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  counted: string,
  max: number,
): Promise<void> {
  const { count, endsAt } = await countPost(tx, counted, clock.now(), ADDRESS_WINDOW_MS);
  if (count > max) throw new PushLimited({ kind: 'limit-address', until: endsAt });
}
