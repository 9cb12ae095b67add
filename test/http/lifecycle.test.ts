import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { dial, type Edge, get, send, slowCalls, startEdge } from './support.ts';

/** A connection whose call is under way until the slow calls are released. */
async function busyWith(edge: Edge) {
  const busy = await dial(edge.port);
  busy.socket.write(get(edge, '/api/v1/payments/slow'));
  await until(() => slowCalls.count() === 1);
  return busy;
}

describe('a stop', () => {
  it('answers requests on open connections and refuses new connections', async () => {
    const edge = await startEdge();
    const idle = await dial(edge.port);
    idle.socket.write(get(edge, '/api/v1/payments/methods'));
    await until(() => idle.raw() !== '');
    const busy = await busyWith(edge);

    const stopped = edge.server.close();
    await until(() => refusesConnections(edge.port));
    idle.socket.write(get(edge, '/api/v1/payments/methods'));
    await idle.closed;
    expect(idle.answers().map(({ status }) => status)).toEqual([200, 200]);
    expect(idle.answers()[1]?.headers.get('connection')).toBe('close');

    slowCalls.release();
    await busy.closed;
    await stopped;
    expect(busy.answers().map(({ status, body }) => [status, body])).toEqual([[200, { done: true }]]);
    expect(busy.answers()[0]?.headers.get('connection')).toBe('close');
  });

  it('answers a request that was sent before the client learnt of the stop', async () => {
    const edge = await startEdge({ limits: { stopLingerMs: 10_000 } });
    const idle = await dial(edge.port);
    idle.socket.write(get(edge, '/api/v1/payments/methods'));
    await until(() => idle.raw() !== '');
    const stopped = edge.server.close();
    idle.socket.write(get(edge, '/api/v1/payments/methods'));
    await stopped;
    await idle.closed;
    expect(idle.answers().map(({ status }) => status)).toEqual([200, 200]);
  });

  it('ends calls that exceed the time limit', async () => {
    const edge = await startEdge({ env: { SERVICE_BANK_TIMEOUT_MS: '1000' }, limits: { stopFinishMs: 50 } });
    const busy = await busyWith(edge);
    await edge.server.close();
    await busy.closed;
    expect(busy.answers()).toEqual([]);
    slowCalls.release();
    await until(() => edge.listed.length > 0);
    expect(edge.listed).toEqual([{ isFailure: true, status: 499 }]);
  });

  it('waits for a call as long as the bank and the fallback may take', async () => {
    const edge = await startEdge({ env: { SERVICE_BANK_TIMEOUT_MS: '1500' }, limits: { stopFinishMs: 50 } });
    const busy = await busyWith(edge);
    const stopped = edge.server.close();
    await delay(3000);
    slowCalls.release();
    await busy.closed;
    await stopped;
    expect(busy.answers().map(({ status }) => status)).toEqual([200]);
  });

  it('ends with the last response, although another connection is idle', async () => {
    const edge = await startEdge();
    const [busy, idle] = [await busyWith(edge), await dial(edge.port)];
    const stopped = edge.server.close();
    await delay(500);
    expect(idle.socket.closed).toBe(false);
    slowCalls.release();
    const releasedAt = performance.now();
    await stopped;
    expect(performance.now() - releasedAt).toBeLessThan(5000);
    await busy.closed;
    expect(busy.answers().map(({ status }) => status)).toEqual([200]);
  });

  it('closes idle connections and can be repeated', async () => {
    const edge = await startEdge();
    const idle = await dial(edge.port);
    await Promise.all([edge.server.close(), edge.server.close()]);
    await idle.closed;
  });
});

describe('a connection with more than a hundred unanswered requests', () => {
  const waiting = async (edge: Edge, count: number) => {
    const client = await dial(edge.port);
    client.socket.write(get(edge, '/api/v1/payments/slow').repeat(count));
    return client;
  };

  it('is closed, and a stop does not wait for it', async () => {
    const edge = await startEdge();
    await (await waiting(edge, 101)).closed;
    const stoppedAt = performance.now();
    slowCalls.release();
    await edge.server.close();
    expect(performance.now() - stoppedAt).toBeLessThan(5000);
  });

  it('gets all responses up to that number', async () => {
    const edge = await startEdge();
    const { answers } = await waiting(edge, 100);
    await until(() => slowCalls.count() === 100);
    slowCalls.release();
    await until(() => answers().length === 100);
  });
});

describe('a connection above SERVICE_CONNECTIONS_MAX', () => {
  it('is closed, logged once a minute, and accepted again when another has closed', async () => {
    const edge = await startEdge({ env: { SERVICE_CONNECTIONS_MAX: '2' } });
    const [first, second] = [await dial(edge.port), await dial(edge.port)];
    for (let i = 0; i < 2; i++) await (await dial(edge.port)).closed;
    const logged = () => edge.logged().filter(({ msg }) => String(msg).startsWith('connections dropped'));
    expect(logged()).toMatchObject([{ level: 'warn', connectionsMax: 2 }]);
    await edge.clock.jump(-3_600_000);
    await (await dial(edge.port)).closed;
    expect(logged(), 'also after the clock was set back').toHaveLength(2);
    first.socket.end('GET /api/v1/payments/methods HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await first.closed;
    const next = await until(async () => await send(edge, '/api/v1/payments/methods').catch(() => null));
    expect(next.status).toBe(200);
    expect(second.socket.destroyed).toBe(false);
  });
});

describe('a slow client', () => {
  it('has the body of its GET discarded before the response', async () => {
    const answerAfterBody = async (app: FastifyInstance) => {
      app.get('/late', async ({ raw }) => {
        if (!raw.readableEnded) await once(raw, 'end');
        return { unread: raw.readableLength };
      });
    };
    const edge = await startEdge({ plugins: [answerAfterBody] });
    const { socket, answers } = await dial(edge.port);
    socket.write('GET /late HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n');
    await until(() => answers().length === 1);
    expect(answers()[0]?.body).toEqual({ unread: 0 });
  });

  it('that stops reading its response is disconnected, one that reads slowly is not', async () => {
    const bytes = 32 * 1024 * 1024;
    const completed: boolean[] = [];
    const answerLong = async (app: FastifyInstance) => {
      app.get('/long', (_request, reply) => {
        reply.raw.once('close', () => completed.push(reply.raw.writableFinished));
        return reply.send(Buffer.alloc(bytes));
      });
    };
    const edge = await startEdge({ plugins: [answerLong], limits: { stalledTimeoutMs: 1500 } });
    const { socket: slow } = await dial(edge.port);
    const { socket: stalled } = await dial(edge.port);
    for (const socket of [slow, stalled]) socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
    stalled.pause();
    slow.on('data', () => {
      slow.pause();
      setTimeout(() => slow.resume(), 5);
    });
    await until(() => completed.length === 2 && slow.bytesRead > bytes);
    expect(completed.toSorted()).toEqual([false, true]);
  });
});

describe('a client that leaves before its response', () => {
  it.each([true, false])(
    'is counted once and is no server error; the response is a stream that is sent later: %s',
    async (isLater) => {
      let isReached = false;
      const answerStream = async (app: FastifyInstance) => {
        app.get('/stream', async ({ socket }, reply) => {
          isReached = true;
          if (isLater) await new Promise((resolve) => socket.once('close', resolve));
          return await reply.send(new Readable({ read() {} }));
        });
      };
      const edge = await startEdge({ plugins: [answerStream] });
      const { socket } = await dial(edge.port);
      socket.write('GET /stream HTTP/1.1\r\nHost: x\r\n\r\n');
      await until(() => isReached);
      socket.resetAndDestroy();
      await until(() => edge.requests.length > 0);
      // A second count would follow at once.
      await delay(20);
      expect(edge.requests).toMatchObject([{ status: isLater ? 200 : 400 }]);
      expect(edge.logged().filter(({ level }) => level === 'error')).toEqual([]);
    },
  );
});

function refusesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
    socket.once('connect', () => socket.destroy());
  });
}
