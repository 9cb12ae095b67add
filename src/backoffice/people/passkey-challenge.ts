import type { PasskeyChallengeTable } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import { type BackofficeError, refused } from '../errors.ts';
import { deleteChallenge, deleteOldestChallenges, insertChallenge } from './passkey-store.ts';
import { hashToken } from './session.ts';

const CHALLENGE_BYTES = 32;
const CHALLENGE_MS = 5 * 60_000;
/**
 * The maximum number of open challenges of people who are not signed in. A further one ends the oldest, so that strangers cannot
 * lock others out.
 */
const ANONYMOUS_MAX = 10_000;

type Purpose = Pick<PasskeyChallengeTable, 'kind' | 'user_id'>;

/** Makes a random challenge that can be answered once, within 5 minutes. */
export async function makeChallenge(
  { db, clock, random }: Pick<Deps, 'db' | 'clock' | 'random'>,
  purpose: Purpose,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(random(CHALLENGE_BYTES));
  const challenge_hash = hashToken(Buffer.from(bytes).toString('base64url'));
  const now = clock.now();
  await db.unit(async (tx) => {
    if (purpose.user_id === null) await deleteOldestChallenges(tx, ANONYMOUS_MAX);
    await insertChallenge(tx, { ...purpose, challenge_hash, expires_at: now + CHALLENGE_MS }, now);
  });
  return bytes;
}

/**
 * Uses up the challenge that the browser's `clientDataJSON` names, even if the response is then rejected. Throws when there is
 * none.
 */
export async function takeChallenge(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  purpose: Purpose,
  clientDataJSON: string,
): Promise<string> {
  const challenge = challengeOf(clientDataJSON);
  if (challenge === null) throw passkeyWrong();
  const named = { ...purpose, challenge_hash: hashToken(challenge) };
  if (!(await db.unit((tx) => deleteChallenge(tx, named, clock.now())))) throw passkeyWrong();
  return challenge;
}

function challengeOf(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    const challenge = (data as { challenge?: unknown } | null)?.challenge;
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** The same error for every rejected passkey, so that it reveals nothing about accounts. */
export function passkeyWrong(): BackofficeError {
  return refused('passkey_wrong', 'The passkey was not accepted. Try again.');
}
