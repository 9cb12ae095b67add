import { setTimeout as wait } from 'node:timers/promises';
import { OperatorError } from '../../kernel/errors.ts';
import type { ListenedEvent } from '../../webhooks/listen/listen.ts';
import { connectStream, StreamLost } from './connect.ts';
import type { SseMessage } from './sse.ts';

const BACKOFF_MIN_MS = 500;
const BACKOFF_MAX_MS = 30_000;

export interface Follow {
  /** Origin of the service. */
  origin: string;
  key: string;
  /** `?replay=…` or `?since=…`, or nothing. */
  query: string;
  /** Hears, for a person, how the connection is doing. */
  report: (line: string) => void;
  /** Begins with this wait between two tries; tests ask for a short one. */
  backoffMs?: number;
}

/**
 * The merchant's events, one after the other, for ever: a connection that breaks is made anew and goes on after the last event
 * that was taken, so that nothing is lost. Throws OperatorError when the service cannot be reached at all, or refuses.
 */
export async function* followEvents(follow: Follow): AsyncGenerator<ListenedEvent> {
  const { origin, key, query, report, backoffMs = BACKOFF_MIN_MS } = follow;
  let lastEventId: string | undefined;
  let tries = 0;
  for (;;) {
    let lost = 'the service closed the stream';
    let waitMs: number | undefined;
    try {
      for await (const message of connectStream({ url: `${origin}/listen${query}`, key, lastEventId })) {
        tries = 0;
        if (message.event === 'ready' && lastEventId === undefined) report(`listening at ${origin}`);
        if (message.event === 'end') lost = endOf(message);
        if (message.event === 'webhook') yield JSON.parse(message.data) as ListenedEvent;
        // Only now: whoever takes the events has done with this one.
        lastEventId = message.id ?? lastEventId;
      }
    } catch (error) {
      if (!(error instanceof StreamLost)) throw error;
      if (lastEventId === undefined) throw unreachable(origin, error);
      lost = error.message;
      waitMs = error.retrySeconds && error.retrySeconds * 1000;
    }
    waitMs ??= jittered(Math.min(BACKOFF_MAX_MS, backoffMs * 2 ** tries));
    tries++;
    report(`the stream broke (${lost}); trying again in ${(waitMs / 1000).toFixed(1)} s`);
    await wait(waitMs);
  }
}

/** What the service says at the end of a stream that may be opened anew; throws when it should not be. */
function endOf({ data }: SseMessage): string {
  const { reason } = JSON.parse(data) as { reason?: string };
  switch (reason) {
    case 'replaced':
      throw new OperatorError(
        'this merchant has opened more streams than it may have, and the oldest one, this one, gave way; end another one and start again',
      );
    case 'closed':
      throw new OperatorError(
        'the API key is no longer valid, or the account was closed; start again with the current key',
      );
    default:
      return 'the service stops';
  }
}

function unreachable(origin: string, error: StreamLost): OperatorError {
  return new OperatorError(
    `there is no stream at ${origin}: ${error.message}; is the service running there?`,
  );
}

/** So that all who lost the same service do not come back at once. */
function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}
