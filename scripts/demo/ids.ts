import { systemClock } from '../../src/kernel/clock.ts';
import { createIds, type Id, type IdPrefix } from '../../src/kernel/ids.ts';
import type { Prng } from '../sim/prng.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Returns an id created at that instant. */
export function idAt<P extends IdPrefix>(prng: Prng, prefix: P, at: number): Id<P> {
  return createIds({ ...systemClock, now: () => at }, prng.bytes)(prefix);
}

/** Returns random capital letters and digits, as in a bank's ids. */
export function token(prng: Prng, length: number): string {
  return Array.from({ length }, () => LETTERS[prng.int(0, LETTERS.length - 1)]).join('');
}

/** Returns a Portuguese mobile number. */
export function mobileNumber(prng: Prng): string {
  return `9${prng.pick(['1', '2', '3', '6'])}${String(prng.int(0, 9_999_999)).padStart(7, '0')}`;
}
