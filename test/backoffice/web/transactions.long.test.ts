import { expect, test } from 'vitest';
import { ORDER, type TestMerchant } from '../../support/harness.ts';
import { updateRows } from '../../support/rows.ts';
import { openSales, soon } from './sales-kit.ts';
import { axe, downloaded, expectSoundInWidths, pictures, shoot, tableOverflows } from './support.ts';

const { office, pageOf } = await openSales();

test('a payment is followed live from its beginning to paid, and never moves what is read further down', async () => {
  const merchant = await office.service.merchant();
  await Promise.all(Array.from({ length: 30 }, (_, n) => merchant.init({ orderId: `OLD-${n}` })));
  const page = await pageOf({ merchant, path: '/transactions', role: 'viewer' });
  const row = (order: string) => page.getByRole('row').filter({ hasText: order });
  await row('OLD-3').first().waitFor();
  const id = await merchant.push('912345678', { orderId: 'LIVE-1', amount: 42 });
  await soon(page);
  await row('LIVE-1').getByText('Pending').waitFor();
  await row('LIVE-1').getByText('912 345 678').waitFor();
  await office.service.control('/mbway', { phoneNumber: '912345678', outcome: 'accept' });
  await merchant.reaches(id, 'paid');
  await soon(page);
  await row('LIVE-1').getByText('Paid').waitFor();

  await page.mouse.move(600, 500);
  await page.mouse.wheel(0, 700);
  await expect.poll(() => page.evaluate('window.scrollY')).toBeGreaterThan(300);
  const before = await row('OLD-0').boundingBox();
  await merchant.init({ orderId: 'LIVE-2' });
  const newer = page.getByRole('button', { name: '1 new transaction' });
  await soon(page);
  await newer.waitFor();
  expect(await row('LIVE-2').count()).toBe(0);
  const moved = Math.abs(((await row('OLD-0').boundingBox())?.y ?? 0) - (before?.y ?? 0));
  expect(moved).toBeLessThan(1);
  await newer.click();
  await row('LIVE-2').waitFor();
  await row('LIVE-1').getByRole('link').click();
  await page.waitForURL(`**/transactions/${id}`);
});

test('an open list keeps what it showed of a payment and updates the older ones below its first page', async () => {
  const merchant = await office.service.merchant();
  const oldest = await merchant.push('912345671', { orderId: 'OLDEST' });
  for (let n = 0; n < 55; n++) await merchant.init({ orderId: `OLD-${n}-` });
  const page = await pageOf({ merchant, path: '/transactions' });
  const row = (order: string) => page.getByRole('row').filter({ hasText: order });
  const accept = async (id: string, phoneNumber: string) => {
    await office.service.control('/mbway', { phoneNumber, outcome: 'accept' });
    await merchant.reaches(id, 'paid');
    await soon(page);
  };
  await page.getByRole('button', { name: 'Show more' }).click();
  await row('OLDEST').getByText('Pending').waitFor();
  await accept(oldest, '912345671');
  await row('OLDEST').getByText('Paid').waitFor();

  await page.evaluate('scrollTo(0, 0)');
  const live = await merchant.push('912345672', { orderId: 'LIVE' });
  await soon(page);
  await row('LIVE').getByText('Pending').waitFor();
  await accept(live, '912345672');
  await row('LIVE').getByText('Paid').waitFor();
  for (const part of ['A', 'B']) {
    for (let n = 0; n < 30; n++) await merchant.init({ orderId: `NEW-${part}${n}-` });
    await soon(page);
    await row(`NEW-${part}29-`).waitFor();
  }
  await row('LIVE').getByText('Paid').waitFor({ timeout: 5_000 });
});

test('an open list that cannot be updated says so until it can', async () => {
  const merchant = await office.service.merchant();
  await merchant.init({ orderId: 'SHOWN' });
  for (let n = 0; n < 55; n++) await merchant.init();
  const page = await pageOf({ merchant, path: '/transactions' });
  const row = page.getByRole('row').filter({ hasText: 'SHOWN' });
  await page.getByRole('button', { name: 'Show more' }).click();
  await row.waitFor();
  const stale = page.getByRole('alert').filter({ hasText: 'what you see may be out of date' });
  const data = { code: 'INTERNAL_ERROR', reason: null, values: {}, fields: [], httpStatus: 500 };
  const error = { message: 'An internal error occurred.', code: -32603, data };
  // The second updates the rows below the first page.
  for (const url of ['**/transactions.list**', '**/transactions.current**']) {
    await page.route(url, (route) => route.fulfill({ status: 500, json: { error } }));
    await soon(page);
    await stale.waitFor();
    await row.waitFor();
    await page.unroute(url);
    await soon(page);
    await stale.waitFor({ state: 'hidden' });
  }
});

test('Back returns to the filters and the place in the list that a page was opened from', async () => {
  const merchant = await office.service.merchant();
  for (let n = 0; n < 70; n++) await merchant.init({ orderId: `ROW-${n}-` });
  await merchant.push('911000001', { orderId: 'PAID' });
  const page = await pageOf({ merchant, path: '/transactions' });
  await page.getByLabel('Status').selectOption('pending');
  await page.getByRole('button', { name: 'Show more' }).click();
  const row = page.getByRole('link', { name: 'ROW-10-' });
  await row.scrollIntoViewIfNeeded();
  const before = await page.evaluate('window.scrollY');
  expect(before).toBeGreaterThan(1000);
  await row.click();
  await page.getByRole('heading', { name: 'Order ROW-10-' }).waitFor();
  expect(await page.evaluate('window.scrollY')).toBe(0);
  // The rows come from memory, and the answers that arrive after them move nothing.
  const { promise: shown, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/trpc/transactions.**', (route) => shown.then(() => route.continue()));
  await page.goBack();
  expect(page.url()).toMatch(/\/transactions\?state=pending$/);
  await row.waitFor();
  await expect.poll(() => page.evaluate('window.scrollY')).toBe(before);
  const answered = page.waitForResponse('**/trpc/transactions.list**');
  answer();
  await (await answered).finished();
  await page.unroute('**/trpc/transactions.**');
  await row.waitFor();
  expect(await page.evaluate('window.scrollY')).toBe(before);
  expect(page.url()).toMatch(/\/transactions\?state=pending$/);
  await page.goForward();
  await page.getByRole('heading', { name: 'Order ROW-10-' }).waitFor();
  const navigation = page.getByRole('navigation').first();
  expect(await navigation.isVisible()).toBe(true);
  await page.emulateMedia({ media: 'print' });
  expect(await navigation.isVisible()).toBe(false);
});

test('a total that could not be loaded is reported above its list until it can be', async () => {
  const merchant = await office.service.merchant();
  await merchant.init({ orderId: 'ONE-1' });
  const page = await pageOf({ merchant, path: '/methods', language: 'pt' });
  await page.route(/trpc\/(transactions|refunds).sum/, (route) => route.fulfill({ status: 500 }));
  const missing = page.getByRole('status').filter({ hasText: 'Não foi possível carregar o total.' });
  await page.getByRole('link', { name: 'Transações' }).click();
  await page.getByText('ONE-1').waitFor();
  await missing.waitFor();
  await expectSoundInWidths(page, 'total-failed-pt');
  await page.getByRole('link', { name: 'Reembolsos' }).click();
  await missing.waitFor();
  await page.unrouteAll();
  await page.clock.fastForward(15_000);
  await missing.waitFor({ state: 'detached' });
});

test('a day in the address that does not exist does not filter', async () => {
  const merchant = await office.service.merchant();
  await merchant.init({ orderId: 'SHOWN' });
  const page = await pageOf({ merchant, path: '/transactions?from=2026-02-31', language: 'pt' });
  await page.getByRole('row').filter({ hasText: 'SHOWN' }).waitFor();
  await page.goto(`/m/${merchant.merchantId}/settlement?from=2026-02-31&to=2026-02-99`);
  await page.getByText('Sem movimentos neste período').waitFor();
});

test('a search that the user continues and that fails says why', async () => {
  const merchant = await office.service.merchant();
  const page = await pageOf({ merchant });
  const data = { code: 'TOO_MANY_REQUESTS', reason: null, values: {}, fields: [], httpStatus: 429 };
  const error = { message: 'Wait.', code: -32029, data };
  const part = { rows: [], nextCursor: 'tx_1', searchedTo: Date.UTC(2026, 0, 15) };
  await page.route('**/trpc/transactions.list**', (route) =>
    route.request().url().includes('tx_1')
      ? route.fulfill({ status: 429, json: { error } })
      : route.fulfill({ json: { result: { data: part } } }),
  );
  await page.goto(`/m/${merchant.merchantId}/transactions?search=ana`);
  await page.getByRole('button', { name: 'Search further back' }).click();
  await page.getByRole('alert').getByText('Too many attempts.').waitFor();
});

test('an empty search and the merchant of another page in the address do not filter', async () => {
  const merchant = await office.service.merchant();
  const page = await pageOf({ merchant, path: '/transactions?search=&merchant=mer_other' });
  await page.getByText('No transactions yet').waitFor();
  expect(await page.getByRole('button', { name: 'Clear all' }).count()).toBe(0);
  const id = await merchant.push('912345678', { orderId: 'LIVE' });
  await soon(page);
  const row = page.getByRole('row').filter({ hasText: 'LIVE' });
  await row.getByText('Pending').waitFor();
  await office.service.control('/mbway', { phoneNumber: '912345678', outcome: 'accept' });
  await merchant.reaches(id, 'paid');
  await soon(page);
  await row.getByText('Paid').waitFor();
});

test('the search box keeps the focus when it is cleared, and the export follows it and counts no line feeds in names', async () => {
  const merchant = await office.service.merchant();
  await merchant.init({ customer: { ...ORDER.customer, name: 'Ana\nSilva' } });
  const page = await pageOf({ merchant, path: '/transactions' });
  await page.getByRole('searchbox').fill('nothing');
  await page.waitForURL(/search=nothing/);
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.keyboard.type('ORDER');
  // Before the pause after which the list follows.
  expect(await page.getByRole('searchbox').inputValue()).toBe('ORDER');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await page.getByText('1 row exported.', { exact: true }).waitFor();
});

/** A shop with two payments of today, one of known fee. */
async function shopWithPayments(): Promise<{ merchant: TestMerchant; id: string }> {
  const merchant = await office.service.merchant();
  const id = await merchant.pay({ amount: 1239.56 });
  await merchant.pay({ amount: 10 });
  const { db } = office.service.app.deps;
  const { merchantId: merchant_id } = merchant;
  const known = { fee_cents: 873, net_cents: 123083, value_date: '2026-01-15' };
  await updateRows(db, 'receipts', known, { merchant_id, amount_cents: 123956 });
  // The bank's list has another amount, so the fee is unknown.
  const unknown = { amount_cents: 999, fee_cents: null, net_cents: null, value_date: '2026-01-15' };
  await updateRows(db, 'receipts', unknown, { merchant_id, amount_cents: 1000 });
  return { merchant, id };
}

test('the settlement adds up a period and offers its CSV', async () => {
  const { merchant, id } = await shopWithPayments();
  const page = await pageOf({ merchant, path: '/settlement', role: 'viewer', language: 'pt' });
  const total = page.getByRole('region', { name: 'Total do período' });
  await total.getByText('1\u00a0249,55\u00a0€').waitFor();
  await total.getByText('1\u00a0230,83\u00a0€').waitFor();
  await total.getByText('A comissão de 1 pagamento').waitFor();
  await total.getByText('filtre-o pela data de liquidação').waitFor();
  const days = page.getByRole('table', { name: 'Liquidação por dia' });
  await days.getByText('15\u00a0jan\u00a02026').waitFor();
  expect(await days.getByText('1 pagamento não incluído').count()).toBe(2);
  expect(await axe(page)).toEqual([]);
  await pictures(page, 'settlement-pt');

  const merchantName = page.locator('header').getByText('Test Shop', { exact: true });
  expect(await merchantName.isVisible()).toBe(false);
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.emulateMedia({ media: 'print' });
  await days.waitFor();
  await merchantName.waitFor();
  expect(await page.getByRole('search').isVisible()).toBe(false);
  // The window changes its width a moment after the call.
  await expect.poll(() => tableOverflows(page)).toBe(false);
  await shoot(page, 'settlement-print-pt');
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width: 1280, height: 900 });

  const file = await downloaded(page.getByRole('link', { name: 'Exportar CSV' }));
  expect(file.suggestedFilename()).toMatch(/^liquidacao-.*\.csv$/);
  await page.getByLabel('Período', { exact: true }).selectOption('lastMonth');
  await page.getByText('Sem movimentos neste período').waitFor();
  await page.getByLabel('Período', { exact: true }).selectOption('chosen');
  await page.getByLabel('De', { exact: true }).fill('2030-01-01');
  await page.getByText('Escolha um dia igual').waitFor();
  expect(await axe(page)).toEqual([]);

  await page.goto(`/m/${merchant.merchantId}/transactions/${id}`);
  const receipts = page.getByRole('region', { name: 'Pagamentos recebidos' });
  await receipts.getByText('8,73\u00a0€').waitFor();
  await receipts.getByText('1\u00a0230,83\u00a0€').waitFor();
  await pictures(page, 'receipt-fees-pt');

  await page.getByRole('button', { name: 'English' }).click();
  await page.getByRole('region', { name: 'Payments received' }).getByText('€1,230.83').waitFor();
  await page.goto(`/m/${merchant.merchantId}/settlement`);
  const inEnglish = page.getByRole('region', { name: 'Total of the period' });
  await inEnglish.getByText('€1,249.55').waitFor();
  await inEnglish.getByText('The fee of 1 payment').waitFor();
  await inEnglish.getByText('filter it by payout date').waitFor();
  const byDay = page.getByRole('table', { name: 'Settlement by day' });
  await byDay.getByText('15\u00a0Jan\u00a02026').waitFor();
  expect(await byDay.getByText('1 payment not included').count()).toBe(2);
  const export_ = await downloaded(page.getByRole('link', { name: 'Export CSV' }));
  expect(export_.suggestedFilename()).toMatch(/^settlement-.*\.csv$/);
});

test('the fee of a payment whose net is not reported counts in the settlement, and only its net is left out', async () => {
  const { merchant } = await shopWithPayments();
  const ofSecond = { merchant_id: merchant.merchantId, amount_cents: 999 };
  await updateRows(office.service.app.deps.db, 'receipts', { fee_cents: 20 }, ofSecond);
  const page = await pageOf({ merchant, path: '/settlement', role: 'viewer' });
  const total = page.getByRole('region', { name: 'Total of the period' });
  await total.getByText('€8.93').waitFor();
  await total.getByText('does not report the net amount of 1 payment').waitFor();
  expect(await total.getByText('not known yet').count()).toBe(0);
  const byDay = page.getByRole('table', { name: 'Settlement by day' });
  await byDay.getByText('€8.93', { exact: true }).waitFor();
  expect(await byDay.getByText('1 payment not included').count()).toBe(1);
});
