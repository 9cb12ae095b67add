import { expect, test } from 'vitest';
import type { Cents } from '../../../src/kernel/money.ts';
import type { TestMerchant } from '../../support/harness.ts';
import { openSales, pay } from './sales-kit.ts';
import { axe, downloaded, pictures, shoot, tableOverflows } from './support.ts';

const { office, pageOf } = await openSales();

/** A shop with two payments of today, one of known fee. */
async function shopWithPayments(): Promise<{ merchant: TestMerchant; id: string }> {
  const merchant = await office.service.merchant();
  const id = await pay(merchant, { amount: 1239.56 });
  await merchant.reaches(id, 'paid');
  await merchant.reaches(await pay(merchant, { amount: 10 }), 'paid');
  const { db } = office.service.app.deps;
  const change = (
    cents: number,
    columns: { amount_cents?: Cents; fee_cents: Cents | null; net_cents: Cents | null },
  ) =>
    db.unit((tx) =>
      tx
        .updateTable('receipts')
        .set({ ...columns, value_date: '2026-01-15' })
        .where('merchant_id', '=', merchant.merchantId)
        .where('amount_cents', '=', cents as Cents)
        .execute(),
    );
  await change(123956, { fee_cents: 873 as Cents, net_cents: 123083 as Cents });
  // The bank's list has another amount, so the fee is unknown.
  await change(1000, { amount_cents: 999 as Cents, fee_cents: null, net_cents: null });
  return { merchant, id };
}

test.for(['en', 'pt'] as const)(
  'the settlement adds up a period and offers its CSV (%s)',
  async (language) => {
    const { merchant, id } = await shopWithPayments();
    const pt = language === 'pt';
    const page = await pageOf({ merchant, path: '/settlement', role: 'viewer', language });
    const total = page.getByRole('region', { name: pt ? 'Total do período' : 'Total of the period' });
    await total.getByText(pt ? '1\u00a0249,55\u00a0€' : '€1,249.55').waitFor();
    await total.getByText(pt ? '1\u00a0230,83\u00a0€' : '€1,230.83').waitFor();
    await total.getByText(pt ? 'A comissão de 1 pagamento' : 'The fee of 1 payment').waitFor();
    const days = page.getByRole('table', { name: pt ? 'Liquidação por dia' : 'Settlement by day' });
    await days.getByText(pt ? '15\u00a0jan\u00a02026' : '15\u00a0Jan\u00a02026').waitFor();
    const without = days.getByText(pt ? '1 pagamento não incluído' : '1 payment not included');
    expect(await without.count()).toBe(2);
    expect(await axe(page)).toEqual([]);
    await pictures(page, `settlement-${language}`);

    const merchantName = page.locator('header').getByText('Test Shop', { exact: true });
    expect(await merchantName.isVisible()).toBe(false);
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    await days.waitFor();
    await merchantName.waitFor();
    expect(await page.getByRole('search').isVisible()).toBe(false);
    // The window changes its width a moment after the call.
    await expect.poll(() => tableOverflows(page)).toBe(false);
    await shoot(page, `settlement-print-${language}`);
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1280, height: 900 });

    const file = await downloaded(page.getByRole('link', { name: pt ? 'Exportar CSV' : 'Export CSV' }));
    expect(file.suggestedFilename()).toMatch(pt ? /^liquidacao-.*\.csv$/ : /^settlement-.*\.csv$/);

    await page.getByLabel(pt ? 'Período' : 'Period', { exact: true }).selectOption('lastMonth');
    await page.getByText(pt ? 'Sem movimentos neste período' : 'Nothing in this period').waitFor();
    await page.getByLabel(pt ? 'Período' : 'Period', { exact: true }).selectOption('chosen');
    await page.getByLabel(pt ? 'De' : 'From', { exact: true }).fill('2030-01-01');
    await page.getByText(pt ? 'Escolha um dia igual' : 'Choose a day on or after').waitFor();
    expect(await axe(page)).toEqual([]);

    await page.goto(`/m/${merchant.merchantId}/transactions/${id}`);
    const receipts = page.getByRole('region', { name: pt ? 'Pagamentos recebidos' : 'Payments received' });
    await receipts.getByText(pt ? '8,73\u00a0€' : '€8.73').waitFor();
    await receipts.getByText(pt ? '1\u00a0230,83\u00a0€' : '€1,230.83').waitFor();
    await pictures(page, `receipt-fees-${language}`);
  },
);
