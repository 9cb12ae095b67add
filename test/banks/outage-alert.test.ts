import { expect, onTestFinished, test } from 'vitest';
import { createOutageAlert } from '../../src/banks/workers/outage-alert.ts';
import type { Deps } from '../../src/deps.ts';
import { createMailQueue } from '../../src/mail/queue.ts';
import { insertRows } from '../support/rows.ts';
import { workerKit } from './support.ts';

/** Starts the job, with the outages of `unavailableSince`. */
async function setup() {
  const kit = await workerKit();
  const { db, clock, deps } = kit;
  const unavailableSince = new Map<string, number>();
  const settings = { bankAlertMs: 1000, mail: true };
  const queueMail = createMailQueue({ ...deps, settings } as unknown as Deps, () => {});
  const runtimeStats = { read: () => ({ bankUnavailableSince: unavailableSince }) };
  const start = () => {
    const job = createOutageAlert({ ...deps, settings, queueMail, runtimeStats } as unknown as Deps);
    job.start();
    onTestFinished(() => job.stop());
    return job;
  };
  /** The alerts in the outbox, without their hour. */
  const queued = async () => {
    const mails = await db.read.selectFrom('mails').select('entity').orderBy('id').execute();
    return mails.map(({ entity }) => entity.split('.').slice(0, 2).join('.'));
  };
  const readList = () =>
    db.unit((tx) => tx.updateTable('bank_accounts').set({ list_read_at: clock.now() }).execute());
  /** The bank fails from now on. */
  const fails = async (ms: number) => {
    unavailableSince.set(kit.account, clock.now());
    await clock.advance(ms);
  };
  /** The bank answers again, and its list is read. */
  const answers = async (ms: number) => {
    unavailableSince.clear();
    await readList();
    await clock.advance(ms);
  };
  /** Restarts during an outage; the new process knows of no failure yet. */
  const restartInOutage = async () => {
    const job = start();
    await fails(2000);
    await job.stop();
    unavailableSince.clear();
    start();
    await clock.advance(5000);
  };
  return { ...kit, unavailableSince, start, queued, readList, fails, answers, restartInOutage };
}

test('an outage alert is sent although the credentials of an account cannot be read', async () => {
  const { db, clock, account, lines, unavailableSince, start, queued } = await setup();
  await insertRows(db, 'bank_accounts', { id: 'acc_unreadable', acquirer: 'eupago', current: 1 });
  for (const id of [account, 'acc_unreadable']) unavailableSince.set(id, clock.now());
  // The outage of another account of the acquirer begins later and does not delay the alert.
  await insertRows(db, 'merchants', { id: 'mer_1' });
  const later = { id: 'acc_z', acquirer: 'ifthenpay', merchant_id: 'mer_1', current: 1 } as const;
  await insertRows(db, 'bank_accounts', later);
  unavailableSince.set(later.id, clock.now() + 1500);
  start();
  await clock.advance(2000);
  expect(lines).toEqual([]);
  expect(await queued()).toEqual(['ifthenpay.down', 'eupago.down']);
});

test('an outage that ends before SERVICE_BANK_ALERT_SECONDS have passed is not announced', async () => {
  const { clock, account, unavailableSince, start, queued, answers } = await setup();
  unavailableSince.set(account, clock.now() + 500);
  start();
  await clock.advance(1000);
  await answers(2000);
  expect(await queued()).toEqual([]);
});

test('the end of an outage is announced although the service was restarted, once the list was read again', async () => {
  const { db, clock, start, queued, readList, restartInOutage } = await setup();
  await restartInOutage();
  const other = { id: 'acc_other', acquirer: 'eupago', current: 1, list_read_at: clock.now() } as const;
  await insertRows(db, 'bank_accounts', other);
  await clock.advance(2000);
  expect(await queued(), 'only the list of another acquirer was read').toEqual(['ifthenpay.down']);
  await readList();
  await clock.advance(2000);
  expect(await queued()).toEqual(['ifthenpay.down', 'ifthenpay.up']);
  start();
  await readList();
  await clock.advance(3_600_000);
  expect(await queued()).toHaveLength(2);
});

test('only outages of current accounts are announced, and no end of one for credentials that were not used yet', async () => {
  const { db, clock, account, unavailableSince, start, queued, readList } = await setup();
  await insertRows(db, 'bank_accounts', { id: 'acc_typo', acquirer: 'eupago', current: 0 });
  for (const id of [account, 'acc_typo']) unavailableSince.set(id, clock.now());
  start();
  await readList();
  await clock.advance(2000);
  expect(await queued()).toEqual(['ifthenpay.down']);
  await db.unit((tx) => tx.updateTable('bank_accounts').set({ current: 0 }).execute());
  await insertRows(db, 'bank_accounts', { id: 'acc_new', acquirer: 'ifthenpay', current: 1 });
  await clock.advance(2000);
  expect(await queued()).toEqual(['ifthenpay.down']);
  await readList();
  await clock.advance(2000);
  expect(await queued()).toEqual(['ifthenpay.down', 'ifthenpay.up']);
});

test('the end of an outage is announced after the clock was set back', async () => {
  const { clock, start, queued, fails, answers } = await setup();
  start();
  await clock.advance(2000);
  await clock.jump(-7_200_000);
  await fails(2000);
  await answers(5000);
  expect(await queued()).toEqual(['ifthenpay.down', 'ifthenpay.up']);
});

test('the end of an outage is announced although the clock was set back to before it', async () => {
  const { clock, start, queued, fails, answers } = await setup();
  start();
  await fails(5000);
  await answers(5000);
  await clock.jump(7_200_000);
  await fails(5000);
  expect(await queued()).toEqual(['ifthenpay.down', 'ifthenpay.up', 'ifthenpay.down']);
  await clock.jump(-3_600_000);
  await answers(5000);
  expect((await queued()).filter((alert) => alert === 'ifthenpay.up')).toHaveLength(2);
});

test('a new outage is announced although the clock was set back into a former one', async () => {
  const { clock, start, queued, fails, answers } = await setup();
  start();
  await fails(5000);
  await clock.jump(7_200_000);
  await answers(5000);
  expect(await queued()).toEqual(['ifthenpay.down', 'ifthenpay.up']);
  await clock.jump(-3_600_000);
  await fails(5000);
  expect((await queued()).filter((alert) => alert === 'ifthenpay.down')).toHaveLength(2);
});

test('a list that was read before the clock was set back does not end an outage', async () => {
  const { clock, queued, readList, restartInOutage } = await setup();
  await readList();
  await clock.jump(-7_200_000);
  await restartInOutage();
  expect(await queued()).toEqual(['ifthenpay.down']);
});

test('a second outage within an hour, and its end, are announced in the next hour', async () => {
  const { clock, start, queued, fails, answers } = await setup();
  start();
  await fails(5000);
  await answers(5000);
  await fails(5000);
  expect(await queued()).toEqual(['ifthenpay.down', 'ifthenpay.up']);
  await clock.advance(3_600_000);
  expect(await queued()).toEqual(['ifthenpay.down', 'ifthenpay.up', 'ifthenpay.down']);
  await answers(3_600_000);
  await fails(3_600_000);
  await answers(3_600_000);
  await fails(5000);
  await answers(3_600_000);
  expect((await queued()).at(-1)).toBe('ifthenpay.up');
});

test('two processes that notice an outage and its end in different hours announce each once', async () => {
  const { clock, account, unavailableSince, start, queued, answers } = await setup();
  await clock.jump(3_600_000 - (clock.now() % 3_600_000) - 2500);
  start();
  await clock.advance(600);
  start();
  await clock.advance(1000);
  unavailableSince.set(account, clock.now() - 1000);
  await clock.advance(3000);
  expect(await queued()).toEqual(['ifthenpay.down']);
  await clock.jump(3_600_000 - (clock.now() % 3_600_000) - 1000);
  await answers(3000);
  expect(await queued()).toEqual(['ifthenpay.down', 'ifthenpay.up']);
});
