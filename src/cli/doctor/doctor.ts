import { OperatorError } from '../../kernel/errors.ts';
import { type Cents, cents } from '../../kernel/money.ts';
import { randomText, systemRandom } from '../../kernel/random.ts';
import { newWebhookSecret } from '../../merchants/secrets.ts';
import { ATTEMPT_DELAYS_MS } from '../../webhooks/delivery/schedule.ts';
import type { Answer, Cli } from '../command.ts';
import type { Input } from '../input.ts';
import { printable } from '../output.ts';
import { ACCEPTING, ACCEPTS, ANSWERS_QUICKLY } from './accepting.ts';
import { counterAt } from './count.ts';
import { Receiver } from './receiver.ts';
import { REJECTING } from './rejecting.ts';
import { type Rule, skipped, type Verdict } from './verdict.ts';

const RULES: readonly Rule[] = [ACCEPTS, ...REJECTING, ...ACCEPTING, ANSWERS_QUICKLY];
/** Rules that have not started by then are skipped. */
const TOTAL_MS_MAX = 180_000;
/** The exit code if no rule is broken but some were not verified. */
const UNVERIFIED_EXIT_CODE = 2;

type Judged = Verdict & { rule: string; title: string };

/** Runs `webhook doctor`: tests a receiver rule by rule. */
export async function doctor(input: Input, { json, env, report }: Cli): Promise<Answer> {
  const url = input.word(0);
  input.url('URL', url);
  const secret = readSecret(input.text('secret') ?? env.WEBHOOK_SECRET);
  const countUrl = input.text('count-url');
  if (countUrl !== undefined) input.url('--count-url', countUrl);
  const receiver = new Receiver({
    url,
    secret: secret ?? newWebhookSecret(systemRandom),
    orderId: input.text('order-id') ?? `DOCTOR-${randomText(systemRandom, 6, '0123456789')}`,
    amount: readAmount(input),
    counter: countUrl === undefined ? null : counterAt(countUrl),
    retryDelaysMs: ATTEMPT_DELAYS_MS.slice(1),
    quickMs: 1000,
  });
  report(`testing ${url} with simulated payments; do not use a receiver that ships real goods`);
  const rules = await examine(receiver, { hasSecret: secret !== null, report });
  const result = json
    ? { value: { url, passed: outcomeOf(rules).failure === undefined, rules } }
    : { stream: [reportOf(rules)] };
  return { ...result, ...outcomeOf(rules) };
}

/** A broken rule is a failure; so is a rule that was not verified, with another exit code. */
function outcomeOf(rules: readonly Judged[]): Pick<Answer, 'failure' | 'exitCode'> {
  const names = (...wanted: Judged['state'][]) =>
    rules.filter(({ state }) => wanted.includes(state)).map(({ rule }) => rule);
  const failed = names('fail');
  if (failed.length > 0) return { failure: `broken: ${failed.join(', ')}` };
  const open = names('unverified', 'skipped');
  if (open.length === 0) return {};
  const advice = names('unverified').length > 0 ? '; use --count-url' : '';
  return { failure: `not verified: ${open.join(', ')}${advice}`, exitCode: UNVERIFIED_EXIT_CODE };
}

/** Tests every rule. When the first fails, the others are skipped: a receiver that rejects everything would pass them. */
export async function examine(
  receiver: Receiver,
  options: { hasSecret: boolean; report: (line: string) => void },
): Promise<Judged[]> {
  const startedAt = performance.now();
  const judged: Judged[] = [];
  for (const [index, rule] of RULES.entries()) {
    options.report(`${index + 1}/${RULES.length} ${rule.title}`);
    const reason = reasonToSkip(rule, judged, options.hasSecret, performance.now() - startedAt);
    const verdict = reason === null ? await rule.judge(receiver) : skipped(reason);
    judged.push({ rule: rule.name, title: rule.title, ...verdict });
  }
  return judged;
}

function reasonToSkip(rule: Rule, judged: readonly Judged[], hasSecret: boolean, ms: number): string | null {
  if (!rule.isSecretFree && !hasSecret)
    return 'this rule needs the secret; use --secret or set WEBHOOK_SECRET';
  if (judged[0]?.state === 'fail') return 'no genuine delivery was accepted';
  return ms > TOTAL_MS_MAX ? 'the time is up' : null;
}

function reportOf(rules: readonly Judged[]): string {
  const lines = rules.flatMap(({ state, rule, title, found, fix, unseen }) => [
    `${(state === 'unverified' ? 'NOT VERIFIED' : state.toUpperCase()).padEnd(12)}  ${rule}: ${title}`,
    `                ${printable(found)}`,
    ...(unseen === undefined ? [] : [`                not visible: ${unseen}`]),
    ...(fix === undefined ? [] : [`                fix: ${fix}`]),
  ]);
  const count = (wanted: Judged['state']) => rules.filter(({ state }) => state === wanted).length;
  const summary = `${count('pass')} passed, ${count('fail')} failed, ${count('advice')} with advice, ${count('unverified')} not verified, ${count('skipped')} skipped`;
  return `${[...lines, '', summary].join('\n')}\n`;
}

/** Null without a secret: then only the rules that do not need one are tested. */
function readSecret(text = ''): string | null {
  const secret = text.trim();
  if (secret === '') return null;
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) return secret;
  // The value is not repeated.
  throw new OperatorError(
    '--secret is not a webhook secret; copy it from the page Webhook of the back office, including whsec_',
  );
}

function readAmount(input: Input): Cents {
  const amount = input.cents('amount') ?? cents(1999);
  if (amount === 0) throw input.wrong('--amount must be above 0');
  return amount;
}
