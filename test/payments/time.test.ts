import { expect, test } from 'vitest';
import { lisbonEndOfDay } from '../../src/kernel/lisbon.ts';
import { showTransaction } from '../../src/payments/show.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { startService } from '../support/harness.ts';
import { until } from '../support/until.ts';

/** A service and a merchant whose clock a test moves, and the wait for a status, second by second. */
async function timed(clock: FakeClock) {
  const service = await startService({ clock, env: { SERVICE_RECONCILE_SECONDS: '3600' } });
  const merchant = await service.merchant();
  const reaches = (id: string, wanted: string) =>
    clock.advanceUntil(
      1000,
      async () => (await merchant.status(id)).status === wanted,
      `${id} to be ${wanted}`,
    );
  return { service, merchant, reaches };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('a reference expires at the end of its last Lisbon day plus grace, not before, across the clock change', async () => {
  // Saturday before the last Sunday of March: three days on, Lisbon is an hour ahead of UTC.
  const clock = fakeClock(Date.UTC(2026, 2, 28, 10, 0, 0));
  const { service, merchant, reaches } = await timed(clock);
  const { id, mb } = await merchant.reference();
  const shown = { ...mb, expiresAt: '2026-03-31T22:59:59.000Z' };
  const expiresAt = Date.parse(shown.expiresAt);
  expect(expiresAt).toBe(lisbonEndOfDay(clock.now(), 3));

  await clock.jump(expiresAt + 119 * MINUTE - clock.now());
  await clock.advance(3000);
  expect(await merchant.status(id)).toMatchObject({
    status: 'pending',
    paymentMethod: 'REFERENCE',
    mb: shown,
  });

  await clock.jump(MINUTE);
  await reaches(id, 'failed');
  const { attempts } = await showTransaction(service.app.deps, id);
  expect(attempts.map(({ state }) => state)).toEqual(['expired']);

  // Paid at the machine after all: the money is never ignored.
  await service.control('/multibanco', mb);
  await reaches(id, 'paid');
  expect((await showTransaction(service.app.deps, id)).receipts.map((receipt) => receipt.flags)).toEqual([
    ['late'],
  ]);
});

test('a reference paid in its last second is paid the next day although the callback was lost', async () => {
  const clock = fakeClock(Date.UTC(2026, 9, 22, 10, 0, 0));
  const { service, merchant, reaches } = await timed(clock);
  const { id, mb } = await merchant.reference();
  // Sunday the 25th of October 2026 is the longest day of the year: it ends an hour later in UTC.
  const { expiresAt } = (await merchant.status(id)).mb;
  expect(expiresAt).toBe('2026-10-25T23:59:59.000Z');
  await clock.jump(Date.parse(expiresAt) - clock.now());
  await service.control('/faults', { mode: 'drop-callback', times: 20 });
  await service.control('/multibanco', mb);
  await clock.jump(2 * HOUR);
  await reaches(id, 'paid');
  const shown = await showTransaction(service.app.deps, id);
  expect(shown.receipts.map((receipt) => receipt.flags)).toEqual([[]]);
  expect(shown.transaction.paidAt).toBe('2026-10-25T23:59:59.000Z');
});

test('24 hours without a live attempt cancel a transaction; a live reference keeps it', async () => {
  const clock = fakeClock();
  const { merchant, reaches } = await timed(clock);
  const bare = await merchant.init();
  const { id: referred } = await merchant.reference();
  await clock.jump(24 * HOUR - 1000);
  await clock.advance(500);
  expect((await merchant.status(bare)).status).toBe('pending');
  await clock.jump(1000);
  await reaches(bare, 'cancelled');
  expect((await merchant.status(referred)).status).toBe('pending');
});

test('a push lapses at its window plus grace although open pushes are asked about once an hour', async () => {
  const clock = fakeClock();
  const service = await startService({ clock, env: { SERVICE_INQUIRY_SECONDS: '3600' } });
  const { mbwayWindowMs, mbwayGraceMs } = service.app.deps.settings;
  const merchant = await service.merchant();
  const id = await merchant.init();
  const NEVER_ANSWERS = '911000003';
  await merchant.post('/payments/mbway', { transactionId: id, phoneNumber: NEVER_ANSWERS });
  await clock.jump(mbwayWindowMs + mbwayGraceMs - 1000);
  expect((await merchant.status(id)).status).toBe('pending');
  await clock.advance(3000);
  await until(async () => (await merchant.status(id)).status === 'cancelled', 'the lapse');
});
