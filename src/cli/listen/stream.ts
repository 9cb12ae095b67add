import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { errorText, OperatorError } from '../../kernel/errors.ts';
import type { ListenedEvent } from '../../webhooks/listen.ts';
import { startOf } from '../post.ts';

const HEADERS_TIMEOUT_MS = 15_000;
/** The service writes at least every 15 s. */
const BODY_TIMEOUT_MS = 45_000;
const BACKOFF_MAX_SECONDS = 30;
const ERROR_LENGTH_MAX = 2000;
const MESSAGE_LENGTH_MAX = 4 * 1024 * 1024;

export interface Follow {
  /** Base URL of the service. */
  origin: string;
  key: string;
  /** `?replay=…` or empty. */
  query: string;
  report: (line: string) => void;
}

export interface SseMessage {
  event: string;
  id: string | null;
  data: string;
}

/**
 * Yields the merchant's events without end. A broken connection is reopened after the last event that was consumed, so
 * no event is lost. Throws OperatorError when the service cannot be reached at first, or refuses.
 */
export async function* followEvents(follow: Follow): AsyncGenerator<ListenedEvent> {
  const { origin, report } = follow;
  let lastEventId: string | undefined;
  let tries = 0;
  for (;;) {
    let reason = 'the service closed the stream';
    try {
      for await (const message of connect(follow, lastEventId)) {
        tries = 0;
        if (message.event === 'ready' && lastEventId === undefined) report(`listening at ${origin}`);
        if (message.event === 'end') reason = endReason(message);
        if (message.event === 'webhook') yield JSON.parse(message.data) as ListenedEvent;
        // The consumer has finished with this event.
        lastEventId = message.id ?? lastEventId;
      }
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      reason = errorText(error);
      if (lastEventId === undefined)
        throw new OperatorError(`cannot connect to ${origin}: ${reason}; check that the service runs there`);
    }
    const seconds = Math.min(2 ** tries, BACKOFF_MAX_SECONDS);
    tries++;
    report(`disconnected (${reason}); reconnecting in ${seconds} s`);
    await wait(seconds * 1000);
  }
}

/** Yields the messages of one connection. Throws OperatorError when a retry cannot help. */
async function* connect({ origin, key, query }: Follow, lastEventId: string | undefined) {
  const { statusCode, headers, body } = await request(`${origin}/listen${query}`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${key}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: BODY_TIMEOUT_MS,
  });
  if (statusCode !== 200) throw refusal(origin, statusCode, await startOf(body, ERROR_LENGTH_MAX));
  if (!headers['content-type']?.toString().startsWith('text/event-stream')) {
    await body.dump({ limit: ERROR_LENGTH_MAX });
    throw notTheService(origin, 'another kind of content');
  }
  yield* readSse(body);
}

function refusal(origin: string, status: number, text: string): Error {
  const sentence = errorSentence(text);
  if (status === 429 || status >= 500) return new Error(sentence ?? `it answers ${status}`);
  return sentence === null
    ? notTheService(origin, String(status))
    : new OperatorError(`${status}: ${sentence}`);
}

function notTheService(origin: string, answer: string): OperatorError {
  return new OperatorError(
    `${origin}/listen answers ${answer}; --url must be the address of the payment service, such as http://127.0.0.1:8080`,
  );
}

/** The message of the service's error body, or null for any other body. */
function errorSentence(text: string): string | null {
  try {
    const body = JSON.parse(text);
    return typeof body?.error === 'string' && 'code' in body ? body.error : null;
  } catch {
    return null;
  }
}

/** Why the service ended a stream that may be reopened. Throws OperatorError when it may not. */
function endReason({ data }: SseMessage): string {
  if (JSON.parse(data).reason !== 'closed') return 'the service is stopping';
  throw new OperatorError(
    'the API key is no longer valid or the account was deactivated; start again with the current key',
  );
}

/** Parses a stream of server-sent events. Comments and unknown fields are ignored. */
export async function* readSse(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SseMessage> {
  const decoder = new TextDecoder();
  let buffer = '';
  for await (const chunk of chunks) {
    buffer += decoder.decode(chunk, { stream: true });
    const blocks = buffer.split(/\r?\n\r?\n/);
    buffer = blocks.pop() ?? '';
    if (buffer.length > MESSAGE_LENGTH_MAX) throw new Error('a message of the stream is too long');
    for (const block of blocks) {
      const message = messageIn(block);
      if (message !== null) yield message;
    }
  }
}

/** Null without data. */
function messageIn(block: string): SseMessage | null {
  const data: string[] = [];
  let event = 'message';
  let id: string | null = null;
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    if (name === 'id') id = value;
    if (name === 'data') data.push(value);
  }
  return data.length === 0 ? null : { event, id, data: data.join('\n') };
}
