import { type Random, randomText } from '../kernel/random.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const REQUEST_ID_LENGTH = 20;
const REFERENCE_DIGITS = 9;
const TRIES_MAX = 20;

/** A request id as the bank makes them: 20 characters, now and then with a `+` that receivers must not read as a space. */
export function requestIdText(random: Random): string {
  const text = randomText(random, REQUEST_ID_LENGTH, LETTERS);
  const [dice = 0, place = 0] = random(2);
  if (dice % 4 !== 0) return text;
  const at = 1 + (place % (REQUEST_ID_LENGTH - 2));
  return `${text.slice(0, at)}+${text.slice(at + 1)}`;
}

/** Nine digits, leading zeros included. */
export function referenceText(random: Random): string {
  return randomText(random, REFERENCE_DIGITS, '0123456789');
}

/** The first attempt that is not taken. `attempt` returns null for a taken one. */
export function firstFree<T>(attempt: () => T | null): T {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const made = attempt();
    if (made !== null) return made;
  }
  throw new Error(`no free number in ${TRIES_MAX} draws`);
}
