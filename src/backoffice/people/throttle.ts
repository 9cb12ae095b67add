import { hash } from 'node:crypto';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import {
  countPost,
  discountPost,
  forgetClients,
  latestEnd,
  openWindow,
} from '../../http/post-counts-store.ts';
import { clientKey, createRateLimit } from '../../http/rate-limit.ts';
import type { Id } from '../../kernel/ids.ts';
import { BackofficeError } from '../errors.ts';

/** The number of consecutive failures without a wait. An office can share an address; a person can have several browsers. */
const OWN_FREE = 5;
const SHARED_FREE = 25;
const FIRST_WAIT_SECONDS = 2;
const WAIT_SECONDS_MAX = 300;
/** Failures expire this long after the first, which bounds the rows that strangers can create. */
const FORGOTTEN_MS = 3_600_000;
/** Calls per address and minute that have a body and no session. */
const ANONYMOUS_MAX = 120;

export type Throttle = ReturnType<typeof createThrottle>;

/** A counter of failures, and its number of failures without a wait. */
interface Counted {
  readonly name: string;
  readonly free: number;
}

/**
 * Each failure after the free ones doubles the wait, from 2 seconds to 5 minutes. All processes on a database share the counts.
 */
export function createThrottle(deps: Pick<Deps, 'db' | 'clock'>) {
  const { db, clock } = deps;
  const anonymous = createRateLimit(deps, ANONYMOUS_MAX);

  /** One attempt, counted as a failure until its outcome is known, so that concurrent attempts all count. */
  async function begin(own: string, shared: string | null) {
    const counted: Counted[] = [{ name: own, free: OWN_FREE }];
    if (shared !== null) counted.push({ name: shared, free: SHARED_FREE });
    await db.unit((tx) => countAll(tx, counted, clock.now()));
    const others = counted.slice(1);
    return {
      /** Clears the failures of the e-mail, device or person. */
      async succeed() {
        await db.unit(async (tx) => {
          await forgetClients(tx, [failures(own), wait(own)]);
          for (const { name } of others) await refund(tx, name);
        });
      },
      /** Undoes the count of this attempt without clearing earlier failures: the password was correct and a code is missing. */
      async discount() {
        await db.unit(async (tx) => {
          for (const { name } of counted) await refund(tx, name);
        });
      },
    };
  }
  return {
    /** Counts a call without a session, before its body is read. Throws TOO_MANY_REQUESTS with the seconds to wait. */
    async admit(address: string) {
      const standing = await anonymous?.count(`anonymous ${clientKey(address)}`);
      if (standing?.exceeded) throw throttled(standing.resetSeconds);
    },
    /**
     * Counts an attempt to sign in, by e-mail or passkey and by address; on a device known to its user, by the device and by the
     * known devices together, so that strangers cannot lock it out. Throws TOO_MANY_REQUESTS with the seconds to wait.
     */
    begin: (name: string, address: string, device: string | null) =>
      device === null
        ? begin(`email ${digest(name)}`, `address ${clientKey(address)}`)
        : begin(`device ${device}`, `devices ${digest(name)}`),
    /** Counts an attempt of a signed-in person by the person only, so that strangers cannot lock them out. */
    beginSignedIn: (userId: Id<'usr'>) => begin(`user ${userId}`, null),
    /** Counts a password set by a one-time link, by the link only. */
    beginLink: (tokenHash: string) => begin(`link ${tokenHash}`, null),
  };
}

/** Counts first, which locks the rows, so that no concurrent attempt misses a wait. A refusal rolls the counts back. */
async function countAll(tx: Tx, counted: readonly Counted[], now: number): Promise<void> {
  const counts: number[] = [];
  for (const { name } of counted) {
    counts.push((await countPost(tx, failures(name), now, FORGOTTEN_MS)).count);
  }
  const waits = counted.map(({ name }) => wait(name));
  const waitsUntil = await latestEnd(tx, waits, now, WAIT_SECONDS_MAX * 1000);
  if (waitsUntil !== null) throw throttled(Math.ceil((waitsUntil - now) / 1000));
  for (const [index, { name, free }] of counted.entries()) {
    const beyond = (counts[index] ?? 0) - free;
    if (beyond >= 0) await openWindow(tx, wait(name), now + waitSeconds(beyond) * 1000);
  }
}

async function refund(tx: Tx, name: string): Promise<void> {
  await discountPost(tx, failures(name));
  await forgetClients(tx, [wait(name)]);
}

const failures = (name: string) => `failed ${name}`;
const wait = (name: string) => `wait ${name}`;

/** Keeps the e-mails that strangers type out of the table, and its keys short. */
function digest(name: string): string {
  return hash('sha256', name, 'base64url');
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
