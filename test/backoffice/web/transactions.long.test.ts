import { expect, test } from 'vitest';
import { ORDER } from '../../support/harness.ts';
import { until } from '../../support/until.ts';
import { openSales, pay, soon } from './sales-kit.ts';
import { shoot } from './support.ts';

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
  expect(page.troubles()).toEqual([]);
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
  expect(page.troubles()).toEqual([]);
});

/** What overflows: the page, or a table that must be scrolled to reach its last column. */
const CUT = `[document.documentElement, ...document.querySelectorAll('main *, [role=dialog] *')]
  .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0)
  .filter((node) => node === document.documentElement || ['auto', 'scroll'].includes(getComputedStyle(node).overflowX))
  .filter((node) => !node.matches('pre, textarea, [role=tablist]'))
  .map((node) => node.outerHTML.slice(0, 200))`;

/** Amounts of the page that are hidden, beyond the edge or on two lines. */
const BROKEN_AMOUNTS = `[...document.querySelectorAll('main *')]
  .filter((node) => node.children.length === 0 && /^(€99,999\\.99|99[\\s.]999,99\\s€)$/.test(node.textContent.trim()))
  .filter((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()];
    return lines.length !== 1 || lines[0].left < 0 || lines[0].right > innerWidth;
  })
  .map((node) => node.outerHTML)`;

test('at every width the amount is seen, and an order number of 255 characters breaks no page', async () => {
  const merchant = await office.service.merchant({ name: `Armazéns ${'Albuquerque'.repeat(8)}` });
  const orderId = 'X'.repeat(255);
  const who = { name: 'Maria '.repeat(20).trim(), email: `${'m'.repeat(60)}@armazens-de-portugal.example` };
  const items = [{ id: 'S'.repeat(100), name: 'N'.repeat(200), quantity: 1, priceInCents: 9_999_999 }];
  const order = { ...ORDER, orderId, amount: 99_999.99, customer: who, items };
  const id = await merchant.init(order);
  const { body } = await merchant.post('/payments/multibanco', { transactionId: id });
  await office.service.control('/multibanco', { entity: body.entity, reference: body.reference });
  await merchant.reaches(id, 'paid');
  await office.service.control('/multibanco', { entity: body.entity, reference: body.reference, amount: 7 });
  const receipt = await until(async () => {
    const rows = await office.service.app.deps.db.read
      .selectFrom('receipts')
      .select(['id', 'duplicate'])
      .execute();
    return rows.find(({ duplicate }) => duplicate === 1)?.id;
  }, 'the second payment');
  const own = [
    '',
    '/transactions',
    `/transactions/${id}`,
    `/exceptions?receipt=${receipt}`,
    '/webhook',
    '/developers',
  ];
  const all = ['merchants', 'exceptions', 'leads', 'audit', 'review', `transactions/${id}`];
  const wrong: string[] = [];
  for (const [language, pages] of [
    ['en', own.map((path) => `/m/${merchant.merchantId}${path}`)],
    ['pt', all.map((path) => `/operator/${path}`)],
  ] as const) {
    const at = language === 'en' ? { merchantId: merchant.merchantId } : { role: 'operator' as const };
    const page = await office.signIn({ language, ...at });
    for (const path of pages) {
      await page.goto(path);
      for (const width of [390, 800, 1093, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor();
        await page
          .getByLabel(/^(Loading|A carregar)…$/)
          .first()
          .waitFor({ state: 'detached' });
        const where = `${path} at ${width}`;
        // What is closed is not laid out.
        await page.evaluate('for (const closed of document.querySelectorAll("details")) closed.open = true');
        if (/transactions/.test(path))
          await page
            .getByText(/99.999.99/)
            .last()
            .waitFor();
        for (const wide of (await page.evaluate(CUT)) as string[]) wrong.push(`${where}: ${wide}`);
        for (const cut of (await page.evaluate(BROKEN_AMOUNTS)) as string[]) wrong.push(`${where}: ${cut}`);
        await shoot(page, `width-${language}-${path.split('/').slice(2).join('-').slice(-24)}-${width}`);
      }
    }
    expect(page.troubles()).toEqual([]);
  }
  expect(wrong).toEqual([]);
}, 120_000);

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
