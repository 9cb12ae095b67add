import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it } from 'vitest';
import { readBytes } from '../../src/http/body.ts';
import { ERROR_TEXTS } from '../../src/kernel/errors.ts';
import { until } from '../support/until.ts';
import { dial, exchange, head, post, send, startEdge } from './support.ts';

const INIT = '/api/v1/payments/init';
const ORDER = { orderId: 'A', amount: 12.5 };

const edge = await startEdge({ whenOver: afterAll });

describe('an answer', () => {
  it('declares its type, forbids sniffing and does not name the server', async () => {
    const { headers } = await post(edge, INIT, ORDER);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('to an internal failure has the fixed sentence and the request id; the cause goes to the log', async () => {
    const edge = await startEdge();
    const answer = await post(edge, '/api/v1/payments/boom', {}, { 'x-request-id': 'r-1' });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      error: ERROR_TEXTS.INTERNAL_ERROR,
      code: 'INTERNAL_ERROR',
      requestId: 'r-1',
    });
    const line = await until(() => edge.logged().find((entry) => entry.level === 'error'));
    expect(line).toMatchObject({
      requestId: 'r-1',
      code: 'INTERNAL_ERROR',
      cause: expect.stringContaining('on fire'),
    });
  });

  it('that does not match its schema is INTERNAL_ERROR', async () => {
    const answer = await send(edge, '/api/v1/payments/wrong');
    expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_ERROR']);
  });
});

describe('a query', () => {
  it('with broken percent-encoding is read as it is', async () => {
    expect((await send(edge, '/api/v1/payments/status?transactionId=a%20b&x=1')).body).toEqual({
      transactionId: 'a b',
    });
    expect((await send(edge, '/api/v1/payments/status?transactionId=%zz')).status).toBe(200);
  });
});

it('a body in chunks of one byte takes little more memory than its bytes', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heapBytes = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const bytes = 256 * 1024;
  const request = new IncomingMessage(new Socket());
  const body = readBytes(request, bytes);
  const before = heapBytes();
  for (let at = 0; at < bytes; at++) request.emit('data', Buffer.from([at % 256]));
  expect(heapBytes() - before).toBeLessThan(4 * bytes);
  request.emit('end');
  const read = await body;
  expect(read).toHaveLength(bytes);
  expect(read.every((byte, at) => byte === at % 256)).toBe(true);
});

describe('an interrupted upload', () => {
  it('with a bad chunk is INVALID_BODY, and the answer is the only one', async () => {
    const answers = await exchange(
      edge.port,
      `${head(edge, 'Transfer-Encoding: chunked')}\r\n\r\n2\r\n{}\r\nzz\r\n`,
    );
    expect(answers.map((answer) => [answer.status, answer.body.code])).toEqual([[400, 'INVALID_BODY']]);
    expect(answers[0]?.headers.get('connection')).toBe('close');
  });

  it('does not affect other calls', async () => {
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
