import { setTimeout as delay } from 'node:timers/promises';
import { isUnreachable } from './failures.ts';

/** How long work waits for a server that is away, from its beginning; a restart takes a second or two. */
export const AWAY_MAX_MS = 6000;
const AWAY_LOOK_MS = 250;

/** Whether work that began at `since` (`performance.now()`) and failed so may be tried again now, after a short wait. */
export async function mayBeBack(error: unknown, since: number): Promise<boolean> {
  if (!isUnreachable(error) || performance.now() - since >= AWAY_MAX_MS) return false;
  await delay(AWAY_LOOK_MS);
  return true;
}
