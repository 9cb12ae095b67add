import { onTestFinished } from 'vitest';
import { readSse, type SseMessage } from '../../src/cli/listen/stream.ts';
import { until } from './until.ts';

/** Opens GET /listen and reads it until it ends. */
export async function openStream(
  url: string,
  apiKey: string,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) {
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
  const webhooks = () =>
    messages.filter(({ event }) => event === 'webhook').map(({ data }) => JSON.parse(data));
  const numbers = (): number[] => webhooks().map(({ sequence }) => sequence);
  return {
    status: response.status,
    headers: response.headers,
    messages,
    numbers,
    webhook: (place: number) => webhooks()[place],
    reaches: (number: number) => until(() => numbers().at(-1) === number, `event ${number}`),
    /** Resolves when the service has closed it. */
    ended: read().catch(() => {}),
    close: () => leaving.abort(),
  };
}
