import { expect, test } from 'vitest';
import {
  accountLevel,
  backupLevel,
  bankLevel,
  httpLevel,
  processLevel,
  queueLevel,
  storageLevel,
  worst,
} from '../../src/backoffice/system/levels.ts';
import { showSystem } from '../../src/backoffice/system/show.ts';
import { noMetrics } from '../../src/deps.ts';
import { createRuntimeStats } from '../../src/http/runtime-stats.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { sendTestEvent } from '../../src/webhooks/test-event.ts';
import { testDeps } from '../merchants/support.ts';
import { fakeClock } from '../support/fake-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const GB = 1e9;

test('each part is good in normal operation, needs attention when it degrades, and is bad when it fails', () => {
  const now = 100 * DAY;
  const account = (listReadAt: number, unavailableSince: number | null = null) =>
    accountLevel({ createdAt: 0, listReadAt, unavailableSince }, now, 5 * MINUTE);
  const levels = [
    [
      [null, 0],
      [2 * MINUTE, 0],
      [MINUTE, MINUTE],
    ].map(([oldestDueAgeMs = null, unclaimedMs = null]) => queueLevel({ oldestDueAgeMs, unclaimedMs })),
    [account(now - MINUTE), account(now - MINUTE, now), account(now - 2 * HOUR)],
    [1, 10, 90].map((failed) => bankLevel({ calls: 100, failed }, ['good'])),
    [0, 5, 50].map((serverErrors) => httpLevel({ requests: 100, serverErrors })),
    [0, 500, 2000].map((loopP99Ms) => processLevel({ loopP99Ms })),
    [90, 4, 0.1].map((free) => storageLevel({ freeBytes: free * GB, totalBytes: 100 * GB })),
  ];
  for (const each of levels) expect(each).toEqual(['good', 'look', 'bad']);
  expect(bankLevel({ calls: 0, failed: 0 }, [])).toBe('bad');
  expect(backupLevel({ at: null, sandbox: true }, now)).toBe('good');
  expect(backupLevel({ at: null, sandbox: false }, now)).toBe('look');
  expect(worst(['good', 'look', 'good'])).toBe('look');
});

test('the runtime stats count the last five minutes, hand everything on, and forget what is older', async () => {
  const clock = fakeClock();
  const runtimeStats = createRuntimeStats(clock);
  const handedOn: string[] = [];
  const metrics = runtimeStats.metrics({ ...noMetrics, request: (route) => handedOn.push(route) });
  metrics.request('/a', 'GET', 200, 0.1);
  metrics.request('/b', 'GET', 404, 0.1);
  metrics.request('/c', 'GET', 502, 0.1);
  metrics.bankCall('push', 'accepted', 1);
  metrics.bankCall('push', 'refused', 1);
  metrics.bankCall('list', 'silent', 1);
  metrics.deliveryAttempt('failed', 1);
  metrics.deliveriesUnclaimed(31);
  metrics.bankUnavailable?.('acc_1', 'list', true);
  const since = clock.now();
  expect(runtimeStats.read()).toMatchObject({
    http: { requests: 3, clientErrors: 1, serverErrors: 1 },
    bank: { calls: 3, failed: 1 },
    deliveries: { delivered: 0, failed: 1 },
    unclaimedSeconds: 31,
    bankUnavailableSince: new Map([['acc_1', since]]),
  });
  expect(handedOn).toEqual(['/a', '/b', '/c']);
  await clock.advance(5 * MINUTE);
  metrics.request('/d', 'GET', 200, 0.1);
  metrics.bankUnavailable?.('acc_1', 'list', false);
  expect(runtimeStats.read()).toMatchObject({
    http: { requests: 1, serverErrors: 0 },
    bankUnavailableSince: new Map(),
  });
  runtimeStats.close();
});

test('the system page works without runtime stats and lists merchants with undelivered events', async () => {
  const deps = { ...(await testDeps()), wakeDispatcher() {} };
  const webhookUrl = 'https://shop.pt/hook';
  const { merchantId } = await createMerchant(deps, { name: 'Loja', domains: ['shop.pt'], webhookUrl });
  const { deliveryId } = await sendTestEvent(deps, merchantId);
  const end = (state: 'undelivered' | 'delivered') =>
    deps.db.unit((tx) => tx.updateTable('deliveries').set({ state }).where('id', '=', deliveryId).execute());
  await end('undelivered');
  expect(await showSystem(deps)).toMatchObject({
    level: 'bad',
    undelivered: { level: 'look', merchants: [{ merchantId, name: 'Loja', count: 1, more: false }] },
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
