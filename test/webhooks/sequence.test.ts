import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { type ExportedEvent, exportEvents } from '../../src/webhooks/export-events.ts';
import { Numbering } from '../../src/webhooks/numbering.ts';
import { resendDelivery } from '../../src/webhooks/resend.ts';
import { sendTestEvent } from '../../src/webhooks/test-event.ts';
import { engine, sqliteFile } from '../support/database.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { announceMany, delivering, type Kit, numberAll, type Payment, type Shop, webhookKit } from './kit.ts';

async function exported(
  kit: Kit,
  merchantId: Id<'mer'>,
  after = 0,
  limit?: number,
): Promise<ExportedEvent[]> {
  const events: ExportedEvent[] = [];
  for await (const event of exportEvents(kit.deps, merchantId, { after, limit })) events.push(event);
  return events;
}

test('sequence numbers are gapless and in commit order with concurrent and failing transactions and processes', async () => {
  const { file, db: here } = await sqliteFile();
  const there = await openDatabase(`sqlite:${file}`);
  const kit = await webhookKit({ db: here });
  const kits = [kit, await webhookKit({ db: there })];
  const shops = [await kit.shop(null), await kit.shop(null), await kit.shop(null)];
  const payments = await Promise.all(shops.map((shop) => kit.payment(shop)));
  const step = fc.record({
    shop: fc.nat({ max: 2 }),
    process: fc.nat({ max: 1 }),
    fails: fc.boolean(),
    numbers: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
      await Promise.all(
        steps.map(async ({ shop, process, fails, numbers }) => {
          const by = kits[process] ?? kit;
          if (numbers) await new Numbering(by.deps, () => {}).start();
          const [merchant, payment] = [shops[shop], payments[shop]];
          if (!merchant || !payment) return;
          if (!fails) await by.announce(merchant, payment, 'payment.failed');
          else await expect(failedAnnouncement(by, merchant, payment)).rejects.toThrow('no');
        }),
      );
      await numberAll(kit);
    }),
    { numRuns: 15 },
  );
  const handle = new Sqlite(file, { readonly: true });
  for (const { id } of shops) {
    const inOrder = handle
      .prepare('select id from events where merchant_id = ? order by rowid')
      .pluck()
      .all(id);
    const events = await exported(kit, id);
    expect(events.map((event) => event.id)).toEqual(inOrder);
    expect(events.map(({ sequence }) => sequence)).toEqual(inOrder.map((_, place) => place + 1));
  }
  handle.close();
  await there.close();
});

/** An event whose transaction is rolled back: it must leave no gap. */
async function failedAnnouncement(kit: Kit, shop: Shop, payment: Payment): Promise<void> {
  await kit.db.unit(async (tx) => {
    await kit.announceIn(tx, shop, payment);
    throw new Error('no');
  });
}

test('an event keeps its sequence number over a resend and a restart', async () => {
  const receiver = await startReceiver();
  const kit = await webhookKit();
  const shop = await kit.shop(receiver.url);
  const first = await kit.announce(shop, await kit.payment(shop));
  await numberAll(kit);
  expect(await exported(kit, shop.id)).toMatchObject([{ sequence: 1, id: first.eventId }]);
  // The process that numbered is gone; the next one finds the number and sends.
  kit.start({ ca: receiver.ca });
  await kit.reaches(first.deliveryId, 'delivered');
  const again = await resendDelivery(kit.deps, first.deliveryId);
  await kit.reaches(again.deliveryId, 'delivered');
  const { deliveryId } = await sendTestEvent(kit.deps, shop.id);
  await kit.reaches(deliveryId, 'delivered');
  expect(await exported(kit, shop.id)).toMatchObject([
    { sequence: 1, id: first.eventId },
    { sequence: 2, event: 'webhook.test', transactionId: null },
  ]);
});

test('no event is sent without its sequence number, and a failed numbering only delays it', async () => {
  const { receiver, kit, shop } = await delivering();
  const set = (statement: string) => kit.db.unit(async (tx) => void (await sql.raw(statement).execute(tx)));
  await set(
    engine === 'sqlite'
      ? `create trigger no_numbers before update of sequence on events begin select raise(abort, 'no'); end`
      : 'alter table events add constraint no_numbers check (sequence is null)',
  );
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  await kit.clock.advance(5000);
  expect(await kit.delivery(deliveryId)).toMatchObject({ state: 'due', attempts_count: 0 });
  expect(receiver.requests).toHaveLength(0);
  await set(
    engine === 'sqlite' ? 'drop trigger no_numbers' : 'alter table events drop constraint no_numbers',
  );
  await kit.clock.advanceUntil(500, async () => (await kit.delivery(deliveryId)).state === 'delivered');
  expect(await exported(kit, shop.id)).toMatchObject([{ sequence: 1 }]);
});

test('events are numbered even when none of them can be sent', async () => {
  const { kit, shop } = await delivering(() => {}, { inFlightMax: 1, perMerchantMax: 1 });
  await announceMany(kit, shop, 600);
  const all = await until(async () => {
    const events = await exported(kit, shop.id);
    return events.length === 600 ? events : null;
  });
  expect(all.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 600 }, (_, place) => place + 1));
});

test('the export has the bytes that were sent, after any sequence number and up to any limit', async () => {
  const { receiver, kit, shop } = await delivering();
  const other = await kit.shop(receiver.url);
  const payments = await Promise.all(Array.from({ length: 250 }, () => kit.payment(shop)));
  const announced = payments.map((payment) => kit.announce(shop, payment));
  await kit.announce(other, await kit.payment(other));
  const sent = (await Promise.all(announced)).map(({ eventId }) => eventId);
  await until(() => receiver.requests.length === 251);
  const events = await exported(kit, shop.id);
  // Concurrent transactions commit in any order.
  const inOrder = (ids: readonly string[]) => (engine === 'sqlite' ? ids : ids.toSorted());
  expect(inOrder(events.map(({ id }) => id))).toEqual(inOrder(sent));
  const received = new Map(receiver.requests.map(({ headers, body }) => [headers['webhook-id'], body]));
  for (const { id, body } of events) expect(received.get(id)?.equals(Buffer.from(body))).toBe(true);
  expect(Object.keys(events[0] ?? {})).toEqual([
    'sequence',
    'id',
    'event',
    'createdAt',
    'transactionId',
    'body',
  ]);
  const numbers = async (after: number, limit?: number) =>
    (await exported(kit, shop.id, after, limit)).map(({ sequence }) => sequence);
  expect(await numbers(247)).toEqual([248, 249, 250]);
  expect(await numbers(250)).toEqual([]);
  expect(await numbers(0, 2)).toEqual([1, 2]);
  expect(await numbers(0, 0)).toEqual([]);
  expect(await numbers(10, 201)).toHaveLength(201);
  expect(await numbers(0, 200)).toHaveLength(200);
});
