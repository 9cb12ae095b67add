import { expect, test, vi } from 'vitest';
import { listRequests } from '../../src/backoffice/requests/router.ts';
import { noMetrics } from '../../src/deps.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock.ts';
import { createRequestLog, type RequestEntry } from '../../src/requests/log.ts';
import { createRetention } from '../../src/retention/retention.ts';
import { webhookKit } from '../webhooks/kit.ts';

/** A request log that is not started, on a clock of the test. */
async function setup() {
  const kit = await webhookKit();
  const { id } = await kit.shop('https://shop.pt/hook');
  const lost = vi.fn<(count: number) => void>();
  const deps = { ...kit.deps, metrics: { ...noMetrics, requestsUnlogged: lost } };
  const log = createRequestLog(deps);
  const entry = (status: number): RequestEntry => ({
    id: deps.ids('req'),
    merchant_id: id,
    key_id: 'key_1',
    at: deps.clock.now(),
    method: 'GET',
    path: '/api/v1/payments/status',
    status,
    code: null,
    duration_ms: 1,
    idempotent: 0,
    transaction_id: null,
  });
  const add = (status: number, count = 1) => {
    for (let n = 0; n < count; n++) log.add(id, status >= 400, () => entry(status));
  };
  const listed = async () => (await listRequests(deps, id, { limit: 1000 })).rows;
  return { kit, deps, log, lost, add, listed };
}

test('successes beyond the rate are counted, and never displace a failure', async () => {
  const { kit, log, add, listed } = await setup();
  log.start();
  add(200, 5000);
  add(500);
  await kit.clock.advance(1000);
  const rows = await listed();
  expect(rows).toHaveLength(301);
  expect(rows[0]).toMatchObject({ status: 500, skipped: 4700 });
  await kit.clock.advance(60_000);
  add(200, 10);
  await kit.clock.advance(1000);
  expect((await listed()).slice(0, 3).map(({ status, skipped }) => [status, skipped])).toEqual([
    [200, 0],
    [200, 0],
    [200, 0],
  ]);
  expect(await listed()).toHaveLength(304);
  await log.stop();
});

test('at most 500 requests wait for an insert; the oldest are dropped and counted', async () => {
  const { kit, log, lost, add, listed } = await setup();
  add(404, 50);
  add(500, 500);
  expect(lost).toHaveBeenCalledTimes(50);
  const unit = vi.spyOn(kit.db, 'unit');
  await log.stop();
  expect(unit, 'one insert, also at the close').toHaveBeenCalledTimes(1);
  const rows = await listed();
  expect(rows).toHaveLength(500);
  expect(rows.every(({ status }) => status === 500)).toBe(true);
  unit.mockRejectedValueOnce(new Error('disk full'));
  add(500, 3);
  await log.stop();
  expect(lost).toHaveBeenLastCalledWith(3);
});

test('an idle log queries nothing', async () => {
  const { kit, log, add } = await setup();
  const unit = vi.spyOn(kit.db, 'unit');
  log.start();
  await kit.clock.advance(60_000);
  expect(unit).not.toHaveBeenCalled();
  add(200);
  await kit.clock.advance(1000);
  expect(unit).toHaveBeenCalledTimes(1);
  await log.stop();
});

test('a request is deleted after seven days', async () => {
  const { kit, deps, log, add, listed } = await setup();
  add(200, 50);
  await log.stop();
  const retention = createRetention(deps);
  retention.start();
  const settle = async () => {
    for (let i = 0; i < 50; i++) await kit.clock.advance(200);
  };
  await kit.clock.jump(7 * DAY_MS - 60_000);
  await settle();
  expect(await listed()).toHaveLength(50);
  for (let hours = 0; hours < 3; hours++) {
    await kit.clock.jump(HOUR_MS);
    await settle();
  }
  expect(await listed()).toEqual([]);
  await retention.stop();
});
