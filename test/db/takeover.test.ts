import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ClusterBus } from '../../src/db/cluster-bus.ts';
import type { Database } from '../../src/db/database.ts';
import { temporaryDatabase } from '../support/database.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { urlOf, webhookKit } from '../webhooks/kit.ts';
import { openedDatabase } from './outage-kit.ts';

/** The database with changes of its cluster bus. */
function withBus(db: Database, change: (cluster: ClusterBus) => Partial<ClusterBus>): Database {
  const { cluster } = db;
  if (cluster === null) throw new Error('needs PostgreSQL');
  const bus: ClusterBus = {
    join: () => cluster.join(),
    subscribe: (topic, wake) => cluster.subscribe(topic, wake),
    publish: (topic) => cluster.publish(topic),
    running: () => cluster.running(),
    ...change(cluster),
  };
  return { ...db, cluster: bus };
}

/** The database of a process that is held up right after it first asks which processes run. */
function heldUp(db: Database, interruptWith: () => Promise<void>): Database {
  let isAsked = false;
  return withBus(db, (cluster) => ({
    running: async () => {
      const answer = await cluster.running();
      if (!isAsked) {
        isAsked = true;
        await interruptWith();
      }
      return answer;
    },
  }));
}

test('a process claims nothing before the others can see it', async () => {
  const receiver = await startReceiver();
  const visible = Promise.withResolvers<void>();
  const { db } = await webhookKit();
  const hidden = withBus(db, (cluster) => ({
    join: () => Object.assign(cluster.join(), { ready: visible.promise }),
  }));
  const kit = await webhookKit({ db: hidden });
  const shop = await kit.shop(receiver.url);
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  kit.start({ ca: receiver.ca });
  for (let reads = 0; reads < 100; reads++) expect((await kit.delivery(deliveryId)).attempts_count).toBe(0);
  visible.resolve();
  await kit.reaches(deliveryId, 'delivered');
});

test('a process that joins while another one looks for dead processes keeps its claims', async () => {
  const receiver = await startReceiver(() => {});
  const kit = await webhookKit();
  const db = await openedDatabase(await urlOf(kit.db));
  const shop = await kit.shop(receiver.url);
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  let isClaimed = false;
  const looking = await webhookKit({
    clock: kit.clock,
    db: heldUp(kit.db, async () => {
      const joining = await webhookKit({ clock: kit.clock, db });
      joining.start({ ca: receiver.ca });
      await until(() => receiver.requests.length === 1);
      isClaimed = true;
    }),
  });
  looking.start({ ca: receiver.ca, inFlightMax: 0 });
  await until(() => isClaimed);
  await kit.clock.advance(1500);
  expect((await kit.delivery(deliveryId)).next_attempt_at).toBeGreaterThan(kit.clock.now());
});

test('a process that dies right after another one started is taken over before its leases end', async () => {
  const receiver = await startReceiver((_request, response, count) => {
    if (count > 1) response.end();
  });
  const dying = await webhookKit();
  const db = await openedDatabase(await urlOf(dying.db));
  const first = dying.start({ ca: receiver.ca });
  await until(async () => (await db.cluster?.running())?.size === 1);
  const { clock } = dying;
  let isSeen = false;
  const seeing = heldUp(db, async () => {
    isSeen = true;
  });
  (await webhookKit({ clock, db: seeing })).start({ ca: receiver.ca });
  await until(() => isSeen);
  await clock.advance(200);
  const shop = await dying.shop(receiver.url);
  await dying.announce(shop, await dying.payment(shop));
  await until(() => receiver.requests.length === 1);
  const claimedAt = clock.now();
  await first.stop();
  await clock.advanceUntil(500, () => receiver.requests.length === 2);
  expect(clock.now() - claimedAt).toBeLessThan(10_000);
});

test('a listener connection that is lost wakes the workers at once, and again when it is back and visible', async () => {
  const db = await temporaryDatabase();
  const presence = db.cluster?.join();
  const wakes: unknown[] = [];
  db.cluster?.subscribe('mail', () => wakes.push(presence?.instanceId));
  await presence?.ready;
  const [before, own] = [wakes.length, presence?.instanceId];
  const listener = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like '% listener %'`;
  expect((await listener.execute(db.read)).rows).toHaveLength(1);
  await until(() => wakes.length === before + 2, 'the listener to be back');
  expect([own, ...wakes.slice(before)]).toEqual([expect.stringMatching(/^\w{7}$/), null, own]);
});
