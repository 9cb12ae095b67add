import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { temporaryFolder } from '../support/database.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { type Kit, webhookKit } from './kit.ts';

const QUEUE = 20;

/** A queue of one merchant, each delivery of a payment of its own, so that nothing but slots holds them up. */
async function queued(kit: Kit, url: string) {
  const shop = await kit.shop(url);
  for (let i = 0; i < QUEUE; i++) await kit.announce(shop, await kit.payment(shop));
}

const delivered = async (kit: Kit) => {
  const rows = await kit.db.read
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', 'delivered')
    .execute();
  return rows.length;
};

test('the outcome of an attempt and the claim that takes its slot share one commit', async () => {
  const receiver = await startReceiver();
  const shared = await webhookKit();
  await queued(shared, receiver.url);
  let commits = 0;
  let isNew = true;
  // Units of one commit run one after the other, and all are answered after it.
  const unit: Database['unit'] = async (work) => {
    const result = await shared.db.unit((tx) => {
      if (isNew) commits++;
      isNew = false;
      return work(tx);
    });
    isNew = true;
    return result;
  };
  const kit = await webhookKit({ clock: shared.clock, db: { ...shared.db, unit } });
  kit.start({ ca: receiver.ca, perMerchantMax: 1 });
  await until(async () => (await delivered(kit)) === QUEUE);
  expect(receiver.requests).toHaveLength(QUEUE);
  // One more numbers the events, and one writes the last outcome.
  expect(commits).toBeLessThanOrEqual(QUEUE + 5);
});

test('while outcomes cannot be written, no more are claimed than may be in flight; then all are delivered once', async () => {
  const receiver = await startReceiver();
  const file = join(temporaryFolder(), 'service.db');
  const db = await openDatabase(`sqlite:${file}`);
  const kit = await webhookKit({ db });
  await queued(kit, receiver.url);
  const handle = new Sqlite(file);
  handle.exec(`create trigger refuse before update on delivery_attempts when new.duration_ms is not null
    begin select raise(abort, 'refused'); end`);
  const inFlightMax = 4;
  const dispatcher = kit.start({ ca: receiver.ca, inFlightMax });
  await until(() => receiver.requests.length >= inFlightMax);
  for (let second = 0; second < 30; second++) await kit.clock.advance(1000);
  // What was in flight when the last free slot was taken may come on top.
  expect(receiver.requests.length).toBeLessThan(2 * inFlightMax);
  expect(await delivered(kit)).toBe(0);
  handle.exec('drop trigger refuse');
  handle.close();
  await until(async () => {
    await kit.clock.advance(500);
    return (await delivered(kit)) === QUEUE;
  });
  expect(receiver.requests).toHaveLength(QUEUE);
  await dispatcher.stop();
  await db.close();
});
