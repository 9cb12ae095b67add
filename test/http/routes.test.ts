import { METHODS } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { notFound } from '../../src/rpc/wire-error.ts';
import { until } from '../support/until.ts';
import { dial, exchange, get, post, send, startEdge } from './support.ts';

const AS_REQUESTS = METHODS.filter((method) => method !== 'CONNECT');

const edge = await startEdge({ whenOver: afterAll });

describe('an unknown path or a wrong method', () => {
  it('is NOT_FOUND with a key, also for HEAD and OPTIONS', async () => {
    for (const path of [
      '/api/v1/payments/init',
      '/api/v1/payments/status',
      '/api/v1/nothing',
      '/api/v1',
      '/',
      '/trpc',
    ]) {
      for (const method of AS_REQUESTS) {
        if (method === 'POST' && path.endsWith('init')) continue;
        if (method === 'GET' && path.endsWith('status')) continue;
        const headers = `Host: x\r\nOrigin: https://shop.pt\r\nAuthorization: Bearer ${edge.apiKey}\r\nConnection: close`;
        const bytes = `${method} ${path} HTTP/1.1\r\n${headers}\r\n\r\n`;
        const answers = await exchange(edge.port, bytes, undefined, method === 'HEAD');
        expect([method, path, ...answers.map(({ status }) => status)]).toEqual([method, path, 404]);
        const [answer] = answers;
        const code = path === '/trpc' ? answer?.body.error?.data.code : answer?.body.code;
        if (method !== 'HEAD') expect(code).toBe('NOT_FOUND');
        expect(answer?.headers.get('cache-control')).toBe('no-store');
        expect(answer?.headers.get('access-control-allow-origin')).toBeNull();
        expect(answer?.headers.get('x-request-id')).toMatch(/^req_/);
      }
    }
  });

  it.each(['CONNECT /api/v1 HTTP/1.1', 'CONNECT x:443 HTTP/1.1', 'OPTIONS * HTTP/1.1'])(
    'is NOT_FOUND for %s',
    async (line) => {
      const answers = await exchange(edge.port, `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([[404, 'NOT_FOUND']]);
    },
  );

  it.each([
    '/api/v1/payments/%zz',
    '/api/v1/payments/init%',
    '/api/v1/%ff',
    '/api/v1/payments/init/',
    '//api/v1/payments/init',
    '/API/V1/payments/init',
    '/api/v1/payments/../payments/init',
    '/api/v1/payments%2Finit',
    '/trpc/__proto__',
    '/trpc/constructor',
    '/trpc/payments.init,payments.none?batch=1',
    '/trpc/payments.init,payments.init',
    `/api/v1/${'a'.repeat(8000)}`,
  ])('is NOT_FOUND for a POST to %s, before the key and the body are checked', async (path) => {
    const bytes = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\nConnection: close\r\n\r\nnot json!`;
    const answers = await exchange(edge.port, bytes);
    const code = answers[0]?.body.code ?? answers[0]?.body.error.data.code;
    expect([answers.length, answers[0]?.status, code]).toEqual([1, 404, 'NOT_FOUND']);
  });

  it('is logged by its path without the query or a token, and counted under one name', async () => {
    const edge = await startEdge();
    await send(edge, `/api/v1/nothing/${'aB3-_'.repeat(5)}/x?key=secret`);
    await send(edge, '/api/v1/payments/status?transactionId=tx_1');
    await send(edge, '/api/v1/payments/status');
    const lines = await until(() => (edge.logged().length >= 3 ? edge.logged() : null));
    expect(lines).toMatchObject([
      {
        method: 'GET',
        route: '/api/v1/nothing/[masked]/x',
        status: 404,
        code: 'NOT_FOUND',
        requestId: expect.any(String),
      },
      {
        method: 'GET',
        route: '/api/v1/payments/status',
        status: 200,
        merchantId: edge.merchantId,
        ms: expect.any(Number),
      },
      { status: 400, code: 'INVALID_FIELDS' },
    ]);
    expect(edge.requests).toMatchObject([
      { route: 'unmatched', method: 'GET', status: 404 },
      { route: '/api/v1/payments/status', method: 'GET', status: 200 },
      { route: '/api/v1/payments/status', method: 'GET', status: 400 },
    ]);
    expect(edge.listed).toEqual([
      { isFailure: false, status: 200 },
      { isFailure: true, status: 400 },
    ]);
    expect(edge.requests.map(({ seconds }) => Math.round(seconds * 1000))).toEqual(lines.map(({ ms }) => ms));
    expect(JSON.stringify(lines)).not.toMatch(/secret|tx_1|sk_/);
  });
});

describe('the target of a request', () => {
  it('may be written with its origin, or percent-encoded, and is the same route', async () => {
    for (const target of [
      'http://x/api/v1/payments/methods',
      '/%61pi/v1/payments/methods',
      '/api/v1/payments/methods#x',
    ]) {
      const answers = await exchange(edge.port, get(edge, target, 'Connection: close'));
      expect(answers.map(({ status }) => status)).toEqual([200]);
    }
    const limited = await startEdge({ env: { SERVICE_POST_RATE_LIMIT: '1' } });
    const { headers } = await post(limited, '/%61pi/v1/payments/init', {});
    expect(headers.get('ratelimit-remaining'), 'also for the rate limit').toBe('0');
  });

  it('is answered to a client that half-closes its connection', async () => {
    const { socket, closed, answers } = await dial(edge.port);
    socket.end(get(edge, '/api/v1/payments/methods'));
    await closed;
    expect(answers().map(({ status }) => status)).toEqual([200]);
  });
});

describe('plugin routes', () => {
  it('need no key and report failures like other routes', async () => {
    const edge = await startEdge({
      plugins: [
        async (app) => {
          app.get('/api/v1/openapi.json', () => ({ openapi: '3.1.0' }));
          app.get('/healthz', () => {
            throw new Error('not so well');
          });
        },
      ],
    });
    const init = { headers: { authorization: '' } };
    expect((await send(edge, '/api/v1/openapi.json', init)).body).toEqual({ openapi: '3.1.0' });
    expect((await send(edge, '/healthz', init)).body.code).toBe('INTERNAL_ERROR');
    expect((await post(edge, '/api/v1/openapi.json', {})).status).toBe(404);
  });
});

describe('the bank’s callback', () => {
  it('is passed on with its query and answered 200 OK, or 403 with no body', async () => {
    const seen: string[] = [];
    const edge = await startEdge({
      receiveCallback: async (_acquirer, { query }) => {
        seen.push(query.toString());
        return query.get('key') === 'good' ? 200 : 403;
      },
    });
    const good = await send(
      edge,
      '/callbacks/ifthenpay?key=good&amount=12.50&payment_datetime=01-02-2026%2010%3A00',
    );
    expect([good.status, good.body, good.headers.get('content-type')]).toEqual([
      200,
      'OK',
      'text/plain; charset=utf-8',
    ]);
    const bad = await send(edge, '/callbacks/ifthenpay?key=stolen');
    expect([bad.status, bad.body]).toEqual([403, '']);
    expect(seen).toEqual(['key=good&amount=12.50&payment_datetime=01-02-2026+10%3A00', 'key=stolen']);
    expect((await post(edge, '/callbacks/ifthenpay?key=good', {})).status).toBe(404);
    // Some proxies escape the question mark, and a second proxy, or the server, the escape.
    for (const escaped of ['%3F', '%253F', '%25253f', '%zz%3F'])
      expect((await send(edge, `/callbacks/ifthenpay${escaped}key=good&amount=12.50`)).status).toBe(404);
    await until(() => edge.logged().length >= 7);
    expect(JSON.stringify(edge.logged())).not.toMatch(/good|stolen|12\.50/);
  });

  it('is refused unchecked after 300 refusals of one client in a minute, which are logged once a minute', async () => {
    let checked = 0;
    const edge = await startEdge({
      env: { SERVICE_TRUST_PROXY: '1' },
      receiveCallback: async (_acquirer, { query }) => {
        checked += 1;
        return query.get('key') === 'good' ? 200 : 403;
      },
    });
    for (let i = 0; i < 320; i++) await send(edge, '/callbacks/ifthenpay?key=stolen');
    expect(checked).toBe(300);
    expect((await send(edge, '/callbacks/ifthenpay?key=good')).status).toBe(403);
    const lines = () =>
      edge.logged().filter(({ msg }) => msg === 'bank callbacks with a wrong key were refused');
    expect(lines()).toMatchObject([{ acquirer: 'ifthenpay', count: 1 }]);
    const other = { headers: { 'x-forwarded-for': '192.0.2.9' } };
    expect((await send(edge, '/callbacks/ifthenpay?key=good', other)).status).toBe(200);
    for (const stepMs of [60_000, -3_600_000]) {
      await edge.clock.jump(stepMs);
      await send(edge, '/callbacks/ifthenpay?key=stolen', other);
    }
    expect(lines().map(({ count }) => count)).toEqual([1, 300, 1]);
  });

  it('passes the signed body of EuPago on as it came, and bounds it', async () => {
    const seen: unknown[] = [];
    const edge = await startEdge({
      receiveCallback: async (acquirer, { method, headers, body }) => {
        seen.push([acquirer, method, headers['x-signature'], body.toString()]);
        return 200;
      },
    });
    const sent = (body: string, headers: Record<string, string> = {}) =>
      send(edge, '/callbacks/eupago', { method: 'POST', body, headers: { 'x-signature': 's', ...headers } });
    const text = '{ "transaction": {"é": 1} }\n';
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const answer = await sent(text, { 'content-type': type });
      expect([answer.status, answer.body]).toEqual([200, 'OK']);
    }
    expect((await sent('')).status).toBe(200);
    expect(seen).toEqual([...Array(3).fill(['eupago', 'POST', 's', text]), ['eupago', 'POST', 's', '']]);
    expect((await sent('x'.repeat(16 * 1024 + 1))).status).toBe(400);
    expect((await send(edge, '/callbacks/eupago')).status).toBe(404);
    expect(seen).toHaveLength(4);
  });

  it('is a 500 when the service cannot store it, so that the bank repeats it', async () => {
    for (const error of [new Error('disk full'), notFound()]) {
      const edge = await startEdge({ receiveCallback: () => Promise.reject(error) });
      expect((await send(edge, '/callbacks/ifthenpay?key=good')).status).toBe(500);
    }
  });
});
