import { expect, onTestFinished, test } from 'vitest';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { claimListRead, releaseListRead } from '../../src/banks/store.ts';
import { beforeCommit, type Tx } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { cents } from '../../src/kernel/money.ts';
import { addDomain } from '../../src/merchants/domains.ts';
import { createKey, rollKey } from '../../src/merchants/keys.ts';
import { finishRotation, rotateWebhookSecret } from '../../src/merchants/rotate-secret.ts';
import { newWebhookSecret } from '../../src/merchants/secrets.ts';
import { replaceWebhookSecret, requireMerchant } from '../../src/merchants/store.ts';
import { lockTransaction } from '../../src/payments/store.ts';
import { countCreated } from '../../src/payments/totals.ts';
import { indexStep } from '../../src/search/indexer.ts';
import { lockIndex } from '../../src/search/store.ts';
import { claimDue } from '../../src/webhooks/delivery/claim.ts';
import { recordOutcomes } from '../../src/webhooks/delivery/recorder.ts';
import { Numbering } from '../../src/webhooks/numbering.ts';
import { CREDENTIALS } from '../banks/support.ts';
import { SETTINGS, setup } from '../payments/setup.ts';
import { databaseUrl, temporaryFolder } from '../support/database.ts';
import { depsOn } from '../support/deps.ts';
import { isAnyWaiting } from '../support/lock-waits.ts';
import { selectRows } from '../support/rows.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { announceMany, claim, delivering, numberAll, urlOf, webhookKit } from '../webhooks/kit.ts';

const AT_ONCE = 8;

function atOnce<T>(work: (place: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, place) => work(place)));
}

test('of concurrent claims for the same deliveries, one gets each delivery, and its attempt is counted once', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.example/hook');
  const made = await Promise.all(
    Array.from({ length: 20 }, async () => kit.announce(shop, await kit.payment(shop))),
  );
  await numberAll(kit);
  const ids = made.map(({ deliveryId }) => deliveryId);
  const due = ids.map((id) => ({ id, merchant_id: shop.id }));
  const claims = await atOnce(() => claimDue(kit.deps, due, { queue: 'fresh' }));
  const claimed = claims.flatMap((claim) => claim.claimed.map(({ delivery }) => delivery.id));
  expect(claimed.toSorted()).toEqual(ids.toSorted());
  for (const id of ids) {
    expect(await kit.delivery(id)).toMatchObject({ attempts_count: 1 });
    expect(await kit.attempts(id)).toHaveLength(1);
  }
});

test('claims that read the same deliveries of a longer queue share the queue', async () => {
  const kit = await webhookKit();
  const shops = [await kit.shop('https://shop.example/hook'), await kit.shop('https://shop.example/hook')];
  const queues = await Promise.all(shops.map((shop) => announceMany(kit, shop, 10 * AT_ONCE)));
  await numberAll(kit);
  const held = queues.flatMap((queue) => queue.splice(10, 1));
  const due = shops.flatMap(({ id: merchant_id }, shop) =>
    (queues[shop] ?? []).slice(0, 5 + 4 * shop).map((id) => ({ id, merchant_id })),
  );
  const claims = await atOnce(() => claimDue(kit.deps, due, { queue: 'fresh', held }));
  const claimed = claims.map((claim) => claim.claimed.map(({ delivery }) => delivery));
  const ids = claimed.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => held.includes(id))).toEqual([]);
  for (const own of claimed) {
    expect(shops.map(({ id }) => own.filter(({ merchant_id }) => merchant_id === id).length)).toEqual([5, 9]);
  }
});

test('processes share the queue of one merchant, each within its own limit', async () => {
  const receiver = await startReceiver(() => {});
  const kit = await webhookKit();
  const other = await webhookKit({ clock: kit.clock, db: kit.db });
  await announceMany(kit, await kit.shop(receiver.url), 300);
  for (const { start } of [kit, other]) start({ ca: receiver.ca, perMerchantMax: 4 });
  await until(() => receiver.requests.length === 8);
  await kit.clock.advance(1000);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(8);
});

test('a process does not index while another one changes the search index', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.example/hook');
  await kit.payment(shop);
  await kit.clock.advance(61_000);
  await kit.db.unit(async (tx) => {
    await lockIndex(tx);
    expect(await indexStep(kit.deps)).toBe(false);
  });
  expect(await indexStep(kit.deps)).toBe(true);
  expect(await indexStep(kit.deps)).toBe(false);
});

test('concurrent numbering leaves no gap and no duplicate', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.example/hook');
  await Promise.all(Array.from({ length: 40 }, async () => kit.announce(shop, await kit.payment(shop))));
  await atOnce(() => numberAll(kit));
  const numbers = (await selectRows(kit.db, 'events')).map(({ sequence }) => Number(sequence));
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, place) => place + 1));
});

test('a call that does not wait for the numbering is notified when it ends', async () => {
  const kit = await webhookKit();
  await announceMany(kit, await kit.shop(null), 300);
  let calls = 0;
  const numbering = new Numbering(kit.deps, () => calls++);
  await numbering.start();
  expect(calls).toBe(1);
  await numbering.start();
  expect(calls).toBe(1);
  await numbering.drain();
  expect(calls).toBe(2);
  expect(await numbering.isNeeded()).toBe(false);
});

test('an event inserted while the previous one ends is never left blocked', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.example/hook');
  const payment = await kit.payment(shop);
  const first = await kit.announce(shop, payment, 'payment.cancelled');
  const attempt = await claim(kit, shop, first.deliveryId);
  const ok = { error: null, errorDetail: null, status: 200, response: '', durationMs: 1 };
  let recorded = false;
  const recording = { promise: Promise.resolve() };
  const next = await kit.db.unit(async (tx: Tx) => {
    // As every state change does: the lock first, then the event, which finds the previous event unfinished.
    await lockTransaction(tx, payment.id);
    const made = await kit.announceIn(tx, shop, payment);
    recording.promise = recordOutcomes(kit.deps, () => [
      { attempt, result: { ...ok, endedAt: kit.clock.now() } },
    ]).then(() => {
      recorded = true;
    });
    await until(async () => recorded || (await isAnyWaiting(kit.db)));
    return made;
  });
  await recording.promise;
  expect(await kit.delivery(first.deliveryId)).toMatchObject({ state: 'delivered' });
  expect(await kit.delivery(next.deliveryId)).toMatchObject({ state: 'due', blocked: 0 });
});

test('concurrent key rolls leave one current key, and concurrent additions respect the domain limit and the name of a key', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop(null);
  await atOnce(() => rollKey(kit.deps, shop.id, { graceHours: 0 }));
  expect(await selectRows(kit.db, 'api_keys', { expires_at: null })).toHaveLength(1);
  const named = { name: 'ERP', expiresInDays: undefined };
  const created = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, () => createKey(kit.deps, shop.id, named)),
  );
  expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (let place = 0; place < 97; place++) await addDomain(kit.deps, shop.id, `shop${place}.pt`);
  const added = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, (_, place) => addDomain(kit.deps, shop.id, `more${place}.pt`)),
  );
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});

test('of concurrent rotations one makes the new secret', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop(null);
  // In the first round most of them open a connection.
  for (let round = 0; round < 2; round++) {
    const rotations = Array.from({ length: AT_ONCE }, () =>
      rotateWebhookSecret(kit.deps, shop.id, { now: false }),
    );
    const ends = await Promise.allSettled(rotations);
    const made = ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []));
    expect(made).toEqual([await finishRotation(kit.deps, shop.id)]);
  }
});

test('the end of a rotation waits for a running one and returns the secret that it made', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop(null);
  const { webhook_secret: old } = await requireMerchant(kit.db.read, shop.id);
  const made = newWebhookSecret(kit.deps.random);
  const finishing = { promise: Promise.resolve({ webhookSecret: '' }) };
  await kit.db.unit(async (tx) => {
    const current = kit.deps.box.encrypt(made, `merchants.webhook_secret:${shop.id}`);
    const previous = { secret: old, until: kit.clock.now() + 1000 };
    await replaceWebhookSecret(tx, shop.id, old, { current, previous });
    finishing.promise = finishRotation(kit.deps, shop.id);
    await until(() => isAnyWaiting(kit.db));
  });
  expect(await finishing.promise).toEqual({ webhookSecret: made });
});

test('concurrently set bank accounts leave one current account', async () => {
  const kit = await webhookKit();
  const deps = depsOn(kit.db, kit.clock);
  await atOnce((place) =>
    setBankAccount(deps, {
      merchantId: null,
      credentials: { ...CREDENTIALS, mbWayKey: `ABC-00000${place}` },
    }),
  );
  expect(await selectRows(kit.db, 'bank_accounts', { current: 1 })).toHaveLength(1);
});

test("one process at a time reads an account's list", async () => {
  const kit = await webhookKit();
  const deps = depsOn(kit.db, kit.clock);
  const { account } = await setBankAccount(deps, { merchantId: null, credentials: CREDENTIALS });
  const take = (now: number) =>
    kit.db.unit((tx) => claimListRead(tx, account, { now, until: now + 10, latest: now + 1000 }));
  expect((await atOnce(() => take(100))).filter(Boolean)).toHaveLength(1);
  expect(await take(109)).toBe(false);
  expect(await take(110)).toBe(true);
});

test('a failed read that outlived its lease leaves the lease of another process', async () => {
  const kit = await webhookKit();
  const deps = depsOn(kit.db, kit.clock);
  const { account } = await setBankAccount(deps, { merchantId: null, credentials: CREDENTIALS });
  const change = (until: number | null, held: number) =>
    kit.db.unit((tx) => releaseListRead(tx, account, held, until));
  const take = (now: number) =>
    kit.db.unit((tx) => claimListRead(tx, account, { now, until: now + 10, latest: now + 1000 }));
  expect([await take(100), await take(110)]).toEqual([true, true]);
  await change(null, 110);
  expect(await take(119)).toBe(false);
  await change(null, 120);
  expect(await take(119)).toBe(true);
});

test('a process that cannot reach the bank leaves the list to the others', async () => {
  const url = await databaseUrl(temporaryFolder(), onTestFinished);
  const cutOff = await setup(url);
  const other = await setup(url);
  const second = async () => {
    for (const { clock } of [cutOff, other]) await clock.advance(1000);
  };
  cutOff.bank.listUnavailable = true;
  while (!cutOff.lines.some(({ msg }) => /back-off/.test(String(msg)))) await second();
  const row = other.bank.foreign(cents(700));
  for (let passed = 0; passed < SETTINGS.reconcileMs; passed += 1000) await second();
  expect(await other.receipts()).toMatchObject([{ request_id: row.requestId }]);
});

test('concurrent payments of one merchant are counted exactly, without waiting for each other’s commit', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop(null);
  const order = { merchant_id: shop.id, created_at: kit.clock.now(), amount_cents: cents(150) };
  let counted = 0;
  // Runs between the sums and the commit: with one row a day, no second transaction would get here.
  const meet = async () => {
    counted++;
    await until(() => counted >= 2);
  };
  await atOnce(() =>
    kit.db.unit(async (tx) => {
      countCreated(tx, order);
      beforeCommit(tx, meet, null);
    }),
  );
  const days = await selectRows(kit.db, 'daily_totals');
  expect(days.reduce((sum, { created_count }) => sum + created_count, 0)).toBe(AT_ONCE);
  expect(days.reduce((sum, { created_cents }) => sum + created_cents, 0)).toBe(AT_ONCE * 150);
});

test('a process sends a delivery that another process publishes, and a process that left is detected', async () => {
  const { receiver, kit, shop } = await delivering();
  const other = await openDatabase(await urlOf(kit.db));
  const presence = kit.db.cluster?.join();
  await presence?.ready;
  const instanceId = presence?.instanceId ?? '';
  expect(instanceId).toMatch(/^[0-9a-z]{7}$/);
  expect(await other.cluster?.running()).toContain(instanceId);

  // The clock stands still: only the other process wakes the dispatcher.
  const quiet = { ...kit.deps, wakeDispatcher() {} };
  const payment = await kit.payment(shop);
  await kit.db.unit((tx) => kit.announceIn(tx, shop, payment, quiet));
  other.cluster?.publish('deliveries');
  await until(() => receiver.requests.length === 1);

  await presence?.leave();
  expect(await other.cluster?.running()).not.toContain(instanceId);
  await other.close();
});
