import { isAccepted, type PostAnswer } from '../post.ts';
import type { Receiver } from './receiver.ts';

export interface Verdict {
  /** `advice` is not a fault; an `unverified` rule needs `--count-url`; a `skipped` rule was not tested. */
  state: 'pass' | 'fail' | 'advice' | 'unverified' | 'skipped';
  /** The observation, or why the rule was skipped. */
  found: string;
  fix?: string;
  /** What cannot be observed from outside. */
  unseen?: string;
}

export interface Rule {
  name: string;
  /** What a correct receiver does. */
  title: string;
  /** Whether it can be tested without the receiver's secret. */
  isSecretFree?: true;
  judge(receiver: Receiver): Promise<Verdict>;
}

export const pass = (found: string): Verdict => ({ state: 'pass', found });
const unverified = (found: string, unseen: string): Verdict => ({
  state: 'unverified',
  found,
  unseen,
});
export const fail = (found: string, fix: string): Verdict => ({ state: 'fail', found, fix });
export const advice = (found: string, fix: string): Verdict => ({ state: 'advice', found, fix });
export const skipped = (found: string): Verdict => ({ state: 'skipped', found });

/** `200 in 12 ms`. */
export function answerText({ status, ms, error, response }: PostAnswer): string {
  if (status === null) return `nothing in ${ms} ms (${error})`;
  return `${status} in ${ms} ms${error !== null && response ? ` (${response.trim()})` : ''}`;
}

export function statuses(answers: readonly PostAnswer[]): string {
  return answers.map(({ status }) => status ?? 'nothing').join(', ');
}

export const ANSWER_2XX =
  'answer 200 once the signature is verified, for every event, and process it afterwards';

export interface Expectation {
  send: () => Promise<PostAnswer[]>;
  /** By how much the number of paid orders must rise. */
  paid: number;
  /** The fix for a response that is not 2xx, if not the usual one. */
  acceptFix?: string;
  /** The fix for a wrong number of paid orders. */
  countFix: string;
  /** What cannot be observed without `--count-url`. */
  unseen?: string;
}

/** Sends deliveries that a correct receiver accepts, and checks the number of paid orders. */
export async function expectAccepted(
  receiver: Receiver,
  { send, paid, acceptFix = ANSWER_2XX, countFix, unseen }: Expectation,
): Promise<Verdict> {
  const { result: answers, rise } = await receiver.counted(paid, send);
  const found = `answers ${answers.map(answerText).join(', then ')}`;
  if (!answers.every(isAccepted)) return fail(found, acceptFix);
  if (rise === null) return unseen === undefined ? pass(found) : unverified(found, unseen);
  const counted = `${found}; paid orders changed by ${rise}`;
  return rise === paid ? pass(counted) : fail(`${counted}, expected ${paid}`, countFix);
}
