import { expect, test } from 'vitest';
import { undeliveredAlert } from '../../src/backoffice/mails/alerts.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { createMailQueue } from '../../src/mail/queue.ts';
import { insertMail, type MailRow } from '../../src/mail/store.ts';
import { selectRow, selectRows, updateRows } from '../support/rows.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { failed, webhookKit } from '../webhooks/kit.ts';

const HALF_HOUR_MS = 1_800_000;

async function alerting() {
  const receiver = await startReceiver((_request, response) => void response.writeHead(500).end());
  const kit = await webhookKit();
  const settings = { ...kit.deps.settings, mail: true };
  Object.assign(kit.deps, { settings, queueMail: createMailQueue({ ...kit.deps, settings }, () => {}) });
  kit.start({ ca: receiver.ca });
  const shop = await kit.shop(receiver.url);
  const plannedAt = async () => {
    const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
    await failed(kit, deliveryId);
    const rows = await kit.db.read.selectFrom('mails').select('planned_at').orderBy('id').execute();
    return rows.map(({ planned_at }) => planned_at - kit.clock.now());
  };
  const send = () =>
    updateRows(kit.db, 'mails', { state: 'sent', due_at: null, finished_at: kit.clock.now() });
  return { kit, plannedAt, send };
}

test('an undelivered event alerts although the clock was a day ahead at the last alert', async () => {
  const { kit, plannedAt } = await alerting();
  await kit.clock.jump(DAY_MS);
  expect(await plannedAt()).toEqual([0]);
  await kit.clock.jump(-DAY_MS);
  expect((await plannedAt()).slice(1)).toEqual([0]);
});

test('an undelivered event is in the next alert although the clock was ahead when the last one was sent', async () => {
  const { kit, plannedAt, send } = await alerting();
  expect(await plannedAt()).toEqual([0]);
  await send();
  await kit.clock.jump(-HALF_HOUR_MS);
  const [, next] = await plannedAt();
  expect(next).toBeGreaterThan(0);
  expect(next).toBeLessThan(3 * HALF_HOUR_MS);
});

test('the interval between alerts is kept after it was lengthened', async () => {
  const { kit, plannedAt, send } = await alerting();
  const { settings } = kit.deps;
  Object.assign(kit.deps, { settings: { ...settings, mailAlertMs: 60_000 } });
  expect(await plannedAt()).toEqual([0]);
  await send();
  Object.assign(kit.deps, { settings });
  await kit.clock.jump(DAY_MS);
  expect((await plannedAt()).slice(1)).toEqual([0]);
  await send();
  const [next] = (await plannedAt()).slice(2);
  expect(next).toBeGreaterThan(HALF_HOUR_MS);
  expect(next).toBeLessThan(2 * HALF_HOUR_MS);
});

test('an alert also counts the events of an alert that could not be sent', async () => {
  const { kit, plannedAt } = await alerting();
  const alerts: MailRow[] = [];
  for (const state of ['sent', 'failed', 'queued'] as const) {
    await plannedAt();
    const { id } = (await selectRows(kit.db, 'mails', { reader: '' })).at(-1) as MailRow;
    await updateRows(kit.db, 'mails', { state: 'sent', due_at: null }, { id });
    const alert = await selectRow(kit.db, 'mails', { id });
    await kit.db.unit((tx) => insertMail(tx, { ...alert, id: `${id}r`, reader: 'usr_1', state }));
    alerts.push(alert);
    await kit.clock.jump(HALF_HOUR_MS);
  }
  const [, unsent, last] = alerts as [MailRow, MailRow, MailRow];
  const source = undeliveredAlert({ ...kit.deps, serviceUrl: () => '' });
  const subject = async () => (await source.compose(last, 'en'))?.subject;
  expect(await subject()).toBe('Shop: 3 events not delivered to the shop');
  await updateRows(kit.db, 'mails', { state: 'sent' }, { entity: unsent.entity });
  expect(await subject()).toBe('Shop: 1 event not delivered to the shop');
});
