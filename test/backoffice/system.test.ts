import { join } from 'node:path';
import { expect, test } from 'vitest';
import { showSystem } from '../../src/backoffice/system/show.ts';
import { noMetrics } from '../../src/deps.ts';
import { createRuntimeStats } from '../../src/http/runtime-stats.ts';
import { backUp } from '../../src/installation/backup.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { sendTestEvent } from '../../src/webhooks/test-event.ts';
import { testDeps } from '../merchants/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { updateRows } from '../support/rows.ts';

const MINUTE = 60_000;

test('the runtime stats count the last five minutes and pass every value on to the metrics', async () => {
  const clock = fakeClock();
  const runtimeStats = createRuntimeStats(clock);
  const handedOn: unknown[] = [];
  const metrics = runtimeStats.metrics({
    ...noMetrics,
    request: (route) => handedOn.push(route),
    bankCall: (_operation, outcome) => handedOn.push(outcome),
    deliveryAttempt: (outcome) => handedOn.push(outcome),
    deliveriesUnclaimed: (seconds) => handedOn.push(seconds),
  });
  metrics.request('/a', 'GET', 200, 0.1);
  metrics.request('/b', 'GET', 400, 0.1);
  metrics.request('/c', 'GET', 500, 0.1);
  metrics.bankCall('push', 'accepted', 1);
  metrics.bankCall('push', 'refused', 1);
  metrics.bankCall('push', 'unknown', 1);
  metrics.bankCall('list', 'unavailable', 1);
  metrics.deliveryAttempt('failed', 1);
  metrics.deliveriesUnclaimed(31);
  metrics.bankUnavailable('acc_1', 'list', true);
  const since = clock.now();
  expect(runtimeStats.read()).toMatchObject({
    http: { requests: 3, clientErrors: 1, serverErrors: 1 },
    bank: { calls: 4, failed: 2 },
    deliveries: { delivered: 0, failed: 1 },
    unclaimedSeconds: 31,
    bankUnavailableSince: new Map([['acc_1', since]]),
  });
  expect(handedOn).toEqual([
    ...['/a', '/b', '/c', 'accepted', 'refused', 'unknown', 'unavailable', 'failed', 31],
  ]);
  await clock.advance(5 * MINUTE);
  expect(runtimeStats.read().http, 'also without a new request').toMatchObject({ requests: 0 });
  metrics.request('/d', 'GET', 200, 0.1);
  metrics.bankUnavailable('acc_1', 'push', true);
  expect(runtimeStats.read().bankUnavailableSince).toEqual(new Map([['acc_1', since]]));
  metrics.bankUnavailable('acc_1', 'list', false);
  expect(runtimeStats.read()).toMatchObject({
    http: { requests: 1, serverErrors: 0 },
    bankUnavailableSince: new Map([['acc_1', clock.now()]]),
  });
  metrics.bankUnavailable('acc_1', 'push', false);
  expect(runtimeStats.read().bankUnavailableSince).toEqual(new Map());
});

test('the system page lists merchants with undelivered events', async () => {
  const tools = await testDeps();
  const deps = { ...tools, runtimeStats: createRuntimeStats(tools.clock), wakeDispatcher() {} };
  const webhookUrl = 'https://shop.pt/hook';
  const { merchantId } = await createMerchant(deps, { name: 'Loja', domains: ['shop.pt'], webhookUrl });
  const { deliveryId } = await sendTestEvent(deps, merchantId);
  const end = (state: 'undelivered' | 'delivered') =>
    updateRows(
      deps.db,
      'deliveries',
      { state, kind: 'payment.success', finished_at: deps.clock.now() },
      { id: deliveryId },
    );
  await end('undelivered');
  expect(await showSystem(deps)).toMatchObject({
    level: 'bad',
    undelivered: { level: 'attention', merchants: [{ merchantId, name: 'Loja', count: 1, more: false }] },
    bank: { level: 'bad', accounts: [], sandbox: true },
    queue: { level: 'good', due: 0, unclaimedMs: null },
    versions: {
      service: expect.stringMatching(/^\d/),
      database: expect.stringMatching(/^(SQLite 3|PostgreSQL \d)/),
    },
  });
  await end('delivered');
  expect((await showSystem(deps)).undelivered).toMatchObject({ level: 'good', merchants: [] });
});

test('with a real bank, a missing backup needs attention on SQLite only', async () => {
  const deps = await testDeps();
  const { db, settings, clock } = { ...deps, clock: fakeClock() };
  const onBank = {
    db,
    clock,
    runtimeStats: createRuntimeStats(clock),
    settings: { ...settings, bank: 'ifthenpay' as const },
  };
  const { backup } = await showSystem(onBank);
  const byServer = db.engine === 'postgres';
  expect(backup).toMatchObject({ level: byServer ? 'good' : 'attention', at: null, byServer });
  if (byServer) return;
  await backUp(onBank, join(temporaryFolder(), 'copy.db'));
  expect((await showSystem(onBank)).backup).toMatchObject({ level: 'good', at: clock.now() });
});
