import { expect, test, vi } from 'vitest';
import { setMerchant } from '../../../src/merchants/set-merchant.ts';
import { releaseTransaction } from '../../../src/payments/release.ts';
import type { TestMerchant } from '../../support/harness.ts';
import { selectRows } from '../../support/rows.ts';
import { until } from '../../support/until.ts';
import { expectSound, openWithReceiver } from './support.ts';

const SALES = 12;

vi.setConfig({ testTimeout: 60_000 });

const { office, receiver } = await openWithReceiver();

/** A shop under review with so many sales that are paid and held. */
async function heldShop(name: string, sales: number): Promise<{ shop: TestMerchant; ids: string[] }> {
  const { service } = office;
  const shop = await service.merchant({ name, webhookUrl: receiver.url });
  await setMerchant(service.app.deps, shop.merchantId, { hold: true });
  const ids: string[] = [];
  for (let number = 1; number <= sales; number++) {
    const id = await shop.init({ orderId: `${name}-${number}` });
    ids.push(id);
    await shop.post('/payments/mbway', { transactionId: id, phoneNumber: '911000001' });
  }
  const { db } = service.app.deps;
  await until(async () => {
    const held = await selectRows(db, 'transactions', { merchant_id: shop.merchantId, held: 1 });
    return held.length === sales;
  }, 'every sale to be held');
  return { shop, ids };
}

test('held sales are released one or many, each shop is notified once, and a notification counts the results', async () => {
  const { shop, ids } = await heldShop('Loja da Ana', SALES);
  await heldShop('Padaria Nova', 1);
  const page = await office.signIn({ role: 'operator', at: '/operator/review' });
  await page.getByText('€259.87').waitFor();
  await page
    .getByRole('link', { name: /^Review/ })
    .getByTitle(`${SALES + 1} on hold`, { exact: true })
    .waitFor();
  await expectSound(page, 'review-en-1280');
  await page.getByRole('button', { name: /^Padaria Nova: 1,/ }).click();
  await page.getByText('1 sale on hold · €19.99').waitFor();
  const picker = page.getByRole('combobox', { name: 'Merchant', exact: true });
  expect(await picker.inputValue()).toBe('Padaria Nova');
  await picker.fill('Loja');
  await page.getByRole('option', { name: 'Loja da Ana' }).click();
  await page.getByText('12 sales on hold').waitFor();
  expect(await page.locator(':focus').inputValue()).toBe('Loja da Ana');
  await page.goto('/operator/review');

  await page.getByRole('checkbox', { name: 'Select order Loja da Ana-1', exact: true }).click();
  await page.getByText('1 selected, €19.99').waitFor();
  await page.getByRole('button', { name: 'Release' }).click();
  const dialog = page.getByRole('dialog', { name: 'Release this sale' });
  await dialog.getByText('The event “Payment received” is sent to each shop').waitFor();
  await expectSound(page, 'review-confirm-en-1280');
  await page.getByRole('dialog').getByRole('button', { name: 'Release 1' }).click();
  await page.getByText('1 released').waitFor();
  await page.getByRole('link', { name: 'Loja da Ana-1', exact: true }).waitFor({ state: 'detached' });
  await shop.reaches(ids[0] ?? '', 'paid');

  // Another operator has released it: the result says so and the others are released.
  const { deps } = office.service.app;
  await releaseTransaction(deps, ids[1] ?? '');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await page.getByText(`${SALES} selected`).waitFor();
  await page.getByRole('button', { name: 'Release' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Release ${SALES}` })
    .click();
  await page.getByText(`${SALES - 1} released, 1 already paid`).waitFor();
  await expectSound(page, 'review-done-en-390');
  await until(() => receiver.requests.length >= SALES + 1, 'every event');
  const paid = receiver.requests.map((request) => JSON.parse(request.body.toString()).data.id);
  expect(paid.length).toBe(new Set(paid).size);
  await page.getByText('Nothing to review').waitFor();
  await expectSound(page, 'review-empty-en-390');
}, 60_000);

test('the results are counted in the Portuguese singular and plural', async () => {
  const { ids } = await heldShop('Padaria Nova', 6);
  const page = await office.signIn({ role: 'operator', language: 'pt', phone: true, at: '/operator/review' });
  const steps = [
    ['Selecionar a encomenda Padaria Nova-1', [], 1, '1 libertada'],
    ['Selecionar a encomenda Padaria Nova-2', [1], 1, '1 já estava paga'],
    ['Selecionar todas', [2, 3], 4, '2 libertadas, 2 já estavam pagas'],
  ] as const;
  for (const [choice, releasedElsewhere, count, result] of steps) {
    const choose = page.getByRole('checkbox', { name: choice });
    await choose.waitFor();
    await choose.click();
    await page.getByText(count === 1 ? '1 selecionada,' : `${count} selecionadas,`).waitFor();
    await page.getByRole('button', { name: 'Libertar' }).click();
    const name = count === 1 ? 'Libertar esta venda' : 'Libertar estas vendas';
    const dialog = page.getByRole('dialog', { name });
    await expectSound(page, `review-confirm-pt-390-${count}`);
    // Last, because the list is read again in between.
    for (const index of releasedElsewhere)
      await releaseTransaction(office.service.app.deps, ids[index] ?? '');
    await dialog.getByRole('button', { name: `Libertar ${count}` }).click();
    await page.getByText(result, { exact: true }).waitFor();
  }
  await page.getByText('Nada para rever').waitFor();
});
