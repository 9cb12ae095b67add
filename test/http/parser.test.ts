import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { RawClient } from '../support/raw-client.ts';
import { until } from '../support/until.ts';
import { headers } from './fuzz/headers.ts';
import { paths, queries } from './fuzz/targets.ts';
import {
  dial,
  type Edge,
  exchange,
  get,
  head,
  readAnswers,
  STATUSES,
  send,
  slowCalls,
  startEdge,
} from './support.ts';

const GET = 'GET /api/v1/payments/methods HTTP/1.1';

const edge = await startEdge({ whenOver: afterAll });

/** Expects one INVALID_BODY answer with every header and member of an error. */
function expectInvalid(answers: Awaited<ReturnType<typeof exchange>>): void {
  expect(answers).toHaveLength(1);
  const [answer] = answers;
  expect([answer?.status, answer?.body.code]).toEqual([400, 'INVALID_BODY']);
  expect(Object.keys(answer?.body)).toEqual(['error', 'code', 'requestId']);
  expect(answer?.headers.get('x-request-id')).toBe(answer?.body.requestId);
  expect(answer?.headers.get('cache-control')).toBe('no-store');
  expect(answer?.headers.get('link')).toBe('</docs/reference#error-INVALID_BODY>; rel="help"');
  expect(answer?.headers.get('content-type')).toBe('application/json; charset=utf-8');
}

describe('a fault that the HTTP parser finds', () => {
  it.each([
    ['no request line', 'hello\r\n\r\n'],
    ['an unknown method', 'FROB /api/v1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['another version', 'GET /api/v1 HTTP/3.7\r\nHost: x\r\n\r\n'],
    ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a space in a header name', `${GET}\r\nHost: x\r\nBad Header: 1\r\n\r\n`],
    ['a header that has no end', `${GET}\r\nHost: x\r\nX: ${'a'.repeat(20_000)}`],
    ['too many headers', `${GET}\r\nHost: x\r\n${'X: aaaaaaaaaaaa\r\n'.repeat(2000)}\r\n`],
    ['a target above the limit', `GET /api/v1/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a length that is no number', `POST /api/v1 HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n`],
    ['two lengths', 'POST /api/v1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{'],
    [
      'a length and chunks',
      'POST /api/v1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['a control character in a header', `${GET}\r\nHost: x\r\nX: a\x00b\r\n\r\n`],
  ])('(%s) is a complete INVALID_BODY error', async (_name, bytes) => {
    expectInvalid(await exchange(edge.port, Buffer.from(bytes, 'latin1')));
  });

  it('(an incomplete request) is INVALID_BODY when the client still reads', async () => {
    const { socket, closed, answers } = await dial(edge.port);
    socket.end(`${GET}\r\nHost`);
    await closed;
    expectInvalid(answers());
  });

  it.each([
    ['no Host', `${GET}\r\nAuthorization: Bearer KEY\r\nConnection: close\r\n\r\n`],
    ['two Hosts', `${GET}\r\nHost: x\r\nAuthorization: Bearer KEY\r\nhost: y\r\nConnection: close\r\n\r\n`],
    ['an unknown expectation', `${GET}\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n`],
  ])('(%s) is INVALID_BODY instead of the default of Node.js', async (_name, bytes) => {
    expectInvalid(await exchange(edge.port, bytes.replace('KEY', edge.apiKey)));
  });

  it('is no missing Host in HTTP/1.0, which has none', async () => {
    const bytes = `${GET.replace('1.1', '1.0')}\r\nAuthorization: Bearer ${edge.apiKey}\r\n\r\n`;
    expect(await exchange(edge.port, bytes)).toMatchObject([{ status: 200 }]);
  });

  it('treats an unsupported upgrade as an ordinary request', async () => {
    const { socket, raw } = await dial(edge.port);
    socket.write(get(edge, '/api/v1/payments/methods', 'Connection: Upgrade', 'Upgrade: websocket'));
    await until(() => raw() !== '');
    expect(raw()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('does not replace the answer of an earlier request', async () => {
    const { socket, closed, answers } = await dial(edge.port);
    socket.write(get(edge, '/api/v1/payments/slow'));
    await until(() => slowCalls.count() === 1);
    socket.write('garbage\r\n\r\nmore garbage\r\n\r\n');
    await send(edge, '/api/v1/payments/methods');
    expect(answers()).toEqual([]);
    slowCalls.release();
    await closed;
    expect(answers().map(({ status }) => status)).toEqual([200, 400]);
  });

  it('does not end the service when the client resets a CONNECT request', async () => {
    for (let time = 0; time < 20; time++) {
      const { socket, closed } = await dial(edge.port);
      socket.write('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
      socket.resetAndDestroy();
      await closed;
    }
    expect((await send(edge, '/api/v1/payments/methods')).status).toBe(200);
  });

  it('in the body of an answered request is not answered again', async () => {
    const { socket, closed, raw, answers } = await dial(edge.port);
    const stranger = head(edge, 'Transfer-Encoding: chunked').replace(/Bearer .*/, 'Bearer sk_nobody');
    socket.write(`${stranger}\r\n\r\n`);
    await until(() => raw().includes('UNAUTHORIZED'));
    socket.write('zz\r\n\r\n');
    await closed;
    expect(answers().map(({ status }) => status)).toEqual([401]);
  });
});

describe('a client that is too slow', () => {
  const limits = { headersTimeoutMs: 80, requestTimeoutMs: 80, timeoutCheckMs: 20 };

  it.each([
    ['sends nothing', ''],
    ['stops within the headers', `${GET}\r\nHost: x\r\nX`],
  ])('and %s gets INVALID_BODY', async (_name, bytes) => {
    const edge = await startEdge({ limits });
    expectInvalid(await exchange(edge.port, bytes));
  });

  it('and stops within the body gets INVALID_BODY, once', async () => {
    const edge = await startEdge({ limits });
    expectInvalid(await exchange(edge.port, `${head(edge, 'Content-Length: 20')}\r\n\r\n{"orderId"`));
  });

  it('and closes its side within the body of an upgrade gets INVALID_BODY, once and at once', async () => {
    const { socket, closed, answers } = await dial(edge.port);
    const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked';
    socket.end(`${head(edge, upgrade)}\r\n\r\n`);
    await closed;
    expectInvalid(answers());
  });
});

describe('a request to upgrade whose body is not read', () => {
  const upgrade = 'POST /none HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c';

  it.each([1000, 400_000, 2_000_000])('is answered, as is the next one, with %i bytes', async (length) => {
    const client = new RawClient(edge.port);
    const bytes = Buffer.from(`${upgrade}\r\nContent-Length: ${length}\r\n\r\n${' '.repeat(length)}`);
    for (let time = 0; time < 3; time++) expect((await client.send({ bytes })).status).toBe(404);
    client.close();
  });

  it('is answered once when its body stops', async () => {
    const edge = await startEdge({
      limits: { headersTimeoutMs: 80, requestTimeoutMs: 80, timeoutCheckMs: 20 },
    });
    const [answer, ...others] = await exchange(edge.port, `${upgrade}\r\nContent-Length: 20\r\n\r\n{`);
    expect([answer?.status, answer?.headers.get('connection'), others]).toEqual([404, 'close', []]);
  });
});

describe('arbitrary bytes', () => {
  it('get only the eight statuses, and complete errors', async () => {
    const limits = { headersTimeoutMs: 500, requestTimeoutMs: 500, timeoutCheckMs: 50 };
    const edge = await startEdge({ env: { SERVICE_POST_RATE_LIMIT: '200' }, limits });
    const seed = Date.now() % 2 ** 31;
    await fc.assert(
      fc.asyncProperty(wildRequest(edge), async (bytes) => {
        for (const answer of await halfClosed(edge.port, bytes)) {
          expect(STATUSES).toContain(answer.status);
          expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
          expect(answer.headers.get('cache-control')).toBe('no-store');
          if (answer.status === 200 || answer.body === '') continue;
          const body = answer.body.error?.data ?? answer.body;
          expect(body).toMatchObject({
            error: expect.any(String),
            code: expect.any(String),
            requestId: expect.any(String),
          });
        }
      }),
      { seed, numRuns: 400 },
    );
    expect((await send(edge, '/api/v1/payments/methods')).status).toBe(200);
  });
});

/** Requests from valid and invalid parts, with a few bytes replaced, one or two on a connection. */
function wildRequest(edge: Edge): fc.Arbitrary<Buffer> {
  const sound = `Host: x\r\nAuthorization: Bearer ${edge.apiKey}\r\nContent-Type: application/json\r\n`;
  const framing = [
    'Transfer-Encoding: chunked',
    'Content-Length: 5',
    'Content-Length: 2',
    'Connection: close',
  ];
  const expecting = [
    'Expect: x',
    'Expect: 100-continue',
    'Connection: Upgrade\r\nUpgrade: h2c',
    'TE: trailers',
  ];
  const header = fc.oneof(
    fc.constantFrom(...framing, ...expecting),
    headers.map(([name, value]) => `${name}: ${value}`),
    fc.tuple(fc.string({ maxLength: 10 }), fc.string({ maxLength: 30 })).map((parts) => parts.join(': ')),
  );
  const chunks = '5\r\n{"a":\r\n0\r\n\r\n';
  const request = fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'POST', 'POST', 'PUT', 'OPTIONS', 'QUERY', 'CONNECT', 'get', 'FROB', ''),
      fc.oneof(fc.constant('/api/v1/payments/init'), paths, fc.string({ maxLength: 20 })),
      fc.oneof(fc.constant(''), queries),
      fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', ''),
      fc.constantFrom(sound, 'Host: x\r\n', ''),
      fc.array(header, { maxLength: 4 }),
      fc.oneof(fc.constantFrom('', '{}', '[]', chunks, '{"orderId":"A","amount":1}'), fc.json(), fc.string()),
    )
    .map(([method, path, query, version, first, rest, body]) =>
      Buffer.from(
        `${method} ${path}?${query} ${version}\r\n${first}${rest.map((line) => `${line}\r\n`).join('')}\r\n${body}`,
      ),
    );
  const noise = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 });
  const noisy = fc.tuple(request, noise).map(([bytes, places]) => {
    for (const [at, byte] of places) bytes[at % bytes.length] = byte;
    return bytes;
  });
  const pipelined = fc.tuple(request, noisy).map((both) => Buffer.concat(both));
  const random = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  return fc.oneof(request, noisy, pipelined, random);
}

async function halfClosed(port: number, bytes: Buffer) {
  const { socket, closed, raw } = await dial(port);
  socket.end(bytes);
  await closed;
  return readAnswers(raw());
}
