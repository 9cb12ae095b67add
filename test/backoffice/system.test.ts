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

test('a queue that moves is good, an old one wants a look, one that is left lying is bad', () => {
  expect(queueLevel({ oldestDueAgeMs: null, unclaimedMs: 0 })).toBe('good');
  expect(queueLevel({ oldestDueAgeMs: MINUTE, unclaimedMs: null })).toBe('good');
  expect(queueLevel({ oldestDueAgeMs: MINUTE + 1, unclaimedMs: 0 })).toBe('look');
  expect(queueLevel({ oldestDueAgeMs: 40_000, unclaimedMs: 30_001 })).toBe('bad');
});

test('an account whose list is read is good, a silent or late one wants a look, one unread for an hour is bad', () => {
  const now = 100 * DAY;
  const read = (ageMs: number, unavailableSince: number | null = null) =>
    accountLevel({ createdAt: 0, listReadAt: now - ageMs, unavailableSince }, now, 5 * MINUTE);
  expect(read(5 * MINUTE)).toBe('good');
  expect(read(5 * MINUTE, now - MINUTE)).toBe('look');
  expect(read(17 * MINUTE)).toBe('look');
  expect(read(HOUR + 1)).toBe('bad');
  const young = { createdAt: now - MINUTE, listReadAt: null, unavailableSince: null };
  expect(accountLevel(young, now, 5 * MINUTE)).toBe('good');
  expect(accountLevel({ ...young, createdAt: now - DAY }, now, 5 * MINUTE)).toBe('bad');
  // What is read once a day is not late after an hour.
  expect(accountLevel({ ...young, listReadAt: now - 2 * HOUR }, now, DAY)).toBe('good');
});

test('calls, requests, delays, room and copies are judged by their shares', () => {
  expect(bankLevel({ calls: 100, failed: 1 }, ['good'])).toBe('good');
  expect(bankLevel({ calls: 20, failed: 2 }, ['good'])).toBe('look');
  expect(bankLevel({ calls: 6, failed: 5 }, ['good'])).toBe('bad');
  expect(bankLevel({ calls: 0, failed: 0 }, ['good', 'bad'])).toBe('bad');
  expect(httpLevel({ requests: 1000, serverErrors: 1 })).toBe('good');
  expect(httpLevel({ requests: 10, serverErrors: 1 })).toBe('look');
  expect(httpLevel({ requests: 10, serverErrors: 5 })).toBe('bad');
  expect([0, 201, 1001].map((loopP99Ms) => processLevel({ loopP99Ms }))).toEqual(['good', 'look', 'bad']);
  expect(storageLevel({ freeBytes: null, totalBytes: null })).toBe('good');
  expect(storageLevel({ freeBytes: 50 * GB, totalBytes: 100 * GB })).toBe('good');
  expect(storageLevel({ freeBytes: 40 * GB, totalBytes: 1000 * GB })).toBe('look');
  expect(storageLevel({ freeBytes: 0.1 * GB, totalBytes: GB })).toBe('bad');
  expect(backupLevel({ at: null, sandbox: true }, DAY)).toBe('good');
  expect(backupLevel({ at: null, sandbox: false }, DAY)).toBe('look');
  expect(backupLevel({ at: 0, sandbox: false }, DAY)).toBe('good');
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

test('the system is shown without any memory of the process, and names whose events reach nobody', async () => {
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
