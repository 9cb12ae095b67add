import { ACCEPTING, ACCEPTS, ANSWERS_QUICKLY } from './accepting.ts';
import type { Patient } from './patient.ts';
import { REFUSING } from './refusing.ts';
import { type Rule, skipped, type Verdict } from './verdict.ts';

/** Rules that have not begun by then are left out: a receiver that hangs must not hold up whoever asks. */
const EXAMINATION_MS = 180_000;

const RULES: readonly Rule[] = [ACCEPTS, ...REFUSING, ...ACCEPTING, ANSWERS_QUICKLY];

export interface Judged extends Verdict {
  rule: string;
  title: string;
}

/** Judges a receiver, rule by rule. Whoever accepts nothing genuine is judged no further: it would pass by refusing everything. */
export async function examine(
  patient: Patient,
  options: { hasSecret: boolean; report: (line: string) => void },
): Promise<Judged[]> {
  const startedAt = performance.now();
  const judged: Judged[] = [];
  for (const [place, rule] of RULES.entries()) {
    options.report(`${place + 1}/${RULES.length} ${rule.title}`);
    const reason = reasonToSkip(rule, judged, options.hasSecret, performance.now() - startedAt);
    const verdict = reason === null ? await rule.judge(patient) : skipped(reason);
    judged.push({ rule: rule.name, title: rule.title, ...verdict });
  }
  return judged;
}

function reasonToSkip(rule: Rule, judged: readonly Judged[], hasSecret: boolean, ms: number): string | null {
  if (rule.needsSecret && !hasSecret) return 'it takes the secret to judge this; give --secret';
  if (judged[0]?.state === 'fail') return 'nothing genuine was accepted, so this would say nothing';
  return ms > EXAMINATION_MS ? 'there was no time left' : null;
}
