import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { exchange } from '../../src/webhooks/transport/exchange.ts';
import type { Resolve } from '../../src/webhooks/transport/resolve.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { post, transport, UNREACHABLE } from './transport-kit.ts';

/** A listener that only counts connections: any connection is a failure. */
async function tripwire(): Promise<{ port: number; reached: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, reached: () => count };
}

const LOOPBACK_SPELLINGS = [
  '127.0.0.1',
  '2130706433',
  '0x7f.1',
  '127.1',
  '017700000001',
  '0x7f000001',
  '１２７.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:0:0:1]',
  'localhost',
];
const NEVER = [
  '0',
  '0.0.0.0',
  '[::]',
  '[::7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[::ffff:a9fe:a9fe]',
  '169.254.169.254',
  '0xa9fea9fe',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.2.1',
  '224.0.0.1',
  '255.255.255.255',
];

test.each([
  ...[...LOOPBACK_SPELLINGS, ...NEVER].map((host) => [host, false] as const),
  ...NEVER.map((host) => [host, true] as const),
])(
  '%s is refused before a socket opens (private networks allowed: %s)',
  async (host, allowPrivateNetworks) => {
    const wire = await tripwire();
    const result = await post(transport({ allowPrivateNetworks }), `https://${host}:${wire.port}/`);
    expect(result).toMatchObject({ status: null, error: UNREACHABLE });
    expect(result.errorDetail).toContain('is not a public address');
    expect(wire.reached()).toBe(0);
  },
);

test.each(['127.0.0.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]'])(
  '%s is called where private networks are allowed',
  async (host) => {
    const receiver = await startReceiver();
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const made = transport({ ca: receiver.ca, resolve });
    const result = await post(made, `https://${host}:${receiver.port}/`);
    // A certificate error for this spelling also proves that the receiver was reached.
    expect(result.status === 200 || /altname|ALTNAME/.test(result.errorDetail ?? '')).toBe(true);
    expect(receiver.connections).toBeGreaterThan(0);
  },
);

test.each([
  ['has no address', async () => []],
  ['does not exist', () => Promise.reject(new Error('it does not exist'))],
] satisfies [string, Resolve][])('a name that %s is unreachable', async (detail, resolve) => {
  const made = transport({ resolve });
  expect(await post(made, 'https://shop.receiver.test/')).toMatchObject({
    status: null,
    error: UNREACHABLE,
    errorDetail: expect.stringContaining(detail),
    response: null,
  });
});

test('an untrusted certificate fails the attempt, also where Node is told to trust every one', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const receiver = await startReceiver();
  const result = await post(transport(), receiver.url);
  expect(result.error).toBe(UNREACHABLE);
  expect(receiver.requests).toHaveLength(0);
});

test('the detail of a failure is kept in part, because an endpoint chooses the names in its certificate', async () => {
  const names = Array.from({ length: 100 }, (_, n) => `DNS:${n}.${'x'.repeat(200)}.test`).join(', ');
  const resolve = () => Promise.reject(new Error(`the certificate is for ${names}`));
  const result = await post(transport({ resolve }), 'https://shop.test/');
  expect(result.errorDetail).toMatch(/^the certificate is for DNS:0\./);
  expect(result.errorDetail?.length).toBeLessThan(4096);
});

test('plain http is never used, even if the database has an http URL or none', async () => {
  const wire = await tripwire();
  const result = await post(transport(), `http://127.0.0.1:${wire.port}/`);
  expect(result.status).toBe(null);
  expect(wire.reached()).toBe(0);
  expect((await post(transport(), 'shop')).error).toBe(UNREACHABLE);
});

test('many origins work in turn', async () => {
  const receivers = await Promise.all(Array.from({ length: 7 }, () => startReceiver()));
  const made = transport({ ca: receivers[0]?.ca ?? '' });
  for (let round = 0; round < 2; round++) {
    for (const receiver of receivers) expect(await post(made, receiver.url)).toMatchObject({ status: 200 });
  }
});

test("a resolver whose answer changes between check and connect is caught by the socket's address", async () => {
  const receiver = await startReceiver();
  let reads = 0;
  const twoFaced = {
    family: 4,
    get address() {
      return reads++ === 0 ? '93.184.215.14' : '127.0.0.1';
    },
  };
  const made = transport({ allowPrivateNetworks: false, ca: receiver.ca, resolve: async () => [twoFaced] });
  const result = await post(made, `https://shop.receiver.test:${receiver.port}/`);
  expect(result).toMatchObject({ status: null, error: UNREACHABLE });
  expect(result.errorDetail).toContain('127.0.0.1 is not a public address');
  expect([receiver.connections, receiver.requests.length]).toEqual([1, 0]);
  await until(() => receiver.open === 0, 'the connection to be closed');
});

test.each([300, 301, 302, 303, 307, 308])(
  'a redirect (%i) to a refused address is not followed',
  async (status) => {
    const wire = await tripwire();
    const receiver = await startReceiver((_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${wire.port}/` }).end();
    });
    const result = await post(transport({ ca: receiver.ca }), receiver.url);
    expect(result).toMatchObject({
      status,
      error: `The endpoint answered ${status}, not a 2xx status; redirects are not followed.`,
    });
    expect(wire.reached()).toBe(0);
  },
);

test('credentials in a URL are never sent', async () => {
  const receiver = await startReceiver();
  const url = receiver.url.replace('https://', 'https://me:secret@');
  expect(await post(transport({ ca: receiver.ca }), url)).toMatchObject({
    status: 200,
  });
  const [request] = receiver.requests;
  expect(request?.rawHeaders.join()).not.toMatch(/authorization|secret/i);
});

test('a compressed response is recorded as received and never decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const receiver = await startReceiver((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });
  const result = await post(transport({ ca: receiver.ca }), receiver.url);
  expect(receiver.requests[0]?.headers['accept-encoding']).toBe('identity');
  expect(result).toMatchObject({ status: 200, error: null });
  expect(result.response).toBe(bomb.subarray(0, 4096).toString('utf8'));
});

/** A receiver that sends its opening and then repeats a piece for ever; `sent` counts the bytes of the pieces. */
async function endless(opening: string, piece: string) {
  let sent = 0;
  const receiver = await startReceiver((_request, { socket }) => {
    socket?.on('error', () => undefined).write(opening);
    const pour = () => {
      while (socket && !socket.destroyed) {
        sent += piece.length;
        if (!socket.write(piece)) return;
      }
    };
    socket?.on('drain', pour);
    pour();
  });
  return { receiver, sent: () => sent };
}

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const INCOMPLETE = 'The endpoint did not complete its answer.';
const TOO_LARGE = "The endpoint's answer is larger than 256 KiB.";

test.each([
  ['interim responses', '', HINTS.repeat(100), 'The endpoint sent more than 16 interim (1xx) responses.'],
  ['chunk extensions', `${CHUNKED}1`, `;a=${'x'.repeat(1000)}`, TOO_LARGE],
  ['bodies', 'HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n', 'x'.repeat(64 * 1024), TOO_LARGE],
  ['chunks of one byte', CHUNKED, '1\r\nx\r\n'.repeat(1000), TOO_LARGE],
  ['headers', 'HTTP/1.1 200 OK\r\n', `a: ${'x'.repeat(1000)}\r\n`, UNREACHABLE],
  ['trailers', `${CHUNKED}0\r\n`, `a: ${'x'.repeat(1000)}\r\n`, INCOMPLETE],
])('endless %s end the attempt early', async (_what, opening, piece, error) => {
  const { receiver, sent } = await endless(opening, piece);
  const result = await post(transport({ ca: receiver.ca }), receiver.url);
  expect(result.error).toBe(error);
  expect(sent()).toBeLessThan(16 * 1024 * 1024);
});

test.each(['100 Continue', '102 Processing', '103 Early Hints'])(
  'an interim response (%s) before the answer is ignored, on every request of a connection',
  async (interim) => {
    const receiver = await startReceiver((_request, { socket }) => {
      socket?.write(`HTTP/1.1 ${interim}\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nread`);
    });
    const made = transport({ ca: receiver.ca });
    const answer = { status: 200, error: null, response: 'read' };
    expect(await post(made, receiver.url)).toMatchObject(answer);
    expect(await post(made, receiver.url)).toMatchObject(answer);
  },
);

test.each([
  ['ends early', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nreceived'],
  ['has an invalid chunk', `${CHUNKED}no\r\n`],
])('an answer that %s fails the attempt with its own text', async (_what, answer) => {
  const receiver = await startReceiver((_request, { socket }) => void socket?.end(answer));
  const result = await post(transport({ ca: receiver.ca }), receiver.url);
  expect(result).toMatchObject({ status: 200, error: INCOMPLETE });
});

test('the limit of a response applies to each request on a connection separately', async () => {
  const receiver = await startReceiver((_request, response) => void response.end('x'.repeat(200 * 1024)));
  const made = transport({ ca: receiver.ca });
  for (let i = 0; i < 8; i++) {
    expect(await post(made, receiver.url)).toMatchObject({ status: 200, error: null });
  }
  expect(receiver.connections).toBeLessThan(5);
});

test('an idle connection is not kept for as long as the endpoint offers, because it may have restarted', async () => {
  const closed = Promise.withResolvers<void>();
  const receiver = await startReceiver((_request, response) => {
    response.socket?.once('close', closed.resolve);
    response.setHeader('Connection', 'keep-alive').setHeader('Keep-Alive', 'timeout=300').end();
  });
  const made = transport({ ca: receiver.ca });
  expect(await post(made, receiver.url)).toMatchObject({ error: null });
  const answeredAt = Date.now();
  await closed.promise;
  expect(Date.now() - answeredAt).toBeLessThan(4900);
});

test('a request is not sent on a connection that a stall delayed, because later events may be delivered', async () => {
  const receiver = await startReceiver();
  const made = transport({ ca: receiver.ca });
  let stalledMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + stalledMs };
  const request = { url: receiver.url, headers: {}, body: '{}' };
  const outcome = exchange({ clock, transport: made }, 'mer_1', request);
  // The connection is ready when the process resumes, before any timer has run.
  stalledMs = 60_000;
  expect((await outcome).error).toMatch(/within 8 seconds/);
  expect(receiver.requests).toEqual([]);
});
