import { expect, onTestFinished, test, vi } from 'vitest';
import { foundLeadsCsv } from '../../src/backoffice/leads/leads.ts';
import { eraseLead } from '../../src/erasure/erase-lead.ts';
import { cents } from '../../src/kernel/money.ts';
import { recordLeadPaid } from '../../src/leads/record.ts';
import { type LeadSearch, searchLeads } from '../../src/leads/search.ts';
import { allRows } from '../backoffice/support.ts';
import { insertRows } from '../support/rows.ts';
import { orderTexts, register } from './support.ts';

async function searched(merchantsCount = 1) {
  const { deps, ...made } = await register(merchantsCount);
  /** The names, else e-mail addresses, else phone numbers of all pages of a search. */
  const find = async (search: LeadSearch, limit = 2) => {
    const found = await allRows(async (cursor) => {
      const page = await searchLeads(deps, search, { limit, cursor: cursor ?? undefined });
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      return page;
    });
    return found.map((row) => row.name ?? row.email ?? row.phone);
  };
  return { deps, ...made, find };
}

test('a phone number is found in any spelling, with and without an e-mail address', async () => {
  const { record, find } = await searched();
  await record({ phone: '961 222 333' });
  await record({ name: 'Rui', email: 'rui@mail.pt', phone: '+351961222333' });
  for (const text of ['961222333', '00351 961 222 333', '+351-961-222-333']) {
    expect((await find({ text })).toSorted()).toEqual(['961 222 333', 'Rui']);
  }
  expect(await find({ text: '961222' })).toHaveLength(2);
  expect(await find({ text: '961223' })).toEqual([]);
});

test('a phone number of another country is found as the pages and the download print it', async () => {
  const { record, find } = await searched();
  await record({ name: 'Lucía', phone: '+34 612 345 678' });
  await record({ name: 'Emma', phone: '+44 7911 123456' });
  for (const text of [
    '+34 612 345 678',
    '+34612345678',
    '0034 612 345 678',
    '(+34) 612 345 678',
    '(0034) 612 345 678',
    '612345678',
  ])
    expect(await find({ text }), text).toEqual(['Lucía']);
  for (const text of ['+44 7911 123456', '0044 7911 123456', '(+44) 7911 123456', '+44-7911-123456'])
    expect(await find({ text }), text).toEqual(['Emma']);
  expect(await find({ text: '+33 612 345 678' })).toEqual([]);
  expect(await find({ text: 'Emma +44 7911 123456' })).toEqual(['Emma']);
});

test('without a text the newest leads come first; state and campaign filter', async () => {
  const { deps, record, find, merchantId, merchantIds } = await searched(2);
  const spring = { utm_campaign: 'primavera' };
  const a = await record({ email: 'a@mail.pt' }, orderTexts(null, spring));
  await record({ email: 'b@mail.pt' });
  await record(
    { email: 'c@mail.pt' },
    { ...orderTexts(null, spring), merchant_id: merchantIds[1] ?? 'mer_none' },
  );
  await deps.db.unit((tx) => recordLeadPaid(tx, { merchant_id: merchantId, amount_cents: cents(100) }, a));
  expect(await find({})).toEqual(['c@mail.pt', 'b@mail.pt', 'a@mail.pt']);
  expect(await find({ state: 'paid' })).toEqual(['a@mail.pt']);
  expect(await find({ state: 'asked' })).toEqual(['c@mail.pt', 'b@mail.pt']);
  expect(await find({ campaign: 'primavera' })).toEqual(['c@mail.pt', 'a@mail.pt']);
  const first = await searchLeads(deps, { campaign: 'primavera' }, { limit: 1 });
  const page = { limit: 1, cursor: first.nextCursor ?? '' };
  expect((await searchLeads(deps, { campaign: 'primavera' }, page)).rows).toMatchObject([
    { email: 'a@mail.pt' },
  ]);
  expect(await find({ campaign: 'primavera', state: 'asked' })).toEqual(['c@mail.pt']);
  expect(await find({ campaign: 'primavera', merchantId: merchantIds[0] })).toEqual(['a@mail.pt']);
  expect(await find({ campaign: 'prima' })).toEqual([]);
  expect(await find({ text: 'a@', state: 'asked' })).toEqual([]);
});

test('a returning customer is found by new values and by values that the newest order omits', async () => {
  const { record, find } = await searched();
  const email = 'ana@mail.pt';
  const id = await record(
    { name: 'Ana', email, phone: '961222333' },
    orderTexts(null, { utm_campaign: 'natal' }),
  );
  expect(await record({ name: 'Rita', email })).toBe(id);
  expect(await find({ text: '961222333' })).toEqual(['Rita']);
  expect(await find({ campaign: 'natal' })).toEqual(['Rita']);
  expect(await find({ text: 'rita' })).toEqual(['Rita']);
  await record({ email, phone: '962333444' }, orderTexts(null, { utm_campaign: 'verao' }));
  expect(await find({ text: '962333444' })).toEqual(['Rita']);
  expect(await find({ campaign: 'verao' })).toEqual(['Rita']);
  await record({ email }, orderTexts(null, { utm_campaign: 'x'.repeat(300) }));
  expect(await find({ campaign: 'x'.repeat(100) }), 'the longest that the list filters by').toEqual(['Rita']);
  for (const search of [{ text: '961222333' }, { campaign: 'natal' }]) expect(await find(search)).toEqual([]);
});

test('an erased lead is found only by its state', async () => {
  const { deps, record, find, merchantIds } = await searched(2);
  const spring = orderTexts(null, { utm_campaign: 'primavera' });
  const id = await record({ name: 'Ana', email: 'ana@mail.pt', phone: '961222333' }, spring);
  await record({ name: 'Rui', email: 'rui@mail.pt' });
  await eraseLead(deps, id);
  for (const text of ['ana', 'ana@mail.pt', '961222333', 'erased']) expect(await find({ text })).toEqual([]);
  expect(await find({})).toEqual(['Rui', null]);
  expect(await find({ state: 'erased' })).toEqual([null]);
  const { rows } = await searchLeads(deps, { state: 'erased' }, { limit: 10 });
  expect(rows).toMatchObject([{ id, erasure: 'done', orders_count: 1, asked_cents: 1000 }]);
  expect(await find({ state: 'erased', campaign: 'primavera' })).toEqual([]);
  // Any number of newer ones of another merchant do not displace it.
  const others = Array.from({ length: 500 }, (_, n) => `led_z${n}` as const);
  const merchant_id = merchantIds[1] ?? 'mer_none';
  const leads = others.map((other) => ({ id: other, merchant_id, identity: other }));
  await insertRows(deps.db, 'leads', ...leads);
  await insertRows(deps.db, 'lead_erasures', ...others.map((lead_id) => ({ lead_id, merchant_id })));
  expect(await find({ state: 'erased', merchantId: merchantIds[0] })).toEqual([null]);
});

test('a filter with few matches reads a bounded part per page and finds every match', async () => {
  const { deps, merchantId: merchant_id, find } = await searched();
  const rows = Array.from({ length: 6000 }, (_, number) => {
    const [id, email] = [`led_${String(number).padStart(6, '0')}` as const, `${number}@mail.pt`];
    return { id, merchant_id, identity: `email:${email}`, email, paid_count: number === 3 ? 1 : 0 };
  });
  await insertRows(deps.db, 'leads', ...rows);
  const first = await searchLeads(deps, { state: 'paid' }, { limit: 10 });
  expect(first.rows).toEqual([]);
  expect(first.nextCursor).not.toBeNull();
  expect(await find({ state: 'paid' })).toEqual(['3@mail.pt']);
});

test('an invalid cursor is refused', async () => {
  const { deps } = await searched();
  const encoded = ['[7,"led_1"]', '["mer_1","led_1","c"]'].map((text) => btoa(text));
  for (const cursor of ['', 'nonsense', ...encoded]) {
    await expect(searchLeads(deps, {}, { limit: 1, cursor })).rejects.toThrow('load it again');
  }
});

async function csvText(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
}

test('the CSV of a search contains the listed leads, with items and tracking', async () => {
  const { deps, record, merchantIds } = await searched();
  await record(
    { name: '=SUM(A1)', email: 'a@mail.pt', phone: '+351912345678' },
    orderTexts([{ name: '=Mug', quantity: 2, priceInCents: 1250 }], { src: 'x' }),
  );
  await record({ email: 'b@mail.pt' });
  const lines = (await csvText(foundLeadsCsv(deps, { text: 'a@' }, 'en'))).split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(`${merchantIds[0]},Loja 0,led_`);
  expect(lines[1]).toContain(`'=SUM(A1),a@mail.pt,(+351) 912 345 678,`);
  expect(lines[1]).toContain(',1,10.00,0,0.00,2 × =Mug (12.50),,,,,,,x,');
  const [head, first] = (await csvText(foundLeadsCsv(deps, { text: 'a@' }, 'pt'))).split('\r\n');
  expect(head).toMatch(
    /^\ufeffComerciante;Nome do comerciante;Contacto;Nome;.*;"?Pago \(EUR\)"?;Artigos;utm_source;/,
  );
  expect(first).toMatch(/;\d{4}-\d\d-\d\d \d\d:\d\d:\d\d;1;"10,00";0;"0,00";/);
});

test('a download holds the items of few leads at a time, and contains every lead once', async () => {
  const { deps, merchantId } = await searched();
  const ids = Array.from({ length: 45 }, () => deps.ids('led'));
  const seen = { merchant_id: merchantId, items: '[]', first_seen_at: 1, last_seen_at: 1 };
  for (const id of ids) await insertRows(deps.db, 'leads', { ...seen, id, identity: id });
  const queries = vi.spyOn(deps.db.read.getExecutor(), 'executeQuery');
  onTestFinished(() => queries.mockRestore());
  const csv = await csvText(foundLeadsCsv(deps, {}, 'en'));
  expect(csv.match(/led_\w+/g)).toEqual(ids.toReversed());
  const loaded = queries.mock.settledResults.map(
    ({ value: { rows } }) => rows.filter((row: object) => 'items' in row).length,
  );
  expect(Math.max(...loaded)).toBeGreaterThan(0);
  expect(Math.max(...loaded)).toBeLessThanOrEqual(20);
});
