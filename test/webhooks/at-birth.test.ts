import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { temporaryFolder } from '../support/database.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { type Kit, webhookKit } from './kit.ts';

const isDelivered = (kit: Kit, id: Id<'dlv'>) => async () => (await kit.delivery(id)).state === 'delivered';

/** A dispatcher that has taken up what a dead process left, and looked once. */
async function startedKit(db?: Database) {
  const receiver = await startReceiver();
  const kit = await webhookKit(db && { db });
  const dispatcher = kit.start({ ca: receiver.ca });
  await until(() => dispatcher.isAlive());
  return { receiver, kit, dispatcher };
}

test('a delivery that nothing holds up is numbered and claimed by the commit that writes it, and counted before it is sent', async () => {
  const { receiver, kit } = await startedKit();
  const shop = await kit.shop(receiver.url);
  const payment = await kit.payment(shop);
  const { deliveryId, eventId } = await kit.announce(shop, payment);
  expect(receiver.requests).toHaveLength(0);
  const { attempts_count, claim_token } = await kit.delivery(deliveryId);
  expect({ attempts_count, isClaimed: claim_token !== null }).toEqual({ attempts_count: 1, isClaimed: true });
  expect(await kit.attempts(deliveryId)).toMatchObject([{ number: 1, duration_ms: null }]);
  const event = kit.db.read.selectFrom('events').select('sequence').where('id', '=', eventId);
  expect(await event.executeTakeFirst()).toEqual({ sequence: 1 });
  await until(isDelivered(kit, deliveryId));
  expect(receiver.requests).toHaveLength(1);
});

test('a claim that fails does not take the payment with it: the event is committed, and goes out later', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const db = await openDatabase(`sqlite:${file}`);
  const { receiver, kit, dispatcher } = await startedKit(db);
  const shop = await kit.shop(receiver.url);
  const payment = await kit.payment(shop);
  const handle = new Sqlite(file);
  handle.exec(
    `create trigger refuse before insert on delivery_attempts begin select raise(abort, 'refused'); end`,
  );
  const { deliveryId } = await kit.announce(shop, payment);
  expect(await kit.delivery(deliveryId)).toMatchObject({
    state: 'due',
    attempts_count: 0,
    claim_token: null,
  });
  handle.exec('drop trigger refuse');
  handle.close();
  await until(async () => {
    await kit.clock.advance(500);
    return await isDelivered(kit, deliveryId)();
  });
  expect(receiver.requests).toHaveLength(1);
  await dispatcher.stop();
  await db.close();
});

test('an event that is rolled back is neither claimed nor sent, and holds no slot', async () => {
  const { receiver, kit } = await startedKit();
  const shop = await kit.shop(receiver.url);
  const payment = await kit.payment(shop);
  for (let i = 0; i < 100; i++) {
    const failing = kit.db.unit(async (tx) => {
      await kit.announceIn(tx, shop, payment);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
  }
  payment.events = 0;
  const { deliveryId } = await kit.announce(shop, payment);
  expect((await kit.delivery(deliveryId)).attempts_count).toBe(1);
  await until(isDelivered(kit, deliveryId));
  expect(receiver.requests).toHaveLength(1);
});

test('behind an earlier event of its payment, or behind a queue of its merchant, an event waits its turn', async () => {
  const answers: (() => void)[] = [];
  const receiver = await startReceiver((_request, response) => {
    answers.push(() => response.end('ok'));
  });
  const kit = await webhookKit();
  const dispatcher = kit.start({ ca: receiver.ca, perMerchantMax: 1 });
  await until(() => dispatcher.isAlive());
  const shop = await kit.shop(receiver.url);
  const payment = await kit.payment(shop);
  const first = await kit.announce(shop, payment, 'payment.cancelled');
  const second = await kit.announce(shop, payment);
  const other = await kit.announce(shop, await kit.payment(shop));
  const youngest = await kit.announce(shop, await kit.payment(shop));
  const counts = async () => {
    const rows = await Promise.all(
      [first, second, other, youngest].map((one) => kit.delivery(one.deliveryId)),
    );
    return rows.map((row) => row.attempts_count);
  };
  expect(await counts()).toEqual([1, 0, 0, 0]);
  for (let sent = 1; sent <= 4; sent++) {
    await until(() => answers.length === sent);
    answers.at(-1)?.();
  }
  await until(isDelivered(kit, youngest.deliveryId));
  const places = [first, second, other, youngest].map((one) =>
    receiver.requests.findIndex(({ headers }) => headers['x-service-delivery-id'] === one.deliveryId),
  );
  expect([...places].sort()).toEqual([0, 1, 2, 3]);
  expect(places[0]).toBeLessThan(places[1] ?? 0);
  expect(places[2]).toBeLessThan(places[3] ?? 0);
});

test('a merchant without URL has the event and a delivery that is skipped at once', async () => {
  const { kit } = await startedKit();
  const shop = await kit.shop(null);
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  expect(await kit.delivery(deliveryId)).toMatchObject({ state: 'skipped', attempts_count: 0 });
});

test('a dispatcher that has stopped claims nothing with what is written', async () => {
  const { receiver, kit, dispatcher } = await startedKit();
  const shop = await kit.shop(receiver.url);
  await dispatcher.stop();
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  expect(await kit.delivery(deliveryId)).toMatchObject({ state: 'due', attempts_count: 0 });
  dispatcher.start();
  await until(isDelivered(kit, deliveryId));
  expect(receiver.requests).toHaveLength(1);
});
