import { afterAll, expect, onTestFinished, test } from 'vitest';
import { csvPages, type ExportRoute } from '../../src/backoffice/export-route.ts';
import { EXPORTS } from '../../src/backoffice/router.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { lisbonDay } from '../../src/kernel/lisbon.ts';
import { exportEvents } from '../../src/webhooks/export-events.ts';
import { dial } from '../http/support.ts';
import { startService } from '../support/harness.ts';
import { insertRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { shopWithOwner, signedIn } from './support.ts';

let now = Date.now();
const service = await startService({ whenOver: afterAll, clock: { ...systemClock, now: () => now } });

/** More than the socket buffers hold when a client does not read. */
const LEADS = 100;
const ITEM_CHARACTERS = 200_000;

async function withLargeLeads(merchantId: `mer_${string}`): Promise<void> {
  const { db, ids } = service.app.deps;
  const items = JSON.stringify([{ name: ' ;'.repeat(ITEM_CHARACTERS / 2), quantity: 1, priceInCents: 1 }]);
  const lead = { merchant_id: merchantId, items };
  for (let n = 0; n < LEADS; n++)
    await insertRows(db, 'leads', {
      ...lead,
      id: ids('led'),
      identity: `email:${n}`,
      first_seen_at: n,
      last_seen_at: n,
    });
}

test('a person has at most two running downloads, and an ended one frees its place', async () => {
  const merchant = await service.merchant();
  await withLargeLeads(merchant.merchantId);
  const operator = await signedIn(service, { role: 'operator' });
  // Compressed, these leads would fit into the sockets.
  const download = () => operator.get('/export/leads.csv', { 'accept-encoding': 'identity' });
  const [first, second] = [await download(), await download()];
  expect([first.status, second.status]).toEqual([200, 200]);
  const third = await download();
  expect(third.status).toBe(429);
  expect(await third.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  expect(third.headers.get('content-disposition')).toBeNull();
  const other = await signedIn(service, { role: 'operator' });
  const others = await other.get('/export/leads.csv', { 'accept-encoding': 'identity' });
  expect(others.status).toBe(200);

  // One is read to its end, the others are closed.
  expect((await first.text()).length).toBeGreaterThan(LEADS * ITEM_CHARACTERS);
  await until(async () => {
    const next = await download();
    await next.body?.cancel();
    return next.status === 200;
  }, 'a place to be free');
  await Promise.all([second.body?.cancel(), others.body?.cancel()]);
});

test('a download keeps its place until its query has ended, although its client is gone', async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const lines = async function* () {
    yield 'first';
    await finished;
  };
  const answer = async () => ({ lines: lines(), fileName: 'slow.csv', type: 'text/csv' });
  const routes = EXPORTS as ExportRoute[];
  routes.push({ path: 'slow.csv', meta: { who: 'operator' }, answer });
  onTestFinished(() => {
    routes.pop();
  });
  const { host, port } = new URL(service.url);
  const cookie = (await signedIn(service, { role: 'operator' })).cookie();
  const begin = async () => {
    const { socket, raw } = await dial(Number(port));
    socket.write(`GET /backoffice/export/slow.csv HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`);
    const [, status] = await until(() => /^HTTP\/1\.1 (\d{3}) /.exec(raw()));
    socket.resetAndDestroy();
    return Number(status);
  };
  expect([await begin(), await begin()]).toEqual([200, 200]);
  for (let times = 0; times < 20; times++) expect(await begin()).toBe(429);
  finish();
  await until(async () => (await begin()) === 200, 'a place to be free');
});

test('a download ends within a minute after its reader lost access', async () => {
  const operator = await signedIn(service, { role: 'operator' });
  const download = () => operator.get('/export/leads.csv', { 'accept-encoding': 'identity' });
  const [whole, cut] = [await download(), await download()];
  const lastUses = () => service.app.deps.db.read.selectFrom('sessions').select(['id', 'seen_at']).execute();
  const before = await lastUses();
  now += 60_000;
  expect((await whole.text()).length).toBeGreaterThan(LEADS * ITEM_CHARACTERS);
  expect(await lastUses()).toEqual(before);
  await operator.mutate('session.signOut');
  now += 60_000;
  const outcome = cut.text().then(
    ({ length }) => length,
    ({ message }) => message,
  );
  expect(await outcome).toBe('terminated');
});

/** Resolves to the number of turns that the event loop takes while `work` runs. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = () => {
    turns += 1;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  await work();
  clearImmediate(turn);
  return turns;
}

test('a page of slow rows is formatted in several turns of the event loop', async () => {
  const rows = Array.from({ length: 50 }, () => ';='.repeat(50_000));
  const pages = csvPages([{ en: 'Items', pt: 'Artigos', cell: (row: string) => row }], 'en', async () => ({
    rows,
    nextCursor: null,
  }));
  let text = '';
  const turns = await turnsDuring(async () => {
    for await (const piece of pages) text += piece;
  });
  expect(text.length).toBeGreaterThan(50 * 100_000);
  expect(turns).toBeGreaterThan(10);
});

test('other requests are served between two pages of exported events', async () => {
  const { merchantId } = await service.merchant();
  const { db, ids } = service.app.deps;
  const event = { merchant_id: merchantId, kind: 'payment.success', body: '{}', created_at: 0 } as const;
  const sequences = Array.from({ length: 1000 }, (_, n) => n + 1);
  await insertRows(db, 'events', ...sequences.map((sequence) => ({ ...event, id: ids('evt'), sequence })));
  let events = 0;
  const turns = await turnsDuring(async () => {
    for await (const _ of exportEvents(service.app.deps, merchantId, { after: 0 })) events += 1;
  });
  expect(events).toBe(1000);
  expect(turns).toBeGreaterThanOrEqual(4);
});

test('queries and downloads are compressed; answers of mutations, which may hold a secret, are not', async () => {
  const { merchant, merchantId, owner } = await shopWithOwner(service);
  for (let n = 0; n < 20; n++) await merchant.init({ orderId: `ROW-${n}` });
  const input = encodeURIComponent(JSON.stringify({ merchantId }));
  const list = await owner.get(`/trpc/transactions.list?input=${input}`);
  expect(list.headers.get('content-encoding')).toBe('gzip');
  expect(list.headers.get('vary')).toContain('accept-encoding');
  expect(await list.json()).toHaveProperty('result.data.rows.length', 20);
  const plain = await owner.get(`/trpc/transactions.list?input=${input}`, {
    'accept-encoding': 'br, gzip;q=0',
  });
  expect(plain.headers.get('content-encoding')).toBeNull();
  const file = await owner.get(`/export/transactions.csv?merchantId=${merchantId}`);
  expect(file.headers.get('content-encoding')).toBe('gzip');
  expect((await file.text()).split('\r\n')).toHaveLength(22);
  const operator = await signedIn(service, { role: 'operator' });
  const transactionIds = Array.from({ length: 100 }, (_, n) => `tx_${n}`);
  const released = await operator.mutate('review.release', { transactionIds });
  expect(released.value).toHaveLength(100);
  expect(released.headers.get('content-encoding')).toBeNull();
});

test('a download of an invalid day is refused before it begins', async () => {
  const { merchantId, owner } = await shopWithOwner(service);
  for (const day of ['from=2026-02-30', 'to=2026-13-01', 'from=2026-02-30&by=paid']) {
    const refused = await owner.get(`/export/transactions.csv?merchantId=${merchantId}&${day}`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      code: 'BAD_REQUEST',
      error: expect.stringContaining('2026-'),
    });
  }
});

test('every line of a download has a cell for each heading, in both languages', async () => {
  const merchant = await service.merchant();
  await merchant.pay();
  const operator = await signedIn(service, { role: 'operator' });
  const day = lisbonDay(now);
  const ofMerchant = `merchantId=${merchant.merchantId}`;
  const queries: Record<string, readonly string[]> = {
    'settlement.csv': [`${ofMerchant}&from=${day}&to=${day}`],
    'transactions.csv': [ofMerchant, ''],
    'leads.csv': [ofMerchant],
    'audit.csv': [ofMerchant, ''],
  };
  for (const { path } of EXPORTS.filter((route) => route.path.endsWith('.csv'))) {
    for (const query of queries[path] ?? ['']) {
      for (const language of ['en', 'pt']) {
        const file = await operator.get(`/export/${path}?${query}&language=${language}`);
        const lines = (await file.text())
          .replace(/"[^"]*"/g, 'quoted')
          .trim()
          .split('\r\n');
        const counts = lines.map((line) => line.split(language === 'pt' ? ';' : ',').length);
        expect(counts.length, file.url).toBeGreaterThan(1);
        expect(new Set(counts), file.url).toEqual(new Set([counts[0]]));
      }
    }
  }
});
