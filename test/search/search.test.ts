import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Tx } from '../../src/db/database.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { type Id, idFloor } from '../../src/kernel/ids.ts';
import { foldText } from '../../src/kernel/person-keys.ts';
import { searchLeads } from '../../src/leads/search.ts';
import { search } from '../../src/search/find.ts';
import { clearFutureIndex, indexStep } from '../../src/search/indexer.ts';
import { insertDocuments, lockIndex, readProgress, writeProgress } from '../../src/search/store.ts';
import { readTerms } from '../../src/search/text.ts';
import { allRows, shopWithOwner, signedIn } from '../backoffice/support.ts';
import { engine } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { insertRows } from '../support/rows.ts';

const service = await startService({ whenOver: afterAll });
const { deps } = service.app;

/** Indexes every row, as if a minute had passed. */
async function indexAll(): Promise<void> {
  const clock = { now: () => Date.now() + 60_001 } as Clock;
  while (await indexStep({ db: deps.db, clock }));
}

/** A search of transactions by a viewer of this merchant; it resolves to their ids, newest first. */
async function finder(merchantId: Id<'mer'>) {
  const viewer = await signedIn(service, { role: 'viewer', merchantId });
  return async (text: string): Promise<string[]> => {
    const { value } = await viewer.query('transactions.list', { merchantId, limit: 10, search: text });
    return value.rows.map((row: { transactionId: string }) => row.transactionId);
  };
}

test('any part of the data of an order finds it, at once and after it is indexed, for its merchant alone', async () => {
  const [merchant, other] = [await service.merchant(), await service.merchant()];
  const customer = { name: 'João Conceição', email: 'Joao.C@mail.pt', phone: '+351 961 222 333' };
  const order = { orderId: 'Web#10-042', amount: 1234.56, customer };
  const id = await merchant.init(order);
  const { body: mb } = await merchant.post('/payments/multibanco', { transactionId: id });
  await merchant.init({ orderId: '42', amount: 7, customer: { name: 'Rui', email: 'rui@mail.pt' } });
  await merchant.init({ orderId: '#9', amount: 8, customer: { name: 'Rui', email: 'rui@loja.pt' } });
  await other.init(order);
  const operator = await signedIn(service, { role: 'operator' });
  const find = await finder(merchant.merchantId);
  const findLeads = async (text: string) =>
    (await operator.query('leads.list', { limit: 10, text, merchantId: merchant.merchantId })).value.rows
      .length;
  const check = async () => {
    for (const text of [
      ...['conceicao', 'OÃO CONC', 'conc joão', 'joao.c@', 'MAIL joao', '961222333', '222 333'],
      ...[mb.reference, `${mb.entity} ${mb.reference}`, mb.reference.replace(/(...)(...)/, '$1 $2 ')],
      ...['+351 961-222-333', '10-042', 'eb#10', '1234,56', '€1.234,56', '1,234.56', id, id.slice(0, 22)],
      ...['1 234,56', '1 234,56 €', '1\u00a0234,56\u00a0€', '1234,56 euros'],
      ...[`Referência: ${mb.reference}`, `ref. ${mb.reference}`],
    ]) {
      expect(await find(text), text).toEqual([id]);
    }
    for (const text of ['1234,5', 'silva', '%', '_o', '"', 'tx_zzzz', '961222334', 'joao rui']) {
      expect(await find(text), text).toEqual([]);
    }
    // A short word is an order id or an amount, not a part of one.
    for (const text of ['42', '7', '#9', '9']) expect(await find(text), text).toHaveLength(1);
    expect(await find('ma')).toEqual([]);
    expect(await find('mail.pt')).toHaveLength(2);
    for (const text of ['conceição', '961 222', 'c@mail']) expect(await findLeads(text), text).toBe(1);
    const across = await operator.query('transactions.list', {
      merchantId: null,
      limit: 10,
      search: 'conceicao',
    });
    expect(across.value.rows).toHaveLength(2);
  };
  await check();
  await indexAll();
  expect((await readProgress(deps.db.read)).documents).toBeGreaterThanOrEqual(6);
  await check();
  // What is added to an indexed order is found at once too.
  await merchant.post('/payments/mbway', { transactionId: id, phoneNumber: '919000001' });
  expect(await find('19000')).toEqual([id]);
  for (const shop of [merchant, other])
    await shop.init({ orderId: 'next', amount: 1, customer: { ...customer, name: 'Zulmira' } });
  expect([await findLeads('zulmira'), await findLeads('conceição')]).toEqual([1, 0]);
  await indexAll();
  expect(await find('19000')).toEqual([id]);
  expect([await findLeads('zulmira'), await findLeads('conceição')]).toEqual([1, 0]);
});

test('the title of a payment link finds its orders', async () => {
  const { merchantId, owner } = await shopWithOwner(service);
  const amounts = { amountCents: 1250, minCents: null, maxCents: null };
  const draft = { merchantId, ...amounts, orderId: null, uses: null, expiresAt: null };
  const used = async (title: string) => {
    const { url } = (await owner.mutate('paymentLinks.create', { ...draft, title })).value;
    const body = new URLSearchParams({ method: 'REFERENCE' });
    await fetch(url, { method: 'POST', body, headers: { origin: 'null' }, redirect: 'manual' });
  };
  await used('Oficina de São João');
  await used('Sinal do Sr. Antão');
  const find = async (search: string) => {
    const { value } = await owner.query('transactions.list', { merchantId, limit: 10, search });
    return value.rows.map((row: { linkTitle: string }) => row.linkTitle);
  };
  expect(await find('sao joao 12,50')).toEqual(['Oficina de São João']);
  await indexAll();
  expect(await find('antao')).toEqual(['Sinal do Sr. Antão']);
  expect(await find('Oficina')).toEqual(['Oficina de São João']);
});

test('digits, a space and an amount find an order id with its amount, and the amount that both print', async () => {
  const { merchantId, init } = await service.merchant();
  const first = await init({ orderId: '2026-77', amount: 200.5 });
  const second = await init({ orderId: 'x', amount: 77_200.5 });
  await init({ orderId: 'y', amount: 200.5 });
  const high = await init({ orderId: 'Z100', amount: 200.5 });
  const find = await finder(merchantId);
  expect(await find('100 200,50 €')).toEqual([high]);
  expect((await find('77 200,50')).sort()).toEqual([first, second].sort());
  expect(await find('77 200,50 €')).toEqual([second]);
});

test('an order id that looks like a phone number is found as it is written', async () => {
  const { merchantId, init } = await service.merchant();
  const find = await finder(merchantId);
  for (const orderId of ['261127-001', '100.200.300', '001-12345678']) {
    const id = await init({ orderId });
    expect(await find(orderId), orderId).toEqual([id]);
  }
});

test('an apostrophe finds the other one', async () => {
  const { merchantId, init } = await service.merchant();
  const find = await finder(merchantId);
  const customer = (name: string) => ({ name, email: 'a@mail.pt' });
  const curly = await init({ orderId: 'curly', customer: customer('Rita Sant’Ana') });
  const straight = await init({ orderId: 'straight', customer: customer("Rui Sant'Ana") });
  for (const text of ["sant'ana", 'Sant’Ana']) expect(await find(text), text).toEqual([straight, curly]);
});

test.runIf(engine === 'sqlite')(
  'orders made after the clock was set back are found once it passes them',
  async () => {
    const { merchantId, init } = await service.merchant();
    const find = await finder(merchantId);
    const future = await init({ orderId: 'BEFORE-1' });
    await indexAll();
    // As if the newest order had been made an hour ahead.
    const progress = await readProgress(deps.db.read);
    await deps.db.unit((tx) => writeProgress(tx, { ...progress, tx: idFloor('tx', Date.now() + 3_600_000) }));
    const later = await init({ orderId: 'AFTER-1' });
    await clearFutureIndex(deps);
    await indexAll();
    expect([await find('BEFORE-1'), await find('AFTER-1')]).toEqual([[future], [later]]);
  },
);

test('a search finds the texts that contain every word, and no other', async () => {
  const { merchantId } = await service.merchant();
  const texts = [
    'ana',
    'Ána',
    'banana',
    'ANAN',
    'a%b',
    'a_b\\',
    'ab"c',
    "o'neil",
    'ßtraße',
    '日本語テ',
    'naan ana',
    'xyz',
  ];
  const rows = texts.flatMap((first) => texts.map((last) => `${first} ${last}`));
  const ids = rows.map((_, at) => `${idFloor('led', Date.now())}${String(at).padStart(16, '0')}`);
  const add = async (from: number, to: number) => {
    const lead = (name: string, at: number) => ({ id: ids[at] as Id<'led'>, identity: `test:${at}`, name });
    const leads = rows.map(lead).slice(from, to);
    await insertRows(deps.db, 'leads', ...leads.map((each) => ({ ...each, merchant_id: merchantId })));
  };
  await add(0, 100);
  await indexAll();
  // The others are not indexed.
  await add(100, rows.length);
  const word = fc.oneof(
    fc.constantFrom(...texts),
    fc
      .constantFrom(...texts)
      .chain((text) => fc.integer({ min: 0, max: 2 }).map((at) => text.slice(at, at + 3))),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 3 }), async (words) => {
      const wanted = foldText(words.join(' '))
        .split(' ')
        .filter((each) => each !== '');
      fc.pre(wanted.length > 0);
      const expected = ids.filter((_, at) => wanted.every((each) => foldText(rows[at] ?? '').includes(each)));
      const wish = { text: words.join(' '), merchantId };
      const found = await allRows((cursor) =>
        searchLeads(deps, wish, { limit: 50, cursor: cursor ?? undefined }),
      );
      expect(found.map(({ id }) => id)).toEqual(expected.toReversed());
    }),
    { numRuns: 60 },
  );
});

test('rows beyond one step of a search are found, down to where it begins', async () => {
  const { merchantId } = await service.merchant();
  const names = Array.from({ length: 1300 }, (_, at) => ({
    id: `${idFloor('led', Date.now())}${String(at).padStart(16, '0')}` as const,
    merchant_id: merchantId,
    identity: `many:${at}`,
    name: 'Maria',
  }));
  await insertRows(deps.db, 'leads', ...names);
  const wanted = names.map(({ id }) => id).reverse();
  for (const isIndexed of [false, true]) {
    if (isIndexed) await indexAll();
    for (const count of [1300, 1200]) {
      const from = wanted[count - 1] ?? '';
      const found: string[] = [];
      const span = { kind: 'led', owner: merchantId, from, before: 'led_~' } as const;
      for await (const { ids } of search(deps.db.read, span, readTerms('maria', 'led'))) found.push(...ids);
      expect(found).toEqual(wanted.slice(0, count));
    }
  }
});

test('a search of many rows reads one section of the index after the other', async () => {
  const { merchantId } = await service.merchant();
  const count = 50_000;
  const batch = 5000;
  await indexAll();
  let last = '';
  for (let from = 0; from < count; from += batch) {
    const documents = Array.from({ length: batch }, (_, at) => {
      const n = from + at;
      const text = n === 7 ? 'needle maria silva' : `order-${n}\nmaria silva ${n % 977}`;
      last = `${idFloor('tx', Date.now() + 3_600_000)}${String(n).padStart(16, '0')}`;
      return { id: last, owner: merchantId, text };
    });
    await deps.db.unit((tx) => add(tx, documents));
  }
  if (engine === 'postgres') await sql`analyze search_documents`.execute(deps.db.read);
  const span = { kind: 'tx', from: 'tx_', before: 'tx_~' } as const;
  for (const owner of [merchantId, null]) {
    for (const [text, hits, steps] of [
      ['needle', 1, count / 20_000 + 3],
      ['silva needle maria', 1, count / 20_000 + 3],
      ['nothing-like-this', 0, count / 20_000 + 3],
      // The first page of a common word needs one step, or a second one after a new section.
      ['silva', 500, 2],
    ] as const) {
      const startedAt = performance.now();
      let [found, taken] = [0, 0];
      for await (const { ids } of search(deps.db.read, { ...span, owner }, readTerms(text, 'tx'))) {
        found += ids.length;
        taken += 1;
        if (text === 'silva' && found >= 500) break;
      }
      const least = text === 'silva' ? 1 : count / 20_000;
      const isBounded = taken >= least && taken <= steps;
      expect([Math.min(found, 500), isBounded], `${text}: ${taken} steps`).toEqual([hits, true]);
      // It takes a few milliseconds; a comparison of all texts takes far longer.
      expect(performance.now() - startedAt).toBeLessThan(2000);
    }
  }
  if (engine === 'postgres') {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select number from search_documents
      where array[section, shared_section] @> array[1::integer] and text like '%needle%'`.execute(
      deps.db.read,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('search_documents_text');
  }

  async function add(tx: Tx, documents: Parameters<typeof insertDocuments>[2]): Promise<void> {
    await lockIndex(tx);
    const progress = { ...(await readProgress(tx)) };
    await insertDocuments(tx, 'tx', documents, progress);
    await writeProgress(tx, { ...progress, tx: last });
  }
}, 180_000);
