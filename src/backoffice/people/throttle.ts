import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { clientKey } from '../../http/rate-limit.ts';
import type { Id } from '../../kernel/ids.ts';
import { BackofficeError } from '../errors.ts';

/** Failures in a row without a wait. An address can be shared by an office. */
const OWN_FREE = 5;
const ADDRESS_FREE = 25;
const FIRST_WAIT_SECONDS = 2;
const WAIT_SECONDS_MAX = 300;
/** Failures are forgotten this long after the first. Bounds the memory that strangers can fill. */
const FORGOTTEN_SECONDS = 3600;
/** Calls per address and minute that have a body and no session. */
const ANONYMOUS_MAX = 120;
const ANONYMOUS_SECONDS = 60;

/** One attempt, counted as a failure until its outcome is known, so that concurrent attempts all count. */
export interface Attempt {
  /** Clears the failures of the e-mail or person. */
  succeed(): Promise<void>;
  /** Takes this attempt back without clearing earlier failures: the password was right and a code is missing. */
  discount(): Promise<void>;
}

export interface Throttle {
  /** Counts a call without a session, before its body is read. Throws TOO_MANY_REQUESTS with the seconds to wait. */
  admit(address: string): Promise<void>;
  /** Counts an attempt to sign in, by e-mail and by address. Throws TOO_MANY_REQUESTS with the seconds to wait. */
  begin(email: string, address: string): Promise<Attempt>;
  /** Counts an attempt of a signed-in person by the person only, so that strangers cannot lock them out. */
  beginSignedIn(userId: Id<'usr'>): Promise<Attempt>;
}

/** Each failure after the free ones doubles the wait, from 2 seconds to 5 minutes. */
export function createThrottle(): Throttle {
  const failures = new RateLimiterMemory({
    keyPrefix: 'failed',
    points: Number.MAX_SAFE_INTEGER,
    duration: FORGOTTEN_SECONDS,
  });
  const waits = new RateLimiterMemory({ keyPrefix: 'wait', points: 1, duration: WAIT_SECONDS_MAX });
  const anonymous = new RateLimiterMemory({
    keyPrefix: 'anonymous',
    points: ANONYMOUS_MAX,
    duration: ANONYMOUS_SECONDS,
  });

  async function count(key: string, free: number): Promise<void> {
    const { consumedPoints } = await failures.penalty(key);
    if (consumedPoints >= free) await waits.block(key, waitSeconds(consumedPoints - free));
  }
  async function refund(key: string): Promise<void> {
    await failures.reward(key);
    await waits.delete(key);
  }
  async function begin(own: string, shared: string | null): Promise<Attempt> {
    const keys = shared === null ? [own] : [own, shared];
    const current = await Promise.all(keys.map((key) => waits.get(key)));
    const waitMs = Math.max(...current.map((wait) => wait?.msBeforeNext ?? 0));
    if (waitMs > 0) throw throttled(Math.ceil(waitMs / 1000));
    await count(own, OWN_FREE);
    if (shared !== null) await count(shared, ADDRESS_FREE);
    return {
      async succeed() {
        await Promise.all([failures.delete(own), waits.delete(own)]);
        if (shared !== null) await refund(shared);
      },
      async discount() {
        await Promise.all(keys.map(refund));
      },
    };
  }
  return {
    async admit(address) {
      await anonymous.consume(clientKey(address)).catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) throw throttled(Math.ceil(refusal.msBeforeNext / 1000));
        throw refusal;
      });
    },
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
    `Too many attempts. Wait ${seconds} s and try again, or ask for a reset link if you forgot the password.`,
    { reason: 'sign_in_throttled', values: { seconds } },
  );
}
