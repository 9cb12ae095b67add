import { expect, test, vi } from 'vitest';
import { claimDue } from '../../src/webhooks/delivery/claim.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { selectRow } from '../support/rows.ts';
import { until } from '../support/until.ts';
import {
  autoRecovering,
  FIRST_MS,
  phaseOf,
  reaches,
  recoveries,
  SECOND_MS,
  startRecovery,
  unclaimed,
} from './auto-recovery-kit.ts';
import { writeDelivery } from './kit.ts';

test('an event that is missed after the clock was set back is recovered', async () => {
  const { endpoint, kit, shop, switched, receives, missed } = await autoRecovering();
  await switched(1);
  await reaches(kit, shop, 'idle');
  await kit.clock.advance(2 * SECOND_MS);
  for (const setBackMs of [0, SECOND_MS]) {
    await kit.clock.jump(-setBackMs);
    endpoint.fails = true;
    const { eventId } = await missed();
    endpoint.fails = false;
    await receives(eventId, 5);
    await reaches(kit, shop, 'idle');
  }
});

test('setting the clock back does not lengthen the wait, and a success still releases', async () => {
  const { endpoint, kit, shop, switched, receives, missed, delivered } = await autoRecovering();
  await switched(1);
  const { eventId } = await missed();
  await reaches(kit, shop, 'waiting');
  await kit.clock.jump(-60 * 60_000);
  expect(await reaches(kit, shop, 'probing')).toBeLessThan(FIRST_MS + 6000);
  await reaches(kit, shop, 'waiting');
  await kit.clock.jump(-60 * 60_000);
  await kit.clock.advance(5000);
  endpoint.fails = false;
  await delivered();
  await receives(eventId, 9);
  expect((await recoveries(kit, eventId)).map(({ state }) => state)).toEqual(['undelivered', 'delivered']);
});

test('setting the clock back by less than the time since the event was missed does not lengthen the wait', async () => {
  const { kit, shop, switched, missed } = await autoRecovering();
  await switched(1);
  await missed();
  await reaches(kit, shop, 'probing');
  await reaches(kit, shop, 'waiting');
  await kit.clock.jump(-15_000);
  const waitedMs = await reaches(kit, shop, 'probing');
  expect(waitedMs).toBeGreaterThanOrEqual(SECOND_MS);
  expect(waitedMs).toBeLessThan(SECOND_MS + 6000);
});

test('a success before the event was missed does not release it after the clock was set back', async () => {
  const { endpoint, kit, shop, switched, missed, delivered } = await autoRecovering();
  await switched(1);
  endpoint.fails = false;
  await delivered();
  endpoint.fails = true;
  const { eventId } = await missed();
  await reaches(kit, shop, 'waiting');
  await kit.clock.jump(-60 * 60_000);
  await kit.clock.advance(6000);
  expect(await recoveries(kit, eventId)).toEqual([]);
  expect(await phaseOf(kit, shop)).toBe('waiting');
});

test('a process whose clock is behind corrects it instead of shortening the wait', async () => {
  const { kit, shop, switched, missed } = await autoRecovering();
  await switched(1);
  await missed();
  await reaches(kit, shop, 'waiting');
  const state = () => selectRow(kit.db, 'auto_recoveries');
  const before = await state();
  const others = fakeClock(kit.clock.now());
  let behindMs = 5 * 60_000;
  const now = () => others.now() - behindMs;
  const correct = async () => {
    // Waits for any open transaction.
    await kit.db.unit(async () => {});
    behindMs = 0;
  };
  startRecovery({ ...kit.deps, clock: { ...others, now, correct } });
  await until(() => behindMs === 0);
  await others.advance(0);
  expect(await state()).toEqual(before);
});

test.each([
  ['a probe', 'at once', 6000],
  ['another delivery', 'within a minute', 66_000],
])('the success of %s that was made long ago releases %s', async (which, _when, waitedMsMax) => {
  const { kit, dispatcher, shop, switched } = await autoRecovering();
  await dispatcher.stop();
  await switched(1);
  await reaches(kit, shop, 'idle');
  const { event } = await writeDelivery(kit, shop, 'undelivered');
  const other = await writeDelivery(kit, shop, 'due');
  await reaches(kit, shop, 'probing');
  // As behind a long backlog.
  await kit.clock.advance(20 * 60_000);
  let runs = 0;
  const { unit } = kit.db;
  vi.spyOn(kit.db, 'unit').mockImplementation((work) => unit(work).finally(() => runs++));
  await kit.clock.advanceUntil(500, () => runs > 1, 'a search without success');
  const [probe] = await recoveries(kit, event);
  const id = which === 'a probe' ? probe?.id : other.id;
  const ended = { state: 'delivered', finished_at: kit.clock.now(), next_attempt_at: null } as const;
  await kit.setDelivery(id ?? other.id, ended);
  expect(await reaches(kit, shop, 'idle')).toBeLessThanOrEqual(waitedMsMax);
});

test('the success of a delivery that was due long before the event was missed releases it instead of a probe', async () => {
  const { kit, dispatcher, shop, switched } = await autoRecovering();
  await dispatcher.stop();
  await switched(1);
  await reaches(kit, shop, 'idle');
  const other = await writeDelivery(kit, shop, 'due');
  // As while the service was down.
  await kit.clock.advance(20 * 60_000);
  await writeDelivery(kit, shop, 'undelivered');
  await reaches(kit, shop, 'waiting');
  const ended = { state: 'delivered', finished_at: kit.clock.now() + 1, next_attempt_at: null } as const;
  await kit.setDelivery(other.id, ended);
  expect(await reaches(kit, shop, 'idle')).toBeLessThanOrEqual(FIRST_MS + 6000);
});

test('an event whose recovery is skipped after the clock was set back is recovered', async () => {
  const { endpoint, receiver, kit, shop, receives, delivered, eventId } = await unclaimed();
  await kit.clock.jump(-SECOND_MS);
  for (const { id } of await recoveries(kit, eventId)) {
    await kit.setDelivery(id, { next_attempt_at: kit.clock.now() });
    const { ended } = await claimDue(kit.deps, [{ id, merchant_id: shop.id }], { queue: 'fresh' });
    expect(ended).toEqual(['skipped']);
  }
  endpoint.fails = false;
  await kit.set(shop, { webhook_enabled: 1 });
  kit.start({ ca: receiver.ca });
  await reaches(kit, shop, 'waiting');
  await delivered();
  await receives(eventId, 5);
});
