import { setTimeout as wait } from 'node:timers/promises';
import type { Prng } from '../sim/prng.ts';
import { CALL_TIMEOUT_MS, type LoadOptions } from './calls.ts';

/** The steps that the shopper of a page posts: phones and methods. The steps of one list are posted at the same moment. */
const VISITS = {
  paid: [['911000001'], ['REFERENCE']],
  refused: [['911000002'], ['REFERENCE']],
  'sent twice': [['911000001', 'REFERENCE', '911000002'], ['911000001']],
  lapsed: [['911000003'], ['911000009']],
};
export const VISIT_KINDS = Object.keys(VISITS) as (keyof typeof VISITS)[];
const PAUSE_MS = [20, 600] as const;
const SEE_OTHER = 303;

/** The reference that a payment page shows. */
const SHOWN_REFERENCE = /data-copy="(\d{5})"[\s\S]*?data-copy="(\d{9})"/;

/** Posts a form of a page. Returns the redirect target; null without a response, or after a wrong one. */
export async function postForm(
  page: string,
  form: Record<string, string>,
  { log, patient }: Pick<LoadOptions, 'log' | 'patient'>,
): Promise<string | null> {
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const body = new URLSearchParams(form);
  const answer = await fetch(page, { method: 'POST', body, redirect: 'manual', signal }).catch(() => null);
  if (answer?.status === SEE_OTHER) return answer.headers.get('location');
  if (answer !== null && !patient) log.faults.push(`the form of a page answered ${answer.status}`);
  return null;
}

const formOf = (step: string): Record<string, string> =>
  step === 'REFERENCE' ? { method: step } : { method: 'MBWAY', phoneNumber: step };

/** Visits a session's page. Returns the reference that it shows at the end, or null. */
export async function visit(
  page: string,
  kind: keyof typeof VISITS,
  prng: Prng,
  options: Pick<LoadOptions, 'log' | 'patient'>,
): Promise<{ entity: string; reference: string } | null> {
  for (const together of VISITS[kind]) {
    const taken = await Promise.all(together.map((step) => postForm(page, formOf(step), options)));
    if (taken.includes(null)) return null;
    await wait(prng.int(...PAUSE_MS));
  }
  const shown = await fetch(page, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) })
    .then((answer) => answer.text())
    .catch(() => '');
  const [, entity, reference] = SHOWN_REFERENCE.exec(shown) ?? [];
  return entity === undefined || reference === undefined ? null : { entity, reference };
}
