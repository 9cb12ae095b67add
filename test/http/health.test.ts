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

test('healthz and the counters are served while the database fails', async () => {
  const server = service(() => Promise.reject(new Error('gone')));
  const answer = await get(server, '/healthz', {}, '203.0.113.5');
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok', version: '9.8.7' }]);
  const { body } = await get(server, '/metrics');
  expect(body).toMatch(/pcs_delivery_queue_depth nan/i);
  expect(body).toContain('pcs_deliveries_finished_total{state="delivered"} 0');
});

test('readyz and the metrics show a backlog, which does not make the service unready', async () => {
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
  const { body } = await get(server, '/metrics');
  expect(body).toMatch(/^pcs_delivery_queue_depth 9$/m);
  expect(body).toMatch(/^pcs_delivery_oldest_due_seconds 3600$/m);
});

test('every value that the service counts is in the metrics', async () => {
  const { metrics, text } = createMetrics({ queueState: idle, logBytes: () => 4096 });
  const before = await text();
  expect(before, 'before the first failure').toContain('pcs_mails_total{outcome="failed"} 0');
  metrics.request('/a', 'GET', 200, 2);
  metrics.bankCall('push', 'accepted', 3);
  metrics.deliveryAttempt('delivered', 4);
  metrics.deliveryFinished('undelivered');
  metrics.deliveriesUnclaimed(31);
  metrics.mail('failed');
  metrics.requestsUnlogged(7);
  const counted = (await text()).split('\n');
  for (const line of [
    'pcs_http_request_duration_seconds_sum{route="/a",method="GET",status="200"} 2',
    'pcs_bank_call_duration_seconds_sum{operation="push",outcome="accepted"} 3',
    'pcs_delivery_attempt_duration_seconds_sum{outcome="delivered"} 4',
    'pcs_deliveries_finished_total{state="undelivered"} 1',
    'pcs_deliveries_unclaimed_seconds 31',
    'pcs_mails_total{outcome="failed"} 1',
    'pcs_request_log_dropped_total 7',
    'pcs_database_log_bytes 4096',
  ])
    expect(counted).toContain(line);
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

const OUTSIDE = '203.0.113.5';
const HOSTS = ['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', 'localhost.evil.example'];

test.each<[string, Record<string, string>, boolean]>([
  [OUTSIDE, {}, false],
  [OUTSIDE, { authorization: `Bearer ${TOKEN.slice(0, -1)}` }, false],
  [OUTSIDE, { authorization: `Basic ${TOKEN}` }, false],
  ['127.0.0.1', { 'x-forwarded-for': OUTSIDE }, false],
  ['::1', { forwarded: `for=${OUTSIDE}` }, false],
  ['127.0.0.1', { 'x-real-ip': OUTSIDE }, false],
  ['127.0.0.1', { via: '1.1 proxy' }, false],
  ...HOSTS.map((host): [string, { host: string }, boolean] => ['127.0.0.1', { host }, false]),
  ['127.0.0.1', {}, true],
  ['127.0.0.1', { host: '[::1]:8080' }, true],
  ['::1', {}, true],
  ['::ffff:127.0.0.1', {}, true],
  [OUTSIDE, { authorization: `Bearer ${TOKEN}` }, true],
  [OUTSIDE, { authorization: `bearer  ${TOKEN}`, 'x-forwarded-for': '1.2.3.4' }, true],
])('to %s with %j, metrics and the detail of readiness are shown: %s', async (address, headers, shown) => {
  const server = service(idle);
  const ready = (await get(server, '/readyz', headers, address)).json();
  expect(ready).toEqual(shown ? expect.objectContaining({ checks: expect.anything() }) : { status: 'ready' });
  const metrics = await get(server, '/metrics', headers, address);
  expect(metrics.statusCode).toBe(shown ? 200 : 403);
  expect(metrics.body.includes('pcs_delivery_queue_depth 0')).toBe(shown);
  if (shown) expect(metrics.headers['content-type']).toContain('text/plain; version=0.0.4');
  else expect(metrics.json().code).toBe('UNAUTHORIZED');
});

test('without a configured token no Bearer value is accepted', async () => {
  const server = service(idle, { metricsToken: null });
  for (const authorization of ['Bearer null', 'Bearer ', 'Bearer undefined']) {
    expect((await get(server, '/metrics', { authorization }, OUTSIDE)).statusCode).toBe(403);
  }
});
