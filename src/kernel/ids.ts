import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

/** Every kind of row that has an id, by its prefix. A closed list: a new kind is added here first. */
export type IdPrefix =
  | 'tx'
  | 'mer'
  | 'key'
  | 'att'
  | 'rcp'
  | 'evt'
  | 'dlv'
  | 'acc'
  | 'hnt'
  | 'led'
  | 'req'
  | 'rcv'
  | 'usr'
  | 'ses'
  | 'aud'
  | 'rno';

/** A prefixed id, such as `tx_01k…`. The prefix is part of the type, so that ids of two kinds never mix. */
export type Id<P extends IdPrefix> = `${P}_${string}`;

/** Makes ids that sort by the time of their making, also within one millisecond. */
export type IdSource = <P extends IdPrefix>(prefix: P) => Id<P>;

// Crockford's base 32 in lower case: sorts as its numbers do and survives being read aloud.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 10;
const RANDOM_BYTES = 10;

/** 48 bits of milliseconds and 80 random bits, counted upwards within one millisecond (26 characters of base 32). */
export function createIds(clock: Clock, random: Random): IdSource {
  let lastTime = -1;
  let tail = 0n;
  return (prefix) => {
    // A clock set back must not break the order: time never runs backwards here.
    const time = Math.max(clock.now(), lastTime);
    if (time === lastTime) {
      tail += 1n;
    } else {
      // The top bit stays free so that counting up within one millisecond cannot overflow.
      tail = BigInt(`0x${random(RANDOM_BYTES).toString('hex')}`) >> 1n;
      lastTime = time;
    }
    return `${prefix}_${base32(BigInt(time), TIME_LENGTH)}${base32(tail, 16)}`;
  };
}

/** The lowest id of its kind that can have been made at `at` (UTC milliseconds) or later: where a look back in time ends. */
export function idFloor<P extends IdPrefix>(prefix: P, at: number): Id<P> {
  return `${prefix}_${base32(BigInt(Math.max(0, Math.trunc(at))), TIME_LENGTH)}`;
}

function base32(value: bigint, length: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < length; i++) {
    text = ALPHABET[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}
