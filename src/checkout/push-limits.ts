import type { Tx } from '../db/database.ts';
import { lockNumber } from '../db/row-locks.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { forgetPushes, insertPush, pushSince } from './store.ts';

const SESSION_PUSHES_MAX = 5;
const SESSION_WINDOW_MS = 10 * 60_000;
const PHONE_WINDOW_MS = 3_600_000;
/** The advisory locks of phone numbers on PostgreSQL begin here; arbitrary, and must never change. */
const PHONE_LOCKS = 8_000_000_000_000;

/** The session or the phone has had as many pushes as allowed; the next is possible at `until`. */
export class PushLimited extends Error {
  override readonly name = 'PushLimited';
  readonly until: number;

  constructor(until: number) {
    super('too many pushes');
    this.until = until;
  }
}

/** Counts a push of the payment page before the bank is called. The session is locked. Throws PushLimited. */
export async function countPush(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'settings'>,
  push: { attemptId: Id<'att'>; sessionId: Id<'cs'>; phoneNumber: string },
): Promise<void> {
  const now = deps.clock.now();
  const { attemptId, sessionId, phoneNumber } = push;
  await lockNumber(tx, PHONE_LOCKS + Number(phoneNumber));
  const ofSession = await pushSince(
    tx,
    { session_id: sessionId },
    now - SESSION_WINDOW_MS,
    SESSION_PUSHES_MAX,
  );
  const ofPhone = await pushSince(
    tx,
    { phone_number: phoneNumber },
    now - PHONE_WINDOW_MS,
    deps.settings.phonePushesPerHour,
  );
  const until = Math.max(
    ofSession === null ? 0 : ofSession + SESSION_WINDOW_MS,
    ofPhone === null ? 0 : ofPhone + PHONE_WINDOW_MS,
  );
  if (until > 0) throw new PushLimited(until);
  await forgetPushes(tx, now - PHONE_WINDOW_MS);
  await insertPush(tx, {
    attempt_id: attemptId,
    session_id: sessionId,
    phone_number: phoneNumber,
    created_at: now,
  });
}
