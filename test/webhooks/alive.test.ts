import type { Dispatcher as Undici } from 'undici';
import { expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Transport } from '../../src/webhooks/transport/transport.ts';
import { temporaryDatabase } from '../support/database.ts';
import { announceMany, webhookKit } from './kit.ts';

/** Endpoints that answer 200 at once, after `onPost`. */
function answering(onPost: () => void): Transport {
  const controller = { abort() {} } as unknown as Undici.DispatchController;
  const post: Transport['post'] = (_owner, _request, handler) => {
    onPost();
    handler.onResponseStart?.(controller, 200, {});
    handler.onResponseEnd?.(controller, {});
  };
  return { post, destroy: () => Promise.resolve() };
}

test('a dispatcher that sends a backlog for minutes counts as alive all the time', async () => {
  let passedMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + passedMs };
  const kit = await webhookKit({ clock });
  const shop = await kit.shop('https://shop.test/hook');
  const made = await announceMany(kit, shop, 90);
  const alive: boolean[] = [];
  const transport = answering(() => {
    alive.push(dispatcher.isAlive());
    // Each answer takes a second, so that the next delivery is claimed before the check has ended.
    passedMs += 1000;
  });
  const dispatcher = kit.start({ transport, perMerchantMax: 1 });
  for (const id of made) await kit.reaches(id, 'delivered');
  expect(alive.slice(1)).not.toContain(false);
});

test('a dispatcher that claims nothing while outcomes wait to be written counts as alive', async () => {
  const db = await temporaryDatabase();
  let isFull = false;
  const unit: Database['unit'] = (work) =>
    isFull ? Promise.reject(new Error('no space left')) : db.unit(work);
  const kit = await webhookKit({ db: { ...db, unit } });
  const shop = await kit.shop('https://shop.test/hook');
  const transport = answering(() => {
    isFull = true;
  });
  const dispatcher = kit.start({ transport, inFlightMax: 1 });
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  await kit.clock.advance(120_000);
  expect(dispatcher.isAlive()).toBe(true);
  expect(await kit.delivery(deliveryId)).toMatchObject({ state: 'due', attempts_count: 1 });
});
