import type { PostAnswer } from '../post.ts';
import type { Patient } from './patient.ts';

/** `advice` is no fault today; `skipped` was not judged, and `found` says why. */
export type State = 'pass' | 'fail' | 'advice' | 'skipped';

export interface Verdict {
  state: State;
  /** What was seen. */
  found: string;
  /** How to mend it; for what fails, and for advice. */
  mend?: string;
  /** What cannot be seen from outside. */
  unseen?: string;
}

export interface Rule {
  name: string;
  /** What a receiver does that keeps it. */
  title: string;
  /** Whether it can only be judged with the receiver's secret. */
  needsSecret: boolean;
  judge(patient: Patient): Promise<Verdict>;
}

/** An answer in words: `200 in 12 ms`. */
export function saidBy({ status, ms, error, response }: PostAnswer): string {
  if (status === null) return `nothing in ${ms} ms (${error})`;
  return `${status} in ${ms} ms${error !== null && response ? ` (${response.trim()})` : ''}`;
}

export const pass = (found: string, unseen?: string): Verdict => ({
  state: 'pass',
  found,
  ...(unseen !== undefined && { unseen }),
});
export const fail = (found: string, mend: string): Verdict => ({ state: 'fail', found, mend });
export const advice = (found: string, mend: string): Verdict => ({ state: 'advice', found, mend });
export const skipped = (found: string): Verdict => ({ state: 'skipped', found });
