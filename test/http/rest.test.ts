import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { INTERNAL_ERROR_TEXT } from '../../src/kernel/errors.ts';
import { until } from '../support/until.ts';
import { dial, exchange, head, post, send, startEdge } from './support.ts';

const INIT = '/api/v1/payments/init';
const ORDER = { orderId: 'A', amount: 12.5 };

describe('an answer', () => {
  it('carries the caller’s request id when it is sound, a new one otherwise, and is never cached', async () => {
    const edge = await startEdge();
    const given = await post(edge, INIT, ORDER, { 'x-request-id': 'Order-1._x' });
    expect(given.headers.get('x-request-id')).toBe('Order-1._x');
    for (const unsound of ['has space', 'a'.repeat(129), 'é']) {
      const answer = await post(edge, INIT, ORDER, { 'x-request-id': unsound });
      expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
    }
    expect(given.status).toBe(200);
    expect(given.headers.get('cache-control')).toBe('no-store');
    expect(given.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(given.headers.get('x-content-type-options')).toBe('nosniff');
    expect(given.headers.get('x-powered-by')).toBeNull();
    expect([...given.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('carries the headers that the procedure sets, and what the procedure was told by headers', async () => {
    const edge = await startEdge();
    const answer = await post(edge, INIT, ORDER, { origin: 'https://shop.pt' });
    expect(answer.body).toEqual({ ...ORDER, merchant: edge.merchantId, origin: 'https://shop.pt' });
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
  });

  it('to a failure inside has the fixed sentence and the request id, and the cause goes to the log', async () => {
    const edge = await startEdge();
    const answer = await post(edge, '/api/v1/payments/boom', {}, { 'x-request-id': 'r-1' });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ error: INTERNAL_ERROR_TEXT, code: 'INTERNAL_ERROR', requestId: 'r-1' });
    const line = await until(() => edge.logged().find((entry) => entry.level === 'error'));
    expect(line).toMatchObject({
      requestId: 'r-1',
      code: 'INTERNAL_ERROR',
      cause: expect.stringContaining('on fire'),
    });
  });

  it('that its own schema refuses is a failure inside', async () => {
    const edge = await startEdge();
    const answer = await send(edge, '/api/v1/payments/wrong');
    expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_ERROR']);
  });
});

describe('a body', () => {
  it.each([
    ['no content type', undefined, '{}'],
    ['text/plain', 'text/plain', '{}'],
    ['a lookalike type', 'application/jsonp', '{}'],
    ['a form', 'application/x-www-form-urlencoded', 'orderId=A'],
    ['multipart', 'multipart/form-data; boundary=x', '--x--'],
    ['a broken type', 'application/json/x', '{}'],
  ])('with %s is INVALID_BODY', async (_name, type, body) => {
    const edge = await startEdge();
    const answer = await send(edge, INIT, {
      method: 'POST',
      headers: type === undefined ? {} : { 'content-type': type },
      body: new TextEncoder().encode(body),
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_BODY']);
    expect(Object.keys(answer.body)).toEqual(['error', 'code', 'requestId']);
  });

  it.each([
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset=UTF-8;x=y',
    'application/json ;a=b',
  ])('of type %s is read', async (type) => {
    const edge = await startEdge();
    expect((await post(edge, INIT, ORDER, { 'content-type': type })).status).toBe(200);
  });

  it.each([
    ['empty', ''],
    ['blank', '  '],
    ['cut off', '{"orderId":'],
    ['null', 'null'],
    ['a number', '7'],
    ['a string', '"{}"'],
    ['an array', '[{}]'],
    ['two objects', '{}{}'],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['above 256 KiB', JSON.stringify({ ...ORDER, note: 'x'.repeat(256 * 1024) })],
    ['compressed', gzipSync('{}')],
  ])('that is %s is INVALID_BODY', async (name, body) => {
    const edge = await startEdge();
    const answer = await post(edge, INIT, body, name === 'compressed' ? { 'content-encoding': 'gzip' } : {});
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_BODY']);
  });

  it('of exactly 256 KiB is read, one byte more is not, and a client that is still sending gets its answer', async () => {
    const edge = await startEdge();
    const empty = JSON.stringify({ ...ORDER, note: '' }).length;
    const fitting = JSON.stringify({ ...ORDER, note: 'x'.repeat(256 * 1024 - empty) });
    expect((await post(edge, INIT, fitting)).status).toBe(200);
    expect((await post(edge, INIT, fitting.replace('xx', 'xxx'))).body.code).toBe('INVALID_BODY');
    const chunk = 'x'.repeat(65_536);
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 64; i++) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    const answer = await send(edge, INIT, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_BODY']);
  });

  it('with a hostile shape harms nobody', async () => {
    const edge = await startEdge();
    const proto =
      '{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}},"orderId":"A","orderId":"B","amount":1}';
    expect((await post(edge, INIT, proto)).body.orderId).toBe('B');
    const deep = `{"orderId":"A","amount":1,"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect((await post(edge, INIT, deep)).status).toBe(200);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('has every member at fault named once, null and blank counting as absent, nothing coerced', async () => {
    const edge = await startEdge();
    const faulty = {
      orderId: '  ',
      amount: '12',
      items: [{ quantity: 1 }, { quantity: null }, 'x'],
      note: null,
    };
    const answer = await post(edge, INIT, faulty);
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_FIELDS']);
    expect(answer.body.fields).toEqual(['orderId', 'amount', 'items[1].quantity', 'items[2]']);
  });

  it('of a hundred thousand faults is answered with bounded words', async () => {
    const edge = await startEdge();
    const answer = await post(edge, INIT, `{"items":[${'1,'.repeat(100_000)}1]}`);
    expect(answer.body.code).toBe('INVALID_FIELDS');
    expect(answer.text.length).toBeLessThan(100_000);
  });
});

describe('the Idempotency-Key header', () => {
  it.each(['', 'é', 'x'.repeat(256)])(
    'that is bad (%s) is INVALID_FIELDS, together with the other faults',
    async (key) => {
      const edge = await startEdge();
      const alone = await post(edge, INIT, ORDER, { 'idempotency-key': key });
      expect([alone.status, alone.body.fields]).toEqual([400, ['Idempotency-Key']]);
      const joined = await post(edge, INIT, { orderId: 'A' }, { 'idempotency-key': key });
      expect([joined.status, joined.body.fields]).toEqual([400, ['amount', 'Idempotency-Key']]);
      const noBody = await post(edge, INIT, '[]', { 'idempotency-key': key });
      expect([noBody.status, noBody.body.code]).toEqual([400, 'INVALID_BODY']);
    },
  );

  it('that is sound changes nothing', async () => {
    const edge = await startEdge();
    expect((await post(edge, INIT, ORDER, { 'idempotency-key': '~ a!'.padEnd(255, 'x') })).status).toBe(200);
  });
});

describe('a query', () => {
  it('with a repeated member is INVALID_FIELDS', async () => {
    const edge = await startEdge();
    const answer = await send(edge, '/api/v1/payments/status?transactionId=a&transactionId=b');
    expect([answer.status, answer.body.fields]).toEqual([400, ['transactionId']]);
    expect((await send(edge, '/api/v1/payments/status?transactionId=')).body.fields).toEqual([
      'transactionId',
    ]);
    expect((await send(edge, '/api/v1/payments/status?transactionId=a%20b&x=1')).body).toEqual({
      transactionId: 'a b',
    });
    expect((await send(edge, '/api/v1/payments/status?transactionId=%zz')).status).toBe(200);
  });
});

describe('an upload that breaks off', () => {
  it('with a bad chunk is INVALID_BODY, and the answer is the only one', async () => {
    const edge = await startEdge();
    const answers = await exchange(
      edge.port,
      `${head(edge, 'Transfer-Encoding: chunked')}\r\n\r\n2\r\n{}\r\nzz\r\n`,
    );
    expect(answers.map((answer) => [answer.status, answer.body.code])).toEqual([[400, 'INVALID_BODY']]);
    expect(answers[0]?.headers.get('connection')).toBe('close');
  });

  it('before its end leaves the service as it was', async () => {
    const edge = await startEdge();
    const { socket } = await dial(edge.port);
    socket.write(`${head(edge, 'Content-Length: 100')}\r\n\r\n{"orderId"`);
    await until(async () => (await send(edge, '/api/v1/payments/methods')).status === 200);
    socket.destroy();
    await until(() => edge.logged().some((line) => line.method === 'POST' && line.code === 'INVALID_BODY'));
    expect((await post(edge, INIT, ORDER)).status).toBe(200);
  });
});

describe('Expect: 100-continue', () => {
  it('lets the client send its body', async () => {
    const edge = await startEdge();
    const body = JSON.stringify(ORDER);
    const { socket, raw, answers, closed } = await dial(edge.port);
    const expecting = [`Content-Length: ${body.length}`, 'Expect: 100-continue', 'Connection: close'];
    socket.write(`${head(edge, ...expecting)}\r\n\r\n`);
    await until(() => raw().startsWith('HTTP/1.1 100 '));
    socket.write(body);
    await closed;
    expect(answers().map((answer) => answer.status)).toEqual([200]);
  });
});
