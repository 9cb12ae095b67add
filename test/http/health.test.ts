import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createErrorHelp } from '../../src/http/error-help.ts';
import { type HealthOptions, healthRoutes } from '../../src/http/health.ts';
import { createMetrics, type QueueState } from '../../src/http/metrics.ts';
import { fakeClock } from '../support/fake-clock.ts';

const TOKEN = 'metrics-token-of-this-test';

function service(queue: () => Promise<QueueState>, extra: Partial<HealthOptions> = {}): FastifyInstance {
  const deps = { clock: fakeClock(), log: pino({ level: 'silent' }) };
  const server = fastify();
  server.decorate('errorHelp', createErrorHelp({ publicUrl: null }));
  server.register(
    healthRoutes({
      deps,
      metrics: createMetrics({ queueState: queue, logBytes: () => null }),
      metricsToken: TOKEN,
      dispatcherAlive: () => true,
      version: '9.8.7',
      ...extra,
    }),
  );
  onTestFinished(() => server.close());
  return server;
}

const idle = async () => ({ due: 0, oldestDueAgeMs: null });
const get = (server: FastifyInstance, url: string, headers = {}, remoteAddress = '127.0.0.1') =>
  server.inject({ url, headers, remoteAddress });

test('healthz answers while the database fails', async () => {
  const server = service(() => Promise.reject(new Error('gone')));
  const answer = await get(server, '/healthz', {}, '203.0.113.5');
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok', version: '9.8.7' }]);
});

test('readyz shows a backlog, which does not make the service unready', async () => {
  const server = service(async () => ({ due: 9, oldestDueAgeMs: 3_600_000 }));
  const ready = await get(server, '/readyz');
  expect(ready.statusCode).toBe(200);
  expect(ready.json()).toEqual({
    status: 'ready',
    checks: {
      database: { ok: true },
      dispatcher: { ok: true },
      deliveries: { due: 9, oldestDueAgeMs: 3_600_000 },
    },
  });
});

test('a database that fails or does not answer within 2 s makes the service unready', async () => {
  const failing = await get(
    service(() => Promise.reject(new Error('disk gone'))),
    '/readyz',
  );
  expect([failing.statusCode, failing.json().checks.database]).toEqual([
    503,
    { ok: false, error: 'disk gone' },
  ]);

  const clock = fakeClock();
  const server = service(() => new Promise(() => {}), { deps: { clock, log: pino({ level: 'silent' }) } });
  const unanswered = get(server, '/readyz');
  for (let turn = 0; turn < 20; turn++) await clock.advance(200);
  expect((await unanswered).statusCode).toBe(503);
});

test('a stopped dispatcher makes the service unready', async () => {
  const answer = await get(service(idle, { dispatcherAlive: () => false }), '/readyz');
  expect([answer.statusCode, answer.json().checks.dispatcher]).toEqual([503, { ok: false }]);
});

test('readyz hides its detail and metrics are refused from outside without the token', async () => {
  const server = service(idle);
  const outside = '203.0.113.5';
  const wrong = { authorization: 'Bearer metrics-token-of-this-tes' };
  const proxied = { 'x-forwarded-for': '203.0.113.5' };
  for (const [headers, address] of [
    [{}, outside],
    [wrong, outside],
    [proxied, '127.0.0.1'],
    [{ forwarded: 'for=203.0.113.5' }, '::1'],
    [{ authorization: `Basic ${TOKEN}` }, outside],
  ] as const) {
    expect((await get(server, '/readyz', headers, address)).json()).toEqual({ status: 'ready' });
    const refused = await get(server, '/metrics', headers, address);
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'UNAUTHORIZED']);
    expect(refused.body).not.toContain('pcs_');
  }
});

test('readyz shows its detail and metrics are served to the loopback or with the token', async () => {
  const server = service(idle);
  const outside = '203.0.113.5';
  for (const [headers, address] of [
    [{}, '127.0.0.1'],
    [{}, '::1'],
    [{}, '::ffff:127.0.0.1'],
    [{ authorization: `Bearer ${TOKEN}` }, outside],
    [{ authorization: `bearer  ${TOKEN}`, 'x-forwarded-for': '1.2.3.4' }, outside],
  ] as const) {
    expect((await get(server, '/readyz', headers, address)).json()).toHaveProperty('checks.database');
    const metrics = await get(server, '/metrics', headers, address);
    expect(metrics.statusCode).toBe(200);
    expect(metrics.headers['content-type']).toContain('text/plain; version=0.0.4');
    expect(metrics.body).toContain('pcs_delivery_queue_depth 0');
  }
});

test('without a configured token no Bearer value is accepted', async () => {
  const server = service(idle, { metricsToken: null });
  for (const authorization of ['Bearer null', 'Bearer ', 'Bearer undefined']) {
    expect((await get(server, '/metrics', { authorization }, '203.0.113.5')).statusCode).toBe(403);
  }
});

test.each(['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', 'localhost.evil.example'])(
  'from loopback under the host name %s, the metrics and the detail of readiness are hidden',
  async (host) => {
    const server = service(idle, { metricsToken: null });
    const headers = { host };
    expect((await server.inject({ url: '/metrics', headers })).statusCode).toBe(403);
    expect((await server.inject({ url: '/readyz', headers })).json()).toEqual({ status: 'ready' });
    expect((await server.inject({ url: '/metrics', headers: { host: '[::1]:8080' } })).statusCode).toBe(200);
  },
);
