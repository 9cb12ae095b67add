import { RateLimiterMemory } from 'rate-limiter-flexible';
import { clientKey } from '../../http/rate-limit.ts';
import type { Id } from '../../kernel/ids.ts';
import { BackofficeError } from '../errors.ts';

/** Tries in a row that cost no waiting: a person's mistakes, and an office full of people behind one address. */
const OWN_FREE = 5;
const ADDRESS_FREE = 25;
const FIRST_WAIT_SECONDS = 2;
const WAIT_SECONDS_MAX = 300;
/** From the first failure on; bounds the memory that strangers can fill, too. */
const FORGOTTEN_SECONDS = 3600;
/** Points are only counted here; what they lead to is decided by the number. */
const UNCOUNTED = Number.MAX_SAFE_INTEGER;

/** One try of a password, counted before it is looked at, so that many at once count as many. */
export interface Try {
  /** It was right: the count of the e-mail, or of the person, begins anew. */
  succeed(): Promise<void>;
  /** It was right as far as it went, and a code is to follow: it does not count, nor does it forgive. */
  pause(): Promise<void>;
}

export interface Throttle {
  /** Counts a stranger's try for this e-mail from this address. Throws TOO_MANY_REQUESTS, with the seconds left, while either has to wait. */
  begin(email: string, address: string): Promise<Try>;
  /**
   * The same for somebody who is signed in, counted by the person alone: whoever knows an e-mail, or shares an address, can make its
   * owner wait at the door, but not in the house.
   */
  beginSignedIn(userId: Id<'usr'>): Promise<Try>;
}

/** Each failure beyond the free ones doubles the wait, from 2 s up to 5 minutes; nobody is locked out for longer. */
export function createThrottle(): Throttle {
  const failures = new RateLimiterMemory({
    keyPrefix: 'failed',
    points: UNCOUNTED,
    duration: FORGOTTEN_SECONDS,
  });
  const waits = new RateLimiterMemory({ keyPrefix: 'wait', points: 1, duration: WAIT_SECONDS_MAX });

  async function count(key: string, free: number): Promise<void> {
    const { consumedPoints } = await failures.penalty(key);
    if (consumedPoints >= free) await waits.block(key, waitSeconds(consumedPoints - free));
  }
  async function refund(key: string): Promise<void> {
    await failures.reward(key);
    await waits.delete(key);
  }
  /** `own` is whose tries they are, `shared` what others feed as well. */
  async function begin(own: string, shared: string | null): Promise<Try> {
    const keys = shared === null ? [own] : [own, shared];
    const standing = await Promise.all(keys.map((key) => waits.get(key)));
    const waitMs = Math.max(...standing.map((wait) => wait?.msBeforeNext ?? 0));
    if (waitMs > 0) throw throttled(Math.ceil(waitMs / 1000));
    await count(own, OWN_FREE);
    if (shared !== null) await count(shared, ADDRESS_FREE);
    return {
      async succeed() {
        await Promise.all([failures.delete(own), waits.delete(own)]);
        if (shared !== null) await refund(shared);
      },
      async pause() {
        await Promise.all(keys.map(refund));
      },
    };
  }
  return {
    begin: (email, address) => begin(`email ${email}`, `address ${clientKey(address)}`),
    beginSignedIn: (userId) => begin(`user ${userId}`, null),
  };
}

function waitSeconds(beyond: number): number {
  return Math.min(WAIT_SECONDS_MAX, FIRST_WAIT_SECONDS * 2 ** Math.min(beyond, 20));
}

function throttled(seconds: number): BackofficeError {
  return new BackofficeError(
    'TOO_MANY_REQUESTS',
    `Too many tries. Wait ${seconds} s, then try again; ask for a reset link if you have forgotten the password.`,
    { reason: 'sign_in_throttled', values: { seconds } },
  );
}
