import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientOf } from '../../src/client/call.ts';
import type { PaymentsClient } from '../../src/client/client.ts';
import { readOptions, type Settings } from '../../src/client/settings.ts';
import { startReceiver } from '../support/tls-receiver.ts';

/** One call as it arrived. */
export interface Call {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** The answer to an attempt; `cut` closes the connection within the request, `hang` never answers. */
export type Reply =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'cut'
  | 'half'
  | 'hang';

export const CREATED: Reply = {
  status: 200,
  body: { transactionId: 'tx_1', amount: 19.99, currency: 'EUR' },
};

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  body: { error: `The sentence of ${code}.`, code, requestId: 'req_1' },
  headers: { 'x-request-id': 'req_1', ...headers },
});

/** A server that sends these replies in order, and its client, which records its waits instead of waiting. */
export async function scripted(
  replies: readonly Reply[],
  settings: Partial<Settings> = {},
): Promise<{ client: PaymentsClient; calls: Call[]; waits: number[]; url: string }> {
  const calls: Call[] = [];
  const { port } = await startReceiver(({ method, path, headers, body }, response) => {
    calls.push({ method, url: path, headers, body: body.toString() });
    reply(response, replies[calls.length - 1] ?? { status: 418 });
  }, 'plain');
  const url = `http://127.0.0.1:${port}/api/v1`;
  const waits: number[] = [];
  const client = clientOf({
    ...readOptions({ baseUrl: url, apiKey: 'key_1' }),
    random: () => 0,
    sleep: async (ms) => void waits.push(ms),
    ...settings,
  });
  return { client, calls, waits, url };
}

function reply(response: ServerResponse, how: Reply): void {
  if (how === 'hang') return;
  if (how === 'cut') {
    response.socket?.destroy();
    return;
  }
  if (how === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"transactionId":', () => response.socket?.destroy());
    return;
  }
  const text = typeof how.body === 'string' ? how.body : JSON.stringify(how.body ?? {});
  response.writeHead(how.status, { 'content-type': 'application/json', ...how.headers }).end(text);
}

/** What a call throws. */
export async function thrown(call: Promise<unknown>): Promise<Error> {
  const failure = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (failure instanceof Error) return failure;
  throw new Error(`an error was expected, not ${String(failure)}`);
}
