import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../src/kernel/ids.ts';
import { createMailQueue } from '../../src/mail/queue.ts';
import { claimDue } from '../../src/webhooks/delivery/claim.ts';
import { type Outcome, recordOutcomes } from '../../src/webhooks/delivery/recorder.ts';
import { SENDS_MAX } from '../../src/webhooks/delivery/schedule.ts';
import { createAutoRecovery } from '../../src/webhooks/recovery/auto-recovery.ts';
import { holdTransaction, isAnyWaiting } from '../support/lock-waits.ts';
import { selectRow, selectRows, updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { claim, type Kit, type Shop, webhookKit, writeDelivery } from '../webhooks/kit.ts';

const REFUSED = { error: 'refused', errorDetail: null, status: 500, response: '', durationMs: 1 };

/** The failed last attempt of a new event of each shop, not yet recorded. */
async function lastAttempts(kit: Kit, shops: readonly Shop[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const shop of shops) {
    const { deliveryId: id } = await kit.announce(shop, await kit.payment(shop));
    const attempt = await claim(kit, shop, id);
    const result = { ...REFUSED, endedAt: kit.clock.now() };
    outcomes.push({ attempt: { ...attempt, number: SENDS_MAX }, result });
  }
  return outcomes;
}

/** A kit with automatic recovery of one shop, which is not started yet. */
async function recoveringKit() {
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
  const firstPass = () => until(() => passes > 0, 'the first pass of the recovery');
  const recoveriesOf = async (event_id: Id<'evt'>) =>
    (await selectRows(kit.db, 'deliveries', { event_id })).filter(({ recovery_id }) => recovery_id !== null);
  const recovered = (event: Id<'evt'>, times: number) =>
    kit.clock.advanceUntil(
      1000,
      async () => (await recoveriesOf(event)).length === times,
      'the recovery of the event',
    );
  /** Runs `work` in a transaction that stays open. Resolves to a function that commits it. */
  const hold = (work: (deps: Kit['deps']) => Promise<unknown>) =>
    holdTransaction(kit.db, (tx) => {
      const within = { ...kit.deps.db, unit: (run: (tx: unknown) => unknown) => run(tx) };
      return work({ ...kit.deps, db: within as typeof kit.db });
    });
  return { kit, shop, job, pass, firstPass, recoveriesOf, recovered, hold };
}

test.each(['first', 'second'])(
  'a missed event whose end commits after that of a later one, in the %s pass, is recovered',
  async (during) => {
    const { kit, shop, job, pass, firstPass, recovered, hold } = await recoveringKit();
    if (during === 'second') {
      job.start();
      await pass();
    }
    const outcomes = await lastAttempts(kit, [shop]);
    const commit = await hold((deps) => recordOutcomes(deps, () => outcomes));
    await kit.clock.advance(10);
    await writeDelivery(kit, shop, 'skipped');
    if (during === 'first') {
      job.start();
      await firstPass();
    } else {
      await pass();
    }
    await commit();
    const missed = await selectRow(kit.db, 'deliveries', { state: 'undelivered' });
    await recovered(missed.event_id, 1);
  },
);

test('a missed event whose recovery is skipped in a transaction that commits after a later end is recovered', async () => {
  const { kit, shop, job, pass, recoveriesOf, recovered, hold } = await recoveringKit();
  job.start();
  await pass();
  const { event } = await writeDelivery(kit, shop, 'undelivered');
  await updateRows(kit.db, 'events', { sequence: 1 });
  await recovered(event, 1);
  // As after a release: the position has passed the missed event.
  const place = { after_at: kit.clock.now(), after_id: '' };
  const idle = { phase: 'idle', probe_id: null, missed_at: null, due_at: null, step: 0 } as const;
  await updateRows(kit.db, 'auto_recoveries', { ...idle, ...place });
  await kit.clock.advance(5);
  await kit.set(shop, { webhook_enabled: 0 });
  const due = (await recoveriesOf(event)).map(({ id }) => ({ id, merchant_id: shop.id }));
  const commit = await hold(async (deps) => {
    expect((await claimDue(deps, due, { queue: 'fresh' })).ended).toEqual(['skipped']);
  });
  await kit.clock.advance(10);
  await kit.set(shop, { webhook_enabled: 1 });
  await writeDelivery(kit, shop, 'skipped');
  await pass();
  await pass();
  await commit();
  await recovered(event, 2);
});

test('processes that miss events of the same merchants in opposite order queue the alerts without a deadlock', async () => {
  const kit = await webhookKit();
  const settings = { ...kit.deps.settings, mail: true };
  const queueMail = createMailQueue({ ...kit.deps, settings }, () => {});
  const shops = [await kit.shop('https://one.example'), await kit.shop('https://two.example')];
  const alerted = [false, false];
  let runs = 0;
  const record = async (place: 0 | 1, outcomes: readonly Outcome[]) => {
    const queue: typeof queueMail = async (tx, mail) => {
      await queueMail(tx, mail);
      alerted[place] = true;
      await until(async () => alerted[1 - place] || (await isAnyWaiting(kit.db)));
    };
    return recordOutcomes({ ...kit.deps, settings, queueMail: queue }, () => {
      runs++;
      return outcomes;
    });
  };
  const there = await lastAttempts(kit, shops);
  const back = await lastAttempts(kit, shops.toReversed());
  await Promise.all([record(0, there), record(1, back)]);
  expect(runs).toBe(2);
});
