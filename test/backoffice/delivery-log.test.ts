import { expect, test } from 'vitest';
import { listMerchants } from '../../src/backoffice/merchants/list.ts';
import { showOverview } from '../../src/backoffice/overview/show.ts';
import { countDeliveries, listDeliveries } from '../../src/backoffice/webhook/deliveries.ts';
import { showWebhook } from '../../src/backoffice/webhook/settings.ts';
import { undeliveredByMerchant } from '../../src/backoffice/webhook/store.ts';
import { insertRows, updateRows } from '../support/rows.ts';
import { webhookKit, writeDelivery } from '../webhooks/kit.ts';
import { allRows } from './support.ts';

test('the log pages newest first, each of the merchant’s deliveries once, while others arrive', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.pt/hook');
  const other = await kit.shop('https://other.pt/hook');
  const made: string[] = [];
  for (let i = 0; i < 25; i++) {
    made.unshift((await writeDelivery(kit, shop, 'delivered')).id);
    await writeDelivery(kit, other, 'delivered');
    if (i % 5 === 0) await kit.clock.advance(1000);
  }
  const seen = await allRows(async (cursor) => {
    const page = await listDeliveries(kit.deps, shop.id, { limit: 10, cursor });
    await writeDelivery(kit, shop, 'delivered');
    return page;
  });
  expect(seen.map((row) => row.deliveryId)).toEqual(made);
});

test('the log is filtered by state, kind and time', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.pt/hook');
  const missed = await writeDelivery(kit, shop, 'undelivered');
  const skipped = await writeDelivery(kit, shop, 'skipped', { kind: 'payment.failed' });
  await kit.clock.advance(1000);
  const from = kit.clock.now();
  const tried = await writeDelivery(kit, shop, 'delivered', { kind: 'webhook.test' });
  await kit.clock.advance(1000);
  const until = kit.clock.now();
  const late = await writeDelivery(kit, shop, 'due');
  /** The log, whose count must agree. */
  const list = async (query: object) => {
    const { rows } = await listDeliveries(kit.deps, shop.id, { limit: 10, ...query });
    expect(await countDeliveries(kit.deps, shop.id, query)).toEqual({ count: rows.length, more: false });
    return rows.map((row) => row.deliveryId);
  };
  expect(await list({ state: 'undelivered' })).toEqual([missed.id]);
  expect(await list({ state: 'skipped' })).toEqual([skipped.id]);
  expect(await list({ state: 'delivered' })).toEqual([tried.id]);
  expect(await list({ state: 'due' })).toEqual([late.id]);
  expect(await list({ kind: 'webhook.test' })).toEqual([tried.id]);
  expect(await list({ kind: 'payment.failed', state: 'skipped' })).toEqual([skipped.id]);
  expect(await list({ kind: 'payment.failed', state: 'delivered' })).toEqual([]);
  expect(await list({ from })).toEqual([late.id, tried.id]);
  expect(await list({ until })).toEqual([tried.id, skipped.id, missed.id]);
  expect(await list({ from, until })).toEqual([tried.id]);
  expect(await list({ from, until, state: 'undelivered' })).toEqual([]);
});

test('a filter without recent matches examines a bounded number of rows per page and finds older ones', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.pt/hook');
  const sought = await writeDelivery(kit, shop, 'delivered', { kind: 'payment.failed' });
  const { event } = await writeDelivery(kit, shop, 'delivered');
  const { ids, clock } = kit.deps;
  await kit.clock.advance(1000);
  const row = { event_id: event, merchant_id: shop.id, kind: 'payment.success', state: 'delivered' } as const;
  const rows = Array.from({ length: 6000 }, () => ({ ...row, id: ids('dlv'), created_at: clock.now() }));
  await insertRows(kit.db, 'deliveries', ...rows);
  const first = await listDeliveries(kit.deps, shop.id, { kind: 'payment.failed', limit: 10 });
  expect(first).toMatchObject({ rows: [], searchedTo: clock.now() });
  const cursor = first.nextCursor ?? undefined;
  const second = await listDeliveries(kit.deps, shop.id, { kind: 'payment.failed', limit: 10, cursor });
  expect(second.rows.map((row) => row.deliveryId)).toEqual([sought.id]);
  expect(second).toMatchObject({ nextCursor: null, searchedTo: null });
});

test('missed events are payment events that are neither delivered nor due, and the log can show them alone', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.pt/hook');
  const missed = async () => {
    const { missed } = await showWebhook(kit.deps, shop.id);
    expect((await showOverview(kit.deps, shop.id)).missed, 'the overview shows the same').toEqual(missed);
    const { rows } = await listDeliveries(kit.deps, shop.id, { state: 'missed', limit: 10 });
    expect(new Set(rows.map((row) => row.eventId)).size, 'each once').toBe(rows.length);
    expect(rows.length).toBe(missed?.events ?? 0);
    return missed;
  };
  expect(await missed()).toBeNull();
  const since = kit.clock.now();
  const lost = await writeDelivery(kit, shop, 'undelivered');
  await kit.clock.advance(1000);
  await writeDelivery(kit, shop, 'undelivered', { event: lost.event });
  const skipped = await writeDelivery(kit, shop, 'skipped');
  await writeDelivery(kit, shop, 'undelivered', { kind: 'webhook.test' });
  expect(await missed()).toEqual({ events: 2, since, more: false, many: true });
  await writeDelivery(kit, shop, 'due', { event: lost.event });
  expect(await missed()).toEqual({ events: 1, since: since + 1000, more: false, many: true });
  await writeDelivery(kit, shop, 'delivered', { event: skipped.event });
  expect(await missed()).toBeNull();
});

test('the overview of a merchant without a webhook counts missed events once a shop uses the API', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop(null);
  await writeDelivery(kit, shop, 'skipped');
  const missed = async () => (await showOverview(kit.deps, shop.id)).missed;
  expect(await missed()).toBeNull();
  const now = kit.clock.now();
  const used = { id: kit.deps.ids('key'), merchant_id: shop.id, hash: 'hash', secret: 'encrypted' };
  await kit.db.unit((tx) =>
    tx
      .insertInto('api_keys')
      .values({ ...used, created_at: now, last_used_at: now })
      .execute(),
  );
  expect(await missed()).toMatchObject({ events: 1 });
});

test('a failed test event or one undelivered event among hundreds does not mark a merchant as failing', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.pt/hook');
  const since = kit.clock.now() - 1;
  const merchants = () => undeliveredByMerchant(kit.db.read, since, { limit: 10 });
  const missed = async () => (await showOverview(kit.deps, shop.id)).missed;
  await writeDelivery(kit, shop, 'undelivered', { kind: 'webhook.test' });
  expect([await merchants(), await missed()]).toEqual([[], null]);
  await writeDelivery(kit, shop, 'undelivered');
  expect(await missed()).toMatchObject({ events: 1, many: true });
  const other = await kit.shop('https://other.pt/hook');
  await writeDelivery(kit, other, 'undelivered');
  const states = async () =>
    (await listMerchants(kit.deps, { text: '', limit: 10 })).rows.map((row) => [row.merchantId, row.webhook]);
  expect(await states()).toEqual([
    [other.id, 'failing'],
    [shop.id, 'failing'],
  ]);
  for (let n = 0; n < 100; n++) await writeDelivery(kit, shop, 'delivered');
  expect(await missed()).toMatchObject({ events: 1, many: false });
  expect(await merchants()).toMatchObject([{ count: 1 }, { count: 1 }]);
  expect(await states()).toEqual([
    [other.id, 'failing'],
    [shop.id, 'on'],
  ]);
});

test('an event counts once as undelivered when it was sent again in vain, and not at all once it was delivered', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.pt/hook');
  const since = kit.clock.now() - 1;
  const { event } = await writeDelivery(kit, shop, 'undelivered');
  await kit.clock.advance(1);
  await writeDelivery(kit, shop, 'undelivered', { event });
  await kit.clock.advance(1);
  await writeDelivery(kit, shop, 'skipped', { event });
  const delivered = await writeDelivery(kit, shop, 'delivered');
  await kit.clock.advance(1);
  await writeDelivery(kit, shop, 'undelivered', { event: delivered.event });
  expect(await undeliveredByMerchant(kit.db.read, since, { limit: 10 })).toMatchObject([{ count: 1 }]);
});

test('an event does not count as undelivered while it is sent, also when a resend has already failed', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.pt/hook');
  const since = kit.clock.now() - 1;
  for (const [first, resend] of [
    ['due', 'undelivered'],
    ['undelivered', 'due'],
  ] as const) {
    const { event } = await writeDelivery(kit, shop, first);
    await kit.clock.advance(1);
    await writeDelivery(kit, shop, resend, { event });
  }
  expect(await undeliveredByMerchant(kit.db.read, since, { limit: 10 })).toEqual([]);
});

test('an event that was queued long ago counts as undelivered from when it ended', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.pt/hook');
  const { id } = await writeDelivery(kit, shop, 'due');
  await kit.clock.advance(3_600_000);
  const now = kit.clock.now();
  await updateRows(
    kit.db,
    'deliveries',
    { state: 'undelivered', finished_at: now, next_attempt_at: null },
    { id },
  );
  const since = async (at: number) => (await undeliveredByMerchant(kit.db.read, at, { limit: 10 })).length;
  expect([await since(now - 1000), await since(now)]).toEqual([1, 0]);
});
