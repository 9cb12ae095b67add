import { setTimeout as wait } from 'node:timers/promises';
import { OperatorError } from '../../kernel/errors.ts';
import type { ListenedEvent } from '../../webhooks/listen/listen.ts';
import { connectStream, StreamLost } from './connect.ts';
import type { SseMessage } from './sse.ts';

const BACKOFF_MIN_MS = 500;
const BACKOFF_MAX_MS = 30_000;

export interface Follow {
  /** Base URL of the service. */
  origin: string;
  key: string;
  /** `?replay=…`, `?since=…` or empty. */
  query: string;
  /** Receives lines about the connection. */
  report: (line: string) => void;
  /** The first wait before a reconnect. */
  backoffMs?: number;
}

/**
 * Yields the merchant's events without end. A broken connection is reopened after the last event that was consumed, so
 * no event is lost. Throws OperatorError when the service cannot be reached at first, or refuses.
 */
export async function* followEvents(follow: Follow): AsyncGenerator<ListenedEvent> {
  const { origin, key, query, report, backoffMs = BACKOFF_MIN_MS } = follow;
  let lastEventId: string | undefined;
  let tries = 0;
  for (;;) {
    let reason = 'the service closed the stream';
    let waitMs: number | undefined;
    try {
      for await (const message of connectStream({ url: `${origin}/listen${query}`, key, lastEventId })) {
        tries = 0;
        if (message.event === 'ready' && lastEventId === undefined) report(`listening at ${origin}`);
        if (message.event === 'end') reason = endReason(message);
        if (message.event === 'webhook') yield JSON.parse(message.data) as ListenedEvent;
        // The consumer has finished with this event.
        lastEventId = message.id ?? lastEventId;
      }
    } catch (error) {
      if (!(error instanceof StreamLost)) throw error;
      if (lastEventId === undefined) {
        throw new OperatorError(
          `cannot connect to ${origin}: ${error.message}; check that the service runs there`,
        );
      }
      reason = error.message;
      waitMs = error.retrySeconds && error.retrySeconds * 1000;
    }
    // The jitter spreads the reconnects of many listeners.
    waitMs ??= Math.min(BACKOFF_MAX_MS, backoffMs * 2 ** tries) * (0.75 + Math.random() / 2);
    tries++;
    report(`disconnected (${reason}); reconnecting in ${(waitMs / 1000).toFixed(1)} s`);
    await wait(waitMs);
  }
}

/** Why the service ended a stream that may be reopened. Throws OperatorError when it may not. */
function endReason({ data }: SseMessage): string {
  const { reason } = JSON.parse(data) as { reason?: string };
  if (reason === 'replaced') {
    throw new OperatorError(
      'this merchant has opened too many streams and the oldest, this one, was closed; stop another one and start again',
    );
  }
  if (reason === 'closed') {
    throw new OperatorError(
      'the API key is no longer valid or the account was deactivated; start again with the current key',
    );
  }
  return 'the service is stopping';
}
