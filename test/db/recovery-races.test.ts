import { expect, onTestFinished, test } from 'vitest';
import { claimDue } from '../../src/webhooks/delivery/claim.ts';
import { recordOutcomes } from '../../src/webhooks/delivery/recorder.ts';
import { SENDS_MAX } from '../../src/webhooks/delivery/schedule.ts';
import { createAutoRecovery } from '../../src/webhooks/recovery/auto-recovery.ts';
import { holdTransaction } from '../support/lock-waits.ts';
import { selectRows } from '../support/rows.ts';
import { numberAll, webhookKit, writeDelivery } from '../webhooks/kit.ts';

const REFUSED = { error: 'refused', errorDetail: null, status: 500, response: '', durationMs: 1 };

test('a missed event whose end commits only after that of a later one is recovered', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.example/hook');
  await kit.set(shop, { auto_recover: 1 });
  let passes = 0;
  const unit: typeof kit.db.unit = (work) => kit.db.unit(work).finally(() => passes++);
  const settings = { ...kit.deps.settings, autoRecoverMs: [1000] };
  const db = Object.create(kit.db, { unit: { value: unit } });
  const job = createAutoRecovery({ ...kit.deps, settings, db });
  onTestFinished(() => job.stop());
  const pass = async () => {
    const before = passes;
    await kit.clock.advanceUntil(1000, () => passes > before, 'a pass of the recovery');
  };
  job.start();
  await pass();
  const made = await kit.announce(shop, await kit.payment(shop));
  await numberAll(kit);
  const due = [{ id: made.deliveryId, merchant_id: shop.id }];
  const [attempt] = (await claimDue(kit.deps, due, { queue: 'fresh' })).claimed;
  if (attempt === undefined) throw new Error('nothing was claimed');
  const last = {
    attempt: { ...attempt, number: SENDS_MAX },
    result: { ...REFUSED, endedAt: kit.clock.now() },
  };
  const commit = await holdTransaction(kit.db, (tx) => {
    const within = { ...kit.deps.db, unit: (work: (tx: unknown) => unknown) => work(tx) };
    return recordOutcomes({ ...kit.deps, db: within as typeof kit.db }, () => [last]);
  });
  await kit.clock.advance(10);
  await writeDelivery(kit, shop, 'skipped');
  await pass();
  await commit();
  expect(await kit.delivery(made.deliveryId)).toMatchObject({ state: 'undelivered' });
  await kit.clock.advanceUntil(
    1000,
    async () =>
      (await selectRows(kit.db, 'deliveries', { event_id: made.eventId })).some(
        ({ recovery_id }) => recovery_id !== null,
      ),
    'the recovery of the event',
  );
});
