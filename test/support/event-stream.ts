import { onTestFinished } from 'vitest';
import { readSse, type SseMessage } from '../../src/cli/listen/sse.ts';
import { until } from './until.ts';

export interface EventStream {
  status: number;
  headers: Headers;
  /** The messages so far. */
  messages: SseMessage[];
  /** The numbers of the events so far. */
  numbers(): number[];
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came over the wire
  webhook(place: number): any;
  reaches(number: number): Promise<void>;
  /** Resolves when the service has closed it. */
  ended: Promise<void>;
  close(): void;
}

/** Opens GET /listen and reads it until it ends. */
export async function openStream(
  url: string,
  apiKey: string,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<EventStream> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(`${url}/listen${query}`, {
    headers: { authorization: `Bearer ${apiKey}`, ...headers },
    signal: leaving.signal,
  });
  const messages: SseMessage[] = [];
  const read = async () => {
    if (response.body === null) return;
    for await (const message of readSse(response.body)) messages.push(message);
  };
  const numbers = () =>
    messages.filter(({ event }) => event === 'webhook').map(({ data }) => JSON.parse(data).sequence);
  return {
    status: response.status,
    headers: response.headers,
    messages,
    numbers,
    webhook: (place) =>
      JSON.parse(messages.filter(({ event }) => event === 'webhook')[place]?.data ?? 'null'),
    reaches: async (number) => void (await until(() => numbers().at(-1) === number, `event ${number}`)),
    ended: read().catch(() => {}),
    close: () => leaving.abort(),
  };
}
