import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Pool } from 'undici';
import { startSandboxAlone } from '../../../src/app-sandbox.ts';
import { readConfig } from '../../../src/config.ts';
import { listen } from '../../../test/support/listen.ts';
import { answerQuestions } from '../questions.ts';
import { systemNow } from '../statistics.ts';

/**
 * The sandbox bank, behind a proxy that records when it sends the confirmation of each payment. `/bare/ID` confirms without the
 * bank, for the bare relay.
 */

/** Times from `systemNow`, by the bank's request id or the id of the bare relay. */
export type ConfirmedAt = ReadonlyMap<string, number>;

const STATUS_PATH = '/spg/payment/mbway/status';
const LIST_PATH = '/v2/payments/read';
const BARE_PATH = '/bare/';

const sandbox = await startSandboxAlone(readConfig(process.env).settings);
const bank = new Pool(sandbox.url, { connections: 64 });
const confirmedAt = new Map<string, number>();

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '';
  if (url.startsWith(BARE_PATH)) {
    confirmedAt.set(url.slice(BARE_PATH.length), systemNow());
    response.end('{"Status":"000","Message":"Success"}');
    return;
  }
  const body = await buffer(request);
  const answer = await bank.request({
    method: request.method === 'POST' ? 'POST' : 'GET',
    path: url,
    headers: { 'content-type': request.headers['content-type'] ?? 'application/json' },
    body: body.length === 0 ? null : body,
  });
  const text = await answer.body.text();
  response.statusCode = answer.statusCode;
  response.setHeader('content-type', String(answer.headers['content-type'] ?? 'application/json'));
  const now = systemNow();
  for (const id of confirmedIds(url, text)) if (!confirmedAt.has(id)) confirmedAt.set(id, now);
  response.end(text);
}

/** Returns the request ids that a response of the bank reports as paid. */
function confirmedIds(url: string, text: string): string[] {
  if (url.startsWith(LIST_PATH))
    return [...text.matchAll(/"requestId":"([^"]+)"/gi)].map(([, id]) => id ?? '');
  const id = url.startsWith(STATUS_PATH) ? new URL(url, 'http://bank').searchParams.get('requestId') : null;
  return id !== null && text.includes('"Status":"000"') ? [id] : [];
}

const server = createServer((request, response) => {
  handle(request, response).catch(() => response.destroy());
});
answerQuestions(() => confirmedAt, await listen(server));
