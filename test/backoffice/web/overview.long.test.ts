import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Id } from '../../../src/kernel/ids.ts';
import { dayAfter, lisbonDay } from '../../../src/kernel/lisbon.ts';
import { addDomain, removeDomain } from '../../../src/merchants/domains.ts';
import { setMerchant } from '../../../src/merchants/set-merchant.ts';
import { sendTestEvent } from '../../../src/webhooks/test-event.ts';
import type { TestMerchant } from '../../support/harness.ts';
import { insertRows, selectRows, updateRows } from '../../support/rows.ts';
import { until } from '../../support/until.ts';
import { openSales, soon, VIEWS } from './sales-kit.ts';
import { axe, overflows, shoot } from './support.ts';

const { office, receiver, pageOf } = await openSales();

/** Writes two months of sales as the service stores them. */
async function giveHistory(merchantId: Id<'mer'>): Promise<void> {
  const { db, clock } = office.service.app.deps;
  const today = lisbonDay(clock.now());
  for (let back = 1; back < 60; back++) {
    for (const method of ['MBWAY', 'REFERENCE'] as const) {
      const paid = ((back * 7 + method.length * 3) % 11) + (method === 'MBWAY' ? 3 : 0);
      await insertRows(db, 'daily_method_totals', {
        merchant_id: merchantId,
        day: dayAfter(today, -back),
        method,
        attempts_count: paid + 3,
        paid_count: paid,
        paid_cents: paid * (1990 + ((back * 131) % 1500)),
      });
    }
  }
}

/** Waits until a delivery with these values has arrived. */
async function arrived(values: { id?: string; transaction_id?: string }): Promise<void> {
  const { db } = office.service.app.deps;
  const state = async () => (await selectRows(db, 'deliveries', values))[0]?.state;
  await until(async () => (await state()) === 'delivered', 'the event to arrive');
}

test('the first steps of an account are ticked live, and are gone on the next visit', async () => {
  const merchant = await office.service.merchant();
  const { deps } = office.service.app;
  await removeDomain(deps, merchant.merchantId, 'shop.pt');
  const page = await pageOf({ merchant });
  const done = async (count: number) => {
    await soon(page);
    await page.getByText(`${count} of 5 done`).waitFor();
  };
  await done(0);
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'overview-new');
  const withoutShop = page.getByRole('link', { name: 'No online shop? Create a payment link' });
  expect(await withoutShop.getAttribute('href')).toMatch(/\/payment-links$/);
  await addDomain(deps, merchant.merchantId, 'shop.pt');
  await done(1);
  await merchant.get('/payments/methods');
  await done(2);
  await setMerchant(deps, merchant.merchantId, { webhookUrl: receiver.url, webhookEnabled: true });
  await done(3);
  const { deliveryId } = await sendTestEvent(deps, merchant.merchantId);
  await arrived({ id: deliveryId });
  await done(4);
  await merchant.pay();
  await soon(page);
  await page.getByText('All done. Your shop can take payments.').waitFor();
  await page.getByRole('region', { name: 'Today' }).getByText('€19.99').waitFor();
  await page.getByRole('region', { name: 'Today' }).getByText('1 paid sale').waitFor();
  await page.reload();
  await page.getByRole('region', { name: 'Today' }).waitFor();
  expect(await page.getByText('First steps').count()).toBe(0);
});

/** A shop with a history, a pending payment, and an event that its endpoint refused. */
async function busyShop(): Promise<TestMerchant> {
  const merchant = await office.service.merchant({ webhookUrl: receiver.url });
  await giveHistory(merchant.merchantId);
  await merchant.init({ amount: 10 });
  const paid = await merchant.pay({ amount: 1239.56 });
  const { db, clock } = office.service.app.deps;
  const ofSale = { transaction_id: paid };
  await arrived(ofSale);
  await updateRows(db, 'deliveries', { state: 'undelivered', finished_at: clock.now() }, ofSale);
  return merchant;
}

let busy: Promise<TestMerchant> | null = null;

test.for(VIEWS)(
  'the overview shows money, conversion, pending payments and problems (%s, phone %s)',
  async ([language, phone]) => {
    busy ??= busyShop();
    const page = await pageOf({ merchant: await busy, language, phone });
    const pt = language === 'pt';
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    await region(pt ? 'Hoje' : 'Today')
      .getByText(pt ? '1\u00a0239,56\u00a0€' : '€1,239.56')
      .waitFor();
    await region(pt ? 'Pendentes' : 'Pending now')
      .getByText(pt ? '10,00\u00a0€' : '€10.00')
      .waitFor();
    await page
      .getByRole('region', {
        name: pt ? /^1 notificação de pagamento por entregar/ : /^1 payment event was not delivered/,
      })
      .waitFor();
    await shoot(page, `overview-${language}${phone ? '-phone' : ''}`);
    // The table of the chart has every day of the span, for those who do not see the bars.
    const chart = region(pt ? 'Vendas por dia' : 'Sales by day');
    await chart.getByText(pt ? 'Em tabela' : 'As a table').click();
    const days = () => chart.getByRole('rowheader').count();
    await expect.poll(days).toBe(30);
    for (const span of [7, 90, 30]) {
      await chart.getByText(`${span} ${pt ? 'dias' : 'days'}`, { exact: true }).click();
      await expect.poll(days).toBe(span);
    }
    const events = page.getByRole('link', { name: pt ? 'Ver notificações' : 'View events' });
    expect(await events.getAttribute('href')).toMatch(/\/webhook\?state=missed$/);
    expect(await axe(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await shoot(page, `overview-table-${language}${phone ? '-phone' : ''}`);
    // Cards, methods and days lead to the lists behind them.
    const leads = async (link: string, query: RegExp) => {
      await page.getByRole('link', { name: link, exact: true }).click();
      await expect.poll(() => new URL(page.url()).search).toMatch(query);
      await page.goBack();
    };
    await leads(pt ? 'Hoje' : 'Today', /^\?state=paid&by=paid&from=\d{4}-\d\d-\d\d$/);
    await leads(pt ? 'Pendentes' : 'Pending now', /^\?state=pending$/);
    await leads('MB WAY', /&method=MBWAY$/);
    await chart.locator('figure [aria-hidden] > div').last().click();
    await expect.poll(() => page.url()).toMatch(/from=(\S{10})&to=\1$/);
  },
);

const BROKEN = { error: { message: '', code: -32603, data: { code: 'INTERNAL_ERROR' } } };

test.each([
  [
    'system',
    /exceptions.counts|system.bankNotices|system.show/,
    [
      'text="Could not load this"',
      'text="Could not check whether a bank account or route was changed"',
      '[title="Could not load this"]',
    ],
  ],
  // Only the list itself asks in a direction; this is what updates it.
  ['transactions', /transactions\.list(?!.*direction)/, ['text=what you see may be out of date']],
])('a failure stays until the data that could not be read is there (%s)', async (path, calls, marks) => {
  const page = await office.signIn({ role: 'operator', clock: true });
  const held: Route[] = [];
  let isHeld = false;
  await page.route(calls, async (route) => {
    if (isHeld) held.push(route);
    else await route.fulfill({ status: 500, json: BROKEN });
  });
  await page.goto(`/operator/${path}`);
  const shown = () => Promise.all(marks.map((mark) => page.locator(mark).count()));
  await expect.poll(shown).toEqual(marks.map(() => 1));
  isHeld = true;
  await page.clock.fastForward(60_000);
  await expect.poll(() => held.length).toBe(marks.length);
  expect(await shown()).toEqual(marks.map(() => 1));
  for (const route of held) await route.continue();
  await expect.poll(shown).toEqual(marks.map(() => 0));
});
