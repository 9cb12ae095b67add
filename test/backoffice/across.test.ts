import { afterAll, expect, test } from 'vitest';
import { lisbonDay } from '../../src/kernel/lisbon.ts';
import { addDomain } from '../../src/merchants/domains.ts';
import { startService } from '../support/harness.ts';
import { insertRows } from '../support/rows.ts';
import { shopWithOwner, signedIn } from './support.ts';

const service = await startService({ whenOver: afterAll });
const one = await service.merchant({ name: 'Livraria do Cais' });
const { merchant: two, owner } = await shopWithOwner(service, { name: 'Padaria da Praça' });
await one.pay({ orderId: 'L-1', amount: 12.5 });
await two.pay({ orderId: 'P-1', amount: 7.5 });
await two.init({ orderId: 'P-2', amount: 100 });
const operator = await signedIn(service, { role: 'operator' });

const today = () => lisbonDay(service.app.deps.clock.now());

test('an operator searches, filters and sums the payments of all merchants, or of one', async () => {
  const ask = async (name: string, input: object) =>
    (await operator.query(`transactions.${name}`, { merchantId: null, ...input })).value;
  const all = await ask('list', {});
  expect(all.rows).toMatchObject([
    { orderId: 'P-2', merchantName: 'Padaria da Praça' },
    { orderId: 'P-1', merchantName: 'Padaria da Praça' },
    { orderId: 'L-1', merchantName: 'Livraria do Cais' },
  ]);
  const paid = { state: 'paid', ofMerchant: two.merchantId };
  expect((await ask('list', paid)).rows).toMatchObject([{ orderId: 'P-1' }]);
  expect(await ask('sum', {})).toEqual({ count: 3, cents: 12_000, more: false });
  expect(await ask('sum', paid)).toEqual({ count: 1, cents: 750, more: false });
  const byDay = { by: 'paid', from: today(), to: today() };
  expect(await ask('sum', byDay)).toEqual({ count: 2, cents: 2_000, more: false });
  expect(await ask('sum', { ...byDay, method: 'REFERENCE' })).toMatchObject({ count: 0, cents: 0 });
  expect(await ask('sum', { ...byDay, ofMerchant: one.merchantId })).toMatchObject({ cents: 1_250 });
});

test('a merchant gets its own rows alone, whichever merchant or transaction the filters name', async () => {
  const { value: all } = await operator.query('transactions.list', { merchantId: null });
  const own = { merchantId: two.merchantId };
  const foreign = { ...own, ofMerchant: one.merchantId };
  for (const name of ['transactions', 'exceptions', 'refunds']) {
    const asked = [await owner.query(`${name}.list`, own), await owner.query(`${name}.list`, foreign)];
    expect(asked.map(({ status }) => status)).toEqual([200, 200]);
    expect(asked[1]?.value).toEqual(asked[0]?.value);
    const sums = [await owner.query(`${name}.sum`, own), await owner.query(`${name}.sum`, foreign)];
    expect(sums[1]?.value).toEqual(sums[0]?.value);
  }
  const ids = all.rows.map((row: { transactionId: string }) => row.transactionId);
  const current = async (who: typeof owner, input: object) =>
    (await who.query('transactions.current', { ids, ...input })).value?.map(
      (row: { orderId: string }) => row.orderId,
    );
  expect(await current(owner, own)).toEqual(['P-2', 'P-1']);
  expect(await current(operator, { merchantId: null })).toEqual(['P-2', 'P-1', 'L-1']);
  expect((await owner.query('transactions.current', { ...own, ids: ["tx_'"] })).status).toBe(400);
});

test('the download across merchants names the merchant of each row, and has the filters of the list', async () => {
  const response = await operator.get('/export/transactions.csv?state=paid&language=en');
  expect(response.headers.get('content-disposition')).toContain(`"transactions-${today()}.csv"`);
  const [head, ...lines] = (await response.text()).trim().split('\r\n');
  expect(head).toMatch(
    /Merchant,Merchant name,Transaction,Order,Status,Method,Amount \(EUR\),Created \(Lisbon\),Paid \(Lisbon\),Customer,Email,Phone,Entity,Reference,Needs attention,Payment link$/,
  );
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^${two.merchantId},Padaria da Praça,tx_\\w+,P-1,Paid`)),
    expect.stringMatching(new RegExp(`^${one.merchantId},Livraria do Cais,tx_\\w+,L-1,Paid`)),
  ]);
  const ofOne = await operator.get(`/export/transactions.csv?ofMerchant=${one.merchantId}`);
  expect((await ofOne.text()).trim().split('\r\n')).toHaveLength(2);
});

test('an owner downloads the audit log of the own merchant, without who acted for the platform', async () => {
  const merchantId = two.merchantId;
  await addDomain(service.app.deps, merchantId, 'praca.pt');
  const { value } = await owner.query('audit.count', { merchantId, action: 'domain.added' });
  expect(value).toEqual({ count: 1, more: false });
  const response = await owner.get(`/export/audit.csv?merchantId=${merchantId}&language=en`);
  expect(response.headers.get('content-disposition')).toContain(`"audit-padaria-da-praca-${today()}.csv"`);
  const text = await response.text();
  expect(text).toContain('Domain added,praca.pt');
  expect(text).not.toContain(one.merchantId);
});

test('an operator gets the campaigns of the leads of one merchant, or of all', async () => {
  for (const [shop, ...names] of [
    [one, 'verao', 'natal', 'natal'],
    [two, 'pascoa'],
  ] as const)
    for (const [i, utm_campaign] of names.entries())
      await shop.init({
        customer: { email: `${utm_campaign}${i}@mail.pt` },
        trackingParameters: { utm_campaign },
      });
  const campaigns = async (input: object) => (await operator.query('leads.campaigns', input)).value;
  expect(await campaigns({ merchantId: one.merchantId })).toEqual(['natal', 'verao']);
  expect(await campaigns({})).toEqual(['natal', 'pascoa', 'verao']);
});

test('a campaign that is cut after a space finds its leads', async () => {
  const utm_campaign = `${'x'.repeat(99)} 2026`;
  await two.init({ customer: { email: 'cut@mail.pt' }, trackingParameters: { utm_campaign } });
  const { value: listed } = await operator.query('leads.campaigns', { merchantId: two.merchantId });
  const campaign = listed.find((name: string) => utm_campaign.startsWith(name));
  const { value } = await operator.query('leads.list', { campaign });
  expect(value.rows).toMatchObject([{ email: 'cut@mail.pt' }]);
});

test('each list is counted with its filters', async () => {
  const count = async (name: string, input: object) => (await operator.query(name, input)).value;
  expect(await count('merchants.count', {})).toEqual({ count: 2, more: false });
  expect(await count('merchants.count', { text: 'praca' })).toEqual({ count: 1, more: false });
  expect(await count('users.count', {})).toEqual({ count: 2, more: false });
  expect(await count('users.count', { email: 'nobody' })).toEqual({ count: 0, more: false });
  const leads = (await operator.query('leads.list', {})).value.rows.length;
  expect(await count('leads.count', {})).toEqual({ count: leads, more: false });
  expect(await count('leads.count', { merchantId: 'mer_none' })).toEqual({ count: 0, more: false });
  const ofTwo = { merchantId: null, ofMerchant: two.merchantId };
  const entries = (await operator.query('audit.list', ofTwo)).value.rows.length;
  expect(await count('audit.count', ofTwo)).toEqual({ count: entries, more: false });
});

test('a count stops at 1,000', async () => {
  const { db, clock, ids } = service.app.deps;
  const entry = () => ({ id: ids('aud'), at: clock.now(), action: 'user.changed' }) as const;
  await insertRows(db, 'audit_log', ...Array.from({ length: 1100 }, entry));
  const { value } = await operator.query('audit.count', { merchantId: null });
  expect(value).toEqual({ count: 1000, more: true });
});
