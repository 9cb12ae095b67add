import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followEvents, readSse, type SseMessage } from '../../src/cli/listen/stream.ts';
import { posterTo, startOf } from '../../src/cli/post.ts';
import { rollKey } from '../../src/merchants/keys.ts';
import { temporaryFolder } from '../support/database.ts';
import { api, startService, startWithMerchant } from '../support/harness.ts';
import { freePort, type Program, run } from '../support/process.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { refusedHere } from './support.ts';

/** The command in its own process, without database and settings. */
function listenTo(args: readonly string[], env: Record<string, string> = {}): Program {
  return run('src/cli.ts', ['webhook', 'listen', ...args], { SERVICE_BANK: 'ifthenpay', ...env });
}

const linesOf = (program: Program) => program.out().split('\n').slice(0, -1);

test('events are posted to the local receiver like deliveries and printed with its answer', async () => {
  const { service, merchant: shop } = await startWithMerchant();
  const missed = await shop.pay();
  const hook = await startReceiver((_request, response, count) => {
    response.statusCode = count === 2 ? 302 : 200;
    response.end(count === 2 ? 'no such\u001b[2J order' : 'thanks');
  }, 'plain');
  const program = listenTo([
    ...['--url', `${service.url}/api/v1/`, '--key', shop.apiKey],
    ...['--forward', hook.url, '--replay', '5'],
  ]);
  await until(() => linesOf(program).length === 1, `the event of before: ${program.err()}`);
  const fresh = await shop.pay();
  await until(() => linesOf(program).length === 2, 'the fresh event');
  const [first, second] = linesOf(program);
  expect(first).toMatch(
    new RegExp(
      `^#1 {2}\\d{4}-\\S+Z {2}payment\\.success {2}${missed} {2}ORDER-1 {2}19\\.99 EUR {2}→ 200 in \\d+ ms$`,
    ),
  );
  expect(second).toContain(`#2`);
  expect(second).toContain(fresh);
  expect(second).toMatch(/→ 302 in \d+ ms, failed \(redirects are not followed\): no such \[2J order$/);
  expect(program.err()).toBe(`listening at ${service.url}\n`);

  const { headers, body } = hook.requests[0] ?? { headers: {}, body: Buffer.alloc(0) };
  expect(JSON.parse(body.toString()).data.id).toBe(missed);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Service-Webhook/1.0',
    'x-service-event': 'payment.success',
    'x-service-delivery-id': expect.stringMatching(/^dlv_listen_/),
    'webhook-id': expect.stringMatching(/^evt_/),
    'content-length': String(body.length),
  });
});

test('with --json each event is one line of JSON, also without an answer; the key can come from API_KEY', async () => {
  const { service, merchant: shop } = await startWithMerchant();
  await shop.pay();
  const port = await freePort();
  const program = listenTo(
    ['--json', '--url', service.url, '--forward', `http://127.0.0.1:${port}/hook`, '--replay', '1'],
    { API_KEY: shop.apiKey },
  );
  const [line = ''] = await until(() => (linesOf(program).length > 0 ? linesOf(program) : null), 'the line');
  expect(JSON.parse(line)).toMatchObject({
    sequence: 1,
    event: 'payment.success',
    headers: { 'X-Service-Event': 'payment.success' },
    body: expect.stringContaining('"event":"payment.success"'),
    answer: { status: null, ms: expect.any(Number), error: expect.stringContaining('ECONNREFUSED') },
  });
  expect(program.err()).toBe('');
});

test('after a restart of the service the stream continues after the last event', async () => {
  const folder = temporaryFolder();
  const port = String(await freePort());
  const start = () => startService({ folder, env: { SERVICE_PORT: port } });
  let service = await start();
  const shop = await service.merchant();
  const hook = await startReceiver((_request, response) => void response.end(), 'plain');
  const program = listenTo(['--url', service.url, '--key', shop.apiKey, '--forward', hook.url]);
  await until(() => program.err().includes('listening'), 'the stream');
  await shop.pay();
  await until(() => hook.requests.length === 1, 'the first event');
  await service.app.close();
  service = await start();
  await shop.pay();
  await shop.pay();
  await until(() => linesOf(program).length === 3, 'the events sent while disconnected', 30_000);
  expect(hook.requests).toHaveLength(3);
  expect(linesOf(program).map((line) => line.split(' ')[0])).toEqual(['#1', '#2', '#3']);
  expect(program.err()).toMatch(/^disconnected \(the service is stopping\); reconnecting in \d+ s$/m);

  const { apiKey } = await rollKey(service.app.deps, shop.merchantId, { graceHours: 0 });
  await api(service.url, apiKey).pay();
  expect(await until(() => program.child.exitCode, 'the end', 30_000)).toBe(1);
  expect(program.err()).toMatch(/the API key is no longer valid[^\n]*start again with the current key\n$/);
}, 60_000);

test('a stream that a proxy refuses is opened again after growing waits', async () => {
  const hook = await startReceiver((_request, response, count) => {
    if (count === 1) {
      response.setHeader('content-type', 'text/event-stream');
      response.end('event: ready\nid: 0\ndata: {}\n\n');
    } else {
      response.writeHead(count === 2 ? 503 : 404).end();
    }
  }, 'plain');
  const lines: string[] = [];
  const follow = { origin: hook.url, key: 'sk_1', query: '', report: (line: string) => lines.push(line) };
  await expect(followEvents(follow).next()).rejects.toThrow('answers 404');
  expect(lines.slice(1)).toEqual([
    'disconnected (the service closed the stream); reconnecting in 1 s',
    'disconnected (it answers 503); reconnecting in 2 s',
  ]);
});

test('a service that refuses, does not run or is another one is a failure of one line with what to do', async () => {
  const service = await startService();
  const hook = await startReceiver((_request, response) => void response.end('hello'), 'plain');
  const failure = (url: string, key: string) =>
    refusedHere(temporaryFolder(), `webhook listen --url ${url} --key ${key}`);
  expect(await failure(service.url, 'sk_wrong')).toBe(
    '401: This API key is not valid. Copy the current key from the page Developers of the back office.\n',
  );
  expect(await failure(`http://127.0.0.1:${await freePort()}`, 'sk_1')).toMatch(
    /^cannot connect to http:\S+: .*ECONNREFUSED.*; check that the service runs there\n$/,
  );
  expect(await failure(hook.url, 'sk_1')).toMatch(
    /^http:\S+\/listen answers another kind of content; --url must be the address of the payment service/,
  );
  const { apiKey } = await service.merchant();
  expect(await failure(service.url, `${apiKey} --replay 5000`)).toBe(
    '400: replay is a whole number from 1 to 1000.\n',
  );
});

test('a stream is parsed the same however the network splits it', async () => {
  const sentence = fc.string({ unit: fc.constantFrom('a', ' ', ':', 'é', '🧉', '{', '"'), maxLength: 8 });
  const message = fc.record({
    event: sentence,
    id: sentence,
    data: fc.array(sentence, { minLength: 1, maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(message, { maxLength: 5 }),
      fc.constantFrom('\n', '\r\n'),
      fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
      async (messages, end, sizes) => {
        const text = messages
          .map(({ event, id, data }) =>
            [
              ': beat',
              `event: ${event}`,
              `id: ${id}`,
              'retry: 5',
              ...data.map((line) => `data: ${line}`),
              '',
              '',
            ].join(end),
          )
          .join('');
        const bytes = Buffer.from(text);
        async function* cut(): AsyncGenerator<Uint8Array> {
          for (let at = 0; at < bytes.length; ) {
            const size = sizes.next().value ?? 1;
            yield bytes.subarray(at, at + size);
            at += size;
          }
        }
        const read: SseMessage[] = [];
        for await (const one of readSse(cut())) read.push(one);
        expect(read).toEqual(messages.map(({ event, id, data }) => ({ event, id, data: data.join('\n') })));
      },
    ),
  );
});

test('the start of a response is read correctly however the network splits it', async () => {
  const bytes = Buffer.from('pagó 🧉');
  const cut = Readable.from([...bytes].map((byte) => Uint8Array.of(byte)));
  expect(await startOf(cut)).toBe('pagó 🧉');
});

test('a response that a delivery would refuse for its size is a failure', async () => {
  const hook = await startReceiver(
    (_request, response) => void response.end('x'.repeat(257 * 1024)),
    'plain',
  );
  const answer = await posterTo(hook.url)({ headers: {}, body: '{}' });
  expect(answer).toMatchObject({ status: null, error: 'the response is larger than 256 KiB' });
});

test('an interim response before the answer of the receiver is ignored, as by a delivery', async () => {
  const hook = await startReceiver((_request, { socket }) => {
    socket?.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nread');
  }, 'plain');
  const answer = await posterTo(hook.url)({ headers: {}, body: '{}' });
  expect(answer).toMatchObject({ status: 200, error: null, response: 'read' });
});
