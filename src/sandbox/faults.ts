import { consumeFault } from './callback-store.ts';
import type { Storage } from './storage.ts';

export const CREATE_FAULTS = ['refuse', 'error500', 'hang', 'garbage'] as const;
export const CALLBACK_FAULTS = [
  'drop-callback',
  'duplicate-callback',
  'wrong-amount-callback',
  'bad-key-callback',
] as const;
export const INQUIRY_FAULTS = ['error500-inquiry', 'hang-inquiry'] as const;
export const FAULT_MODES = [...CREATE_FAULTS, ...CALLBACK_FAULTS, ...INQUIRY_FAULTS] as const;

export const FAULT_TIMES_MAX = 10_000;

/** Uses up the first of these faults that is still to happen; null when everything goes as it should. */
export function takeFault<Mode extends (typeof FAULT_MODES)[number]>(
  db: Storage,
  modes: readonly Mode[],
): Mode | null {
  return modes.find((mode) => consumeFault(db, mode)) ?? null;
}
