import { OperatorError } from '../../kernel/errors.ts';
import type { Answer, Cli } from '../command.ts';
import type { Input } from '../input.ts';
import { asLines, printable } from '../output.ts';
import { type PostAnswer, posterTo } from '../post.ts';
import { type Follow, followEvents } from './stream.ts';

/** Runs `webhook listen`: prints a merchant's events and posts each to the receiver on this machine. */
export async function listen(input: Input, { json, env, report }: Cli): Promise<Answer> {
  const follow = { origin: originOf(input), key: keyOf(input, env.API_KEY), query: queryOf(input), report };
  const forward = input.text('forward');
  if (forward !== undefined) input.url('--forward', forward);
  const events = forwardedEvents(follow, forward);
  return { stream: json ? asLines(events) : readableLines(events) };
}

/** The events in order, with the receiver's answer, which is null without `--forward`. The next event is posted after it. */
async function* forwardedEvents(follow: Follow, url: string | undefined) {
  const post = url === undefined ? null : posterTo(url);
  for await (const event of followEvents(follow)) {
    yield { ...event, answer: post === null ? null : await post(event) };
  }
}

async function* readableLines(events: ReturnType<typeof forwardedEvents>) {
  for await (const { sequence, event, createdAt, body, answer } of events) {
    const { data } = JSON.parse(body);
    const facts = `#${sequence}  ${createdAt}  ${event}  ${data.id}  ${data.externalOrderId}  ${data.amount} EUR`;
    yield `${printable(answer === null ? facts : `${facts}  → ${answerText(answer)}`)}\n`;
  }
}

function answerText({ status, ms, error, response }: PostAnswer): string {
  if (error === null) return `${status} in ${ms} ms`;
  if (status === null) return `failed after ${ms} ms: ${error}`;
  return `${status} in ${ms} ms, failed (${error})${response ? `: ${response}` : ''}`;
}

/** The service's base URL, given with /api/v1 or without. */
function originOf(input: Input): string {
  const { origin, pathname } = input.url('--url', input.required('url'));
  return origin + pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}

function keyOf(input: Input, envKey: string | undefined): string {
  const key = (input.text('key') ?? envKey ?? '').trim();
  if (key === '') throw input.wrong('--key is missing and API_KEY is not set');
  // The value is not repeated, because it can be a key with a typing error.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new OperatorError('--key is not an API key; copy it from the page Developers of the back office');
  return key;
}

function queryOf(input: Input): string {
  const replay = input.text('replay');
  if (replay === undefined) return '';
  if (/^\d+$/.test(replay)) return `?replay=${replay}`;
  throw input.wrong(`--replay must be a number of events, not ${JSON.stringify(replay)}`);
}
