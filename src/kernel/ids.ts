import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

/** The closed list of id prefixes, one for each kind of row. */
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
  | 'rno'
  | 'pky'
  | 'ref'
  | 'rep'
  | 'cs'
  | 'lnk'
  | 'mail';

/** A prefixed id, such as `tx_01k…`. The type contains the prefix, so that ids of different kinds are incompatible. */
export type Id<P extends IdPrefix> = `${P}_${string}`;

/** Creates ids that sort by the time of their creation, also within one millisecond. */
export type IdSource = <P extends IdPrefix>(prefix: P) => Id<P>;

// Crockford's base 32 in lower case, which sorts like the numbers it encodes.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 10;
const HALF_BYTES = 5;
const HALF_LENGTH = 8;
const HALF = 2 ** 40;

/** Creates a source of ULIDs: 48 bits of milliseconds and 80 random bits, which count up within one millisecond. */
export function createIds(clock: Clock, random: Random): IdSource {
  let lastTime = -1;
  // The 80 bits in two halves, because a number holds 53 bits exactly.
  let high = 0;
  let low = 0;
  // The part of an id that is constant within a millisecond: all but the lower half.
  let head = '';
  return (prefix) => {
    // Never decreases, so that a clock that is set back does not break the order.
    const time = Math.max(clock.now(), lastTime);
    if (time === lastTime) {
      low += 1;
      if (low === HALF) {
        low = 0;
        high += 1;
        head = base32(time, TIME_LENGTH) + base32(high, HALF_LENGTH);
      }
    } else {
      const bytes = random(2 * HALF_BYTES);
      // The top bit stays 0, so that counting up cannot overflow.
      high = Math.floor(bytes.readUIntBE(0, HALF_BYTES) / 2);
      low = bytes.readUIntBE(HALF_BYTES, HALF_BYTES);
      lastTime = time;
      head = base32(time, TIME_LENGTH) + base32(high, HALF_LENGTH);
    }
    return `${prefix}_${head}${base32(low, HALF_LENGTH)}`;
  };
}

/** The lowest id of its kind that can be created at `at` (UTC milliseconds) or later. */
export function idFloor<P extends IdPrefix>(prefix: P, at: number): Id<P> {
  return `${prefix}_${base32(Math.max(0, Math.trunc(at)), TIME_LENGTH)}`;
}

/** The time (UTC milliseconds) that an id contains. After the clock was set back, it is later than the id's creation. */
export function idTime(id: Id<IdPrefix>): number {
  const [, encoded = ''] = id.split('_');
  return [...encoded.slice(0, TIME_LENGTH)].reduce((time, digit) => 32 * time + ALPHABET.indexOf(digit), 0);
}

function base32(value: number, length: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < length; i++) {
    const next = Math.floor(rest / 32);
    text = ALPHABET[rest - 32 * next] + text;
    rest = next;
  }
  return text;
}
