import { OperatorError } from '../kernel/errors.ts';
import { cents, centsFromEuros } from '../kernel/money.ts';
import { randomText, systemRandom } from '../kernel/random.ts';
import { newWebhookSecret } from '../merchants/secrets.ts';
import type { RunAlone } from './command.ts';
import { counterAt } from './doctor/count.ts';
import { examine, type Judged } from './doctor/examine.ts';
import { type DoctorLimits, Patient } from './doctor/patient.ts';
import type { Input } from './input.ts';
import { printable } from './text.ts';

const LIMITS: DoctorLimits = { retryDelaysMs: [200, 1000, 5000], quickMs: 1000 };
const DIGITS = '0123456789';
const MARKS = { pass: 'PASS   ', fail: 'FAIL   ', advice: 'ADVICE ', skipped: 'SKIPPED' } as const;

export const doctor: RunAlone = async (input, { json, env, report }) => {
  const url = readUrl(input, input.word(0), 'URL');
  const secret = readSecret(input, env.WEBHOOK_SECRET);
  const countUrl = input.text('count-url');
  const foreignSecret = newWebhookSecret(systemRandom);
  const patient = new Patient({
    url,
    secret: secret ?? newWebhookSecret(systemRandom),
    foreignSecret,
    invented: {
      random: systemRandom,
      orderId: input.text('order-id') ?? `DOCTOR-${randomText(systemRandom, 6, DIGITS)}`,
      amount: readAmount(input),
    },
    counter: countUrl === undefined ? null : counterAt(readUrl(input, countUrl, '--count-url')),
    limits: LIMITS,
  });
  report(`examining ${url} with invented payments; not for a receiver that ships real goods`);
  const rules = await examine(patient, { hasSecret: secret !== null, report });
  const failed = rules.filter(({ state }) => state === 'fail');
  const failure = failed.length === 0 ? undefined : `broken: ${failed.map(({ rule }) => rule).join(', ')}`;
  const value = { url, passed: failed.length === 0, rules };
  return { ...(json ? { value } : { stream: once(reportOf(rules)) }), failure };
};

function reportOf(rules: readonly Judged[]): string {
  const lines = rules.flatMap(({ state, rule, title, found, mend, unseen }) => [
    `${MARKS[state]}  ${rule}: ${title}`,
    `           ${printable(found)}`,
    ...(unseen === undefined ? [] : [`           not seen: ${unseen}`]),
    ...(mend === undefined ? [] : [`           to mend it: ${mend}`]),
  ]);
  const count = (wanted: Judged['state']) => rules.filter(({ state }) => state === wanted).length;
  const sum = `${count('pass')} rules kept, ${count('fail')} broken, ${count('advice')} with advice, ${count('skipped')} not judged`;
  return `${[...lines, '', sum].join('\n')}\n`;
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

function readUrl(input: Input, text: string, name: string): string {
  const url = URL.parse(text);
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return text;
  throw input.wrong(`${name} is an http or https address, not ${JSON.stringify(text)}`);
}

/** Null when there is none: then only what needs none is judged. */
function readSecret(input: Input, kept: string | undefined): string | null {
  const secret = (input.text('secret') ?? kept ?? '').trim();
  if (secret === '') return null;
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) return secret;
  // The value itself is not repeated.
  throw new OperatorError(
    '--secret is the whole webhook secret, whsec_ and what follows it, as the webhook settings show it',
  );
}

function readAmount(input: Input): ReturnType<typeof cents> {
  if (input.text('amount') === undefined) return cents(1999);
  const amount = centsFromEuros(input.number('amount', 0));
  if (amount === null || amount === 0)
    throw input.wrong('--amount is in EUR, with two decimals at most, and above 0');
  return amount;
}
