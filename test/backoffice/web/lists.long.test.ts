import type { Locator } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../../src/kernel/ids.ts';
import { lisbonDay } from '../../../src/kernel/lisbon.ts';
import { addDomain } from '../../../src/merchants/domains.ts';
import { insertRows, selectRows } from '../../support/rows.ts';
import { openSales } from './sales-kit.ts';
import { downloaded, expectSound, shoot, tableOverflows } from './support.ts';

const { office, pageOf } = await openSales();
const shop = await office.service.merchant({ name: 'Livraria do Cais' });
const bakery = await office.service.merchant({ name: 'Padaria da Praça' });
await shop.pay({ orderId: 'L-1', amount: 12.5 });
await bakery.init({ orderId: 'P-1', amount: 7.5, customer: { name: 'Eva', email: 'eva@mail.pt' } });

const operator = { role: 'operator' } as const;

test('the operator finds a payment of any merchant, with filters in the address, and opens it', async () => {
  const page = await office.signIn({ ...operator, at: '/operator/merchants' });
  await page.getByRole('link', { name: 'Transactions' }).click();
  const orders = async () =>
    (await page.getByRole('row').allInnerTexts()).flatMap((text) => /[LP]-\d/.exec(text)?.[0] ?? []);
  await expect.poll(orders).toEqual(['P-1', 'L-1']);
  await page.getByText('2 transactions · €20.00').waitFor();
  await page.getByRole('cell', { name: 'Padaria da Praça' }).waitFor();
  await page.getByRole('searchbox', { name: 'Search' }).fill('eva@');
  await expect.poll(orders).toEqual(['P-1']);
  await page.getByText('1 transaction · €7.50').waitFor();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.getByRole('combobox', { name: 'Merchant', exact: true }).fill('cais');
  await page.getByRole('option', { name: 'Livraria do Cais' }).click();
  await expect.poll(orders).toEqual(['L-1']);
  expect(await page.locator(':focus').inputValue()).toBe('Livraria do Cais');
  expect(new URL(page.url()).searchParams.get('merchant')).toBe(shop.merchantId);
  await page.reload();
  await expect.poll(orders).toEqual(['L-1']);
  const download = await downloaded(page.getByRole('button', { name: 'Export CSV' }));
  expect(download.suggestedFilename()).toMatch(/^transactions-\d{4}-\d\d-\d\d\.csv$/);
  await page.getByText('1 row exported.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  const today = lisbonDay(office.service.app.deps.clock.now());
  await page.goto(`/operator/transactions?state=paid&by=paid&from=${today}&to=${today}`);
  await page.getByText('1 paid sale: €12.50').waitFor();
  await page.getByRole('link', { name: 'L-1' }).click();
  await page.waitForURL('**/operator/transactions/tx_*');
  await page.getByRole('heading', { name: 'Order L-1' }).waitFor();
  await page.getByRole('link', { name: 'All transactions' }).click();
  await page.waitForURL('**/operator/transactions');
});

test.for([
  ['transactions', 'transactions.sum', 'eva@'],
  ['merchants', 'merchants.count', 'Padaria'],
  ['people', 'users.count', 'person'],
  ['leads', 'leads.count', 'eva@'],
] as const)(
  'the sum of the previous filters does not stand over the new rows of %s',
  async ([path, procedure, text]) => {
    const page = await office.signIn({ ...operator, at: `/operator/${path}` });
    const sum = page.getByRole('status').filter({ hasText: /\d/ });
    await sum.waitFor();
    const height = async (bar: Locator) => (await bar.boundingBox())?.height;
    const full = await height(sum);
    const gate = Promise.withResolvers<void>();
    await page.route(`**/trpc/${procedure}*`, (route) => gate.promise.then(() => route.continue()));
    await page.getByRole('searchbox').fill(text);
    await sum.waitFor({ state: 'detached' });
    const blank = page.locator('main').getByRole('status').first();
    expect(await height(blank)).toBe(full);
    gate.resolve();
    await sum.waitFor();
  },
);

test('a drawer that is closed by a double click stays on its page', async () => {
  const page = await office.signIn({ ...operator, at: '/operator/people' });
  await page.getByRole('link', { name: 'Merchants' }).click();
  await page.getByRole('button', { name: 'Padaria da Praça' }).click();
  const drawer = page.getByRole('dialog', { name: 'Padaria da Praça' });
  await drawer.getByText(bakery.merchantId).waitFor();
  await drawer.getByRole('button', { name: 'Close', exact: true }).dblclick();
  await drawer.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/backoffice/operator/merchants');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
});

test('on a phone the cards of a list do not overlap', async () => {
  const page = await office.signIn({ ...operator, phone: true, at: '/operator/transactions' });
  const cards = page.getByRole('table', { name: 'Transactions, newest first' }).locator('tbody tr');
  await expect.poll(() => cards.count()).toBe(2);
  const [first, second] = await Promise.all([cards.nth(0).boundingBox(), cards.nth(1).boundingBox()]);
  expect(second?.y).toBeGreaterThan((first?.y ?? 0) + (first?.height ?? 0));
  await page.getByRole('button', { name: 'Filters' }).click();
  await expectSound(page, 'transactions-filters-en-390');
});

test('an operator who is also a team member sees all merchants on the operator’s pages', async () => {
  const email = 'equipa@plataforma.pt';
  await office.person({ email, role: 'operator' });
  const page = await office.signIn({ email, role: 'owner', merchantId: bakery.merchantId });
  for (const path of ['transactions', 'exceptions', 'audit']) {
    await page.goto(`/operator/${path}`);
    await page.getByRole('combobox', { name: 'Merchant', exact: true }).waitFor();
  }
});

test('an owner reads the audit log of the own merchant; a viewer has no link to it', async () => {
  await addDomain(office.service.app.deps, bakery.merchantId, 'praca.pt');
  const page = await pageOf({ merchant: bakery, role: 'owner' });
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.waitForURL(`**/m/${bakery.merchantId}/audit`);
  await page.getByRole('row').filter({ hasText: 'praca.pt' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Merchant' }).count()).toBe(0);
  await page.getByRole('combobox', { name: 'What' }).click();
  const ofPlatform = /^(Bank account changed|Refunds exported|Refund reported|Service secret key)/;
  expect(await page.getByRole('option', { name: ofPlatform }).allTextContents()).toEqual([]);
  await page.getByRole('option', { name: 'Domain added' }).click();
  await page.getByText('1 entry', { exact: true }).waitFor();
  const download = await downloaded(page.getByRole('link', { name: 'Export CSV' }));
  expect(download.suggestedFilename()).toMatch(/^audit-padaria-da-praca-/);
  const noId = 'x'.repeat(101);
  await page.goto(`/m/${bakery.merchantId}/audit?merchant=${noId}&user=${noId}`);
  await page.getByRole('row').filter({ hasText: 'praca.pt' }).waitFor();
  const viewer = await pageOf({ merchant: bakery, role: 'viewer' });
  await viewer.getByRole('link', { name: 'Transactions' }).waitFor();
  expect(await viewer.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
});

test('a search typed on the page of merchants applies when its field is left', async () => {
  const page = await office.signIn({ ...operator, clock: true, at: '/operator/merchants' });
  await page.getByText('Padaria da Praça').waitFor();
  onTestFinished(() => page.clock.resume());
  // The pause after which it applies otherwise never ends.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.getByRole('searchbox', { name: 'Search' }).fill('cais');
  expect(page.url()).not.toContain('search=');
  await page.keyboard.press('Tab');
  await page.waitForURL(/search=cais/);
});

test('a download after the session has ended offers the sign-in page', async () => {
  const page = await pageOf({ merchant: bakery, role: 'owner', path: '/audit' });
  const download = page.getByRole('link', { name: 'Export CSV' });
  await download.waitFor();
  await page.context().clearCookies();
  await download.click();
  await page.getByRole('button', { name: 'Go to the sign-in page' }).waitFor();
});

test('a day is typed and chosen in the language of the page, whatever the browser’s', async () => {
  const page = await pageOf({ merchant: shop, path: '/audit', language: 'pt', phone: true });
  const field = page.getByLabel('Desde');
  await field.click();
  await page.getByRole('button', { name: 'Mês anterior' }).waitFor();
  await expectSound(page, 'day-field-pt');
  await field.fill('31/12/2025');
  await expect.poll(() => new URL(page.url()).searchParams.get('since')).toBe('2025-12-31');
  await page.getByText('dezembro 2025').waitFor();
  await page.getByRole('button', { name: '24 dez 2025' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('since')).toBe('2025-12-24');
  expect(await field.inputValue()).toBe('24/12/2025');
  await field.fill('31/02/2026');
  await field.blur();
  expect(await field.inputValue()).toBe('24/12/2025');
  await page.getByRole('button', { name: 'Limpar', exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('since')).toBe(null);
});

test('the buttons that the library makes are named in the language of the page', async () => {
  const page = await office.open('/backoffice/sign-in', { language: 'pt' });
  await page.getByRole('button', { name: 'Mostrar ou ocultar a palavra-passe' }).waitFor();
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByRole('button', { name: 'Show or hide the password' }).waitFor();
});

const LOADED = 300;

test('a list of 300 rows keeps at most 200 in the page, and goes back to earlier ones without a jump', async () => {
  const { db, clock, ids } = office.service.app.deps;
  // Ids of one millisecond have no order.
  const sorted = Array.from({ length: LOADED }, () => ids('aud')).sort();
  const entry = { at: clock.now(), merchant_id: shop.merchantId, action: 'domain.added' } as const;
  const entries = sorted.map((id, n) => ({ ...entry, id, target: `row-${LOADED - n}.pt` }));
  await insertRows(db, 'audit_log', ...entries);
  const page = await pageOf({ merchant: shop, path: '/audit' });
  const row = (n: number) =>
    page.getByRole('row').filter({ has: page.getByText(`row-${n}.pt`, { exact: true }) });
  const rows = () => page.getByRole('table').locator('tbody tr').count();
  for (let loaded = 50; loaded < LOADED; loaded += 50) {
    await expect.poll(rows).toBe(Math.min(loaded, 200));
    await row(loaded - 5).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
  }
  await row(LOADED - 5).waitFor();
  expect(await rows()).toBe(200);
  // A wbr would break a row of the log into several lines.
  expect(await page.evaluate('getComputedStyle(document.querySelector("td wbr")).display')).toBe('none');
  expect(await row(95).count()).toBe(0);
  const earlier = page.getByRole('button', { name: 'Show previous rows' });
  await earlier.scrollIntoViewIfNeeded();
  await page.evaluate('window.scrollBy(0, 60)');
  const top = async () => Math.round((await row(110).boundingBox())?.y ?? 0);
  const before = await top();
  await earlier.dispatchEvent('click');
  await row(60).waitFor({ state: 'attached' });
  expect(await rows()).toBe(200);
  expect(Math.abs((await top()) - before)).toBeLessThan(3);
  await row(60).scrollIntoViewIfNeeded();
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  await page.goBack();
  await row(60).waitFor();
  expect(await row(40).count()).toBe(0);
  await earlier.click();
  await row(1).waitFor();
  expect(await earlier.count()).toBe(0);
});

test('rows that could not be added do not mark those above them as out of date', async () => {
  const page = await pageOf({ merchant: shop, path: '/audit' });
  const rows = page.getByRole('table').locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(50);
  const data = { code: 'TOO_MANY_REQUESTS', reason: null, values: {}, fields: [], httpStatus: 429 };
  const error = { message: 'Wait.', code: -32029, data };
  await page.route('**/audit.list**', (route) => route.fulfill({ status: 429, json: { error } }));
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('alert').filter({ hasText: 'Too many attempts.' }).waitFor();
  expect(await page.getByText('what you see may be out of date').count()).toBe(0);
  expect(await rows.count()).toBe(50);
});

test('rows that arrive after their page was left change no other page', async () => {
  const page = await pageOf({ merchant: shop, path: '/audit' });
  const more = page.getByRole('button', { name: 'Show more' });
  for (const count of [50, 100, 150, 200]) {
    await expect.poll(() => page.getByRole('table').locator('tbody tr').count()).toBe(count);
    if (count < 200) await more.click();
  }
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  await page.route('**/audit.list**', (route) => left.then(() => route.continue()));
  const arrived = page.waitForResponse('**/audit.list**');
  await more.click();
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  leave();
  await (await arrived).finished();
  await page.unroute('**/audit.list**');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  expect(await page.evaluate('history.state?.firstRow')).toBeUndefined();
});

// Adds merchants, so it comes after the tests that count them.
test('the last column of a table is visible', async () => {
  const merchant = await office.service.merchant({ name: 'Sapataria de Almada' });
  const customer = { name: 'Maria da Conceição Albuquerque', email: 'conceicao.albuquerque@correio.example' };
  const transactionId = await merchant.init({ orderId: 'SA/212999', amount: 12_345.67, customer });
  await merchant.post('/payments/multibanco', { transactionId });
  const { merchantId } = merchant;
  await office.person({ email: 'gerencia.da.loja@sapatariaalmada.example', merchantId, role: 'owner' });
  const page = await office.signIn({ ...operator, language: 'pt' });
  for (const path of ['operator/transactions', 'operator/people', `m/${merchantId}/team`]) {
    await page.goto(`/${path}`);
    await page.getByRole('button', { name: 'Português' }).click();
    await page.getByRole('row').nth(1).waitFor();
    for (const width of [1280, 1093]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => page.evaluate('innerWidth')).toBe(width);
      await shoot(page, `table-${path.replace(/m\/\w+/, 'own').replace('/', '-')}-pt-${width}`);
      expect(await tableOverflows(page), `${path}, ${width}`).toBe(false);
    }
    await page.getByRole('button', { name: 'English' }).click();
    await page.locator('html[lang^="en"]').waitFor({ state: 'attached' });
    expect(await tableOverflows(page), `${path} in English`).toBe(false);
  }
  const email = page.getByRole('cell').first();
  expect((await email.boundingBox())?.width).toBeGreaterThan(160);
});

test('more cases than are counted are shown as at least that many everywhere', async () => {
  const { db, ids } = office.service.app.deps;
  const { merchantId } = await office.service.merchant({ name: 'Loja Grande' });
  const [account] = await selectRows(db, 'bank_accounts');
  const order = { id: ids('tx'), merchant_id: merchantId as Id<'mer'>, created_at: 1, paid_at: 1 };
  await insertRows(db, 'transactions', order);
  const of = { merchant_id: order.merchant_id, transaction_id: order.id, account_id: account?.id ?? 'acc_' };
  const cases = Array.from({ length: 1001 }, () => ids('rcp')).map((id) => ({ id, identity: id, ...of }));
  await insertRows(db, 'receipts', ...cases.map((row) => ({ ...row, duplicate: 1 })));
  const page = await office.signIn({ ...operator, at: `/m/${merchantId}/exceptions` });
  await page.getByText('At least 1,000 cases').waitFor();
  await page.getByText('Open (1,000+)').waitFor();
  await page.getByTitle('1,000+ to resolve').first().waitFor();
});
