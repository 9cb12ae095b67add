import { expect, test } from 'vitest';
import { ORDER } from '../../support/harness.ts';
import { openSales, pay, soon } from './sales-kit.ts';

const { office, pageOf } = await openSales();

test('a payment is followed live from its beginning to paid, and never moves what is read further down', async () => {
  const merchant = await office.service.merchant();
  await Promise.all(Array.from({ length: 30 }, (_, n) => merchant.init({ orderId: `OLD-${n}` })));
  const page = await pageOf({ merchant, path: '/transactions', role: 'viewer' });
  const row = (order: string) => page.getByRole('row').filter({ hasText: order });
  await row('OLD-3').first().waitFor();
  const id = await pay(merchant, { orderId: 'LIVE-1', amount: 42 }, '912345678');
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

test('the search box keeps the focus when its text is cleared', async () => {
  const merchant = await office.service.merchant();
  const page = await pageOf({ merchant, path: '/transactions' });
  await page.getByRole('searchbox').fill('nothing');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.keyboard.type('LIVE');
  expect(await page.getByRole('searchbox').inputValue()).toBe('LIVE');
});

test('an open list keeps what it showed of a payment and updates the older ones below its first page', async () => {
  const merchant = await office.service.merchant();
  const oldest = await pay(merchant, { orderId: 'OLDEST' }, '912345671');
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
  const live = await pay(merchant, { orderId: 'LIVE' }, '912345672');
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

test('a day in the address that does not exist does not filter', async () => {
  const merchant = await office.service.merchant();
  await merchant.init({ orderId: 'SHOWN' });
  const page = await pageOf({ merchant, path: '/transactions?from=2026-02-31', language: 'pt' });
  await page.getByRole('row').filter({ hasText: 'SHOWN' }).waitFor();
  await page.goto(`/m/${merchant.merchantId}/settlement?from=2026-02-31&to=2026-02-99`);
  await page.getByText('Sem movimentos neste período').waitFor();
});

test('an empty search and the merchant of another page in the address do not filter', async () => {
  const merchant = await office.service.merchant();
  const page = await pageOf({ merchant, path: '/transactions?search=&merchant=mer_other' });
  await page.getByText('No transactions yet').waitFor();
  expect(await page.getByRole('button', { name: 'Clear all' }).count()).toBe(0);
  const id = await pay(merchant, { orderId: 'LIVE' }, '912345678');
  await soon(page);
  const row = page.getByRole('row').filter({ hasText: 'LIVE' });
  await row.getByText('Pending').waitFor();
  await office.service.control('/mbway', { phoneNumber: '912345678', outcome: 'accept' });
  await merchant.reaches(id, 'paid');
  await soon(page);
  await row.getByText('Paid').waitFor();
});

test('the export counts transactions, not the line feeds in the names of their customers', async () => {
  const merchant = await office.service.merchant();
  await merchant.init({ customer: { ...ORDER.customer, name: 'Ana\nSilva' } });
  const page = await pageOf({ merchant, path: '/transactions' });
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await page.getByText('1 row exported.', { exact: true }).waitFor();
});
