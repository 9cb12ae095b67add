import { OperatorError } from '../kernel/errors.ts';
import type { ListenedEvent } from '../webhooks/listen/listen.ts';
import type { RunAlone } from './command.ts';
import type { Input } from './input.ts';
import { asLines } from './items.ts';
import { type Follow, followEvents } from './listen/follow.ts';
import { type PostAnswer, posterTo } from './post.ts';
import { printable } from './text.ts';

export const listen: RunAlone = async (input, { json, env, report }) => {
  const follow = { origin: originOf(input), key: keyOf(input, env.API_KEY), query: queryOf(input), report };
  const forward = input.text('forward');
  if (forward !== undefined) readAddress(input, 'forward', forward);
  const taken = answeredEvents(follow, forward);
  return { stream: json ? asLines(taken) : shownLines(taken) };
};

/** An event that came, and what the receiver on this machine said to it; null when it was only shown. */
export interface Answered extends ListenedEvent {
  answer: PostAnswer | null;
}

/** One event after the other, in their order: the next is taken when the receiver has answered. */
async function* answeredEvents(follow: Follow, url: string | undefined): AsyncGenerator<Answered> {
  const post = url === undefined ? null : posterTo(url);
  for await (const event of followEvents(follow)) {
    yield { ...event, answer: post === null ? null : await post(event) };
  }
}

async function* shownLines(events: AsyncIterable<Answered>): AsyncGenerator<string> {
  for await (const event of events) yield `${printable(lineOf(event))}\n`;
}

function lineOf({ sequence, event, createdAt, body, answer }: Answered): string {
  const { id, externalOrderId, amount } = dataOf(body);
  const facts = `#${sequence}  ${createdAt}  ${event}  ${id}  ${externalOrderId}  ${amount} EUR`;
  return answer === null ? facts : `${facts}  → ${saidBy(answer)}`;
}

function saidBy({ status, ms, error, response }: PostAnswer): string {
  if (error === null) return `${status} in ${ms} ms`;
  if (status === null) return `no answer in ${ms} ms: ${error}`;
  return `${status} in ${ms} ms, a failure (${error})${response ? `: ${response}` : ''}`;
}

function dataOf(body: string): Record<'id' | 'externalOrderId' | 'amount', unknown> {
  return (JSON.parse(body) as { data: Record<'id' | 'externalOrderId' | 'amount', unknown> }).data;
}

/** The service's origin, however its address was given: with /api/v1 or without. */
function originOf(input: Input): string {
  const text = input.required('url');
  const { origin, pathname } = readAddress(input, 'url', text);
  return origin + pathname.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}

function keyOf(input: Input, kept: string | undefined): string {
  const key = (input.text('key') ?? kept ?? '').trim();
  if (key === '') throw input.wrong('--key is missing, and API_KEY is not set');
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new OperatorError('--key is no API key: it has characters that none has');
  return key;
}

function queryOf(input: Input): string {
  const replay = input.text('replay');
  if (replay === undefined) return '';
  if (/^evt_\w+$/.test(replay)) return `?since=${replay}`;
  if (/^\d{1,4}$/.test(replay)) return `?replay=${replay}`;
  throw input.wrong(`--replay is a number of events or the id of one, not ${JSON.stringify(replay)}`);
}

function readAddress(input: Input, name: string, text: string): URL {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw input.wrong(`--${name} is an http or https address, not ${JSON.stringify(text)}`);
  }
  return url;
}
