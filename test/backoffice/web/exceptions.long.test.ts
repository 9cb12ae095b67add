import { expect, test, vi } from 'vitest';
import type { Id } from '../../../src/kernel/ids.ts';
import { setMerchant } from '../../../src/merchants/set-merchant.ts';
import { selectRows, updateRows } from '../../support/rows.ts';
import { until } from '../../support/until.ts';
import { cases } from './money-cases.ts';
import { expectSound, openWithReceiver, PASSWORD, shoot, type WatchedPage } from './support.ts';

vi.setConfig({ testTimeout: 60_000 });

/** One case of every kind at a shop with a webhook endpoint. */
const { office, receiver } = await openWithReceiver({
  SERVICE_MBWAY_WINDOW_SECONDS: '1',
  SERVICE_MBWAY_GRACE_SECONDS: '0.5',
});
const { service } = office;
const money = cases(service);
const shop = await service.merchant({ name: 'Loja da Ana', webhookUrl: receiver.url });
const late = money.late(shop);
const twice = await money.reference(shop, 'TWICE-1');
await twice.pay();
await twice.pay();
const short = await money.reference(shop, 'SHORT-1');
await short.pay(12);
await (await money.reference(shop, 'MUCH-1')).pay(25);
await late;

/** The events of an order that the shop's server received. */
function eventsOf(orderId: string): string[] {
  return receiver.requests
    .map((request) => JSON.parse(request.body.toString()))
    .filter((event) => event.data.externalOrderId === orderId)
    .map((event) => event.event);
}

const cards = (page: WatchedPage) => page.getByRole('list', { name: /^(Cases|Casos)$/ }).getByRole('button');
const dialog = (page: WatchedPage) => page.getByRole('dialog').last();

async function openCase(page: WatchedPage, text: string | RegExp): Promise<void> {
  await cards(page).filter({ hasText: text }).first().click();
  await dialog(page)
    .getByText(/What to do|O que fazer/)
    .waitFor();
}

const operatorPage = () =>
  office.signIn({ role: 'operator', email: 'op@platform.pt', at: '/operator/exceptions' });

test('Back closes a case, keeps the filters and opens the case again that a page was left from', async () => {
  const page = await operatorPage();
  const kinds = page.getByRole('table', { name: 'Open cases by kind' });
  await kinds.getByRole('row', { name: 'Duplicate' }).getByText('€19.99').waitFor();
  await cards(page).filter({ hasText: 'Ana Silva · 912345678 · ana@shop.pt' }).first().waitFor();
  await kinds.getByRole('button', { name: 'Duplicate' }).click();
  await cards(page).filter({ hasText: 'LATE-1' }).waitFor({ state: 'detached' });
  await openCase(page, 'TWICE-1');
  await page.goBack();
  await dialog(page).waitFor({ state: 'detached' });
  expect(await cards(page).count()).toBe(1);
  await openCase(page, 'TWICE-1');
  await dialog(page).getByRole('link', { name: 'TWICE-1' }).click();
  await page.getByRole('heading', { level: 1, name: 'Order TWICE-1' }).waitFor();
  await page.goBack();
  await dialog(page).getByText('What to do').waitFor();
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
  await dialog(page).waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?kind=duplicate');
});

test('what is typed survives Escape in a dialog above it, and a session that has ended', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'exceptions' });
  await openCase(page, 'MUCH-1');
  await page.getByLabel('Add a note').fill('Rang her at noon');
  await page.getByRole('button', { name: 'Mark as returned' }).click();
  const above = page.getByRole('dialog', { name: 'Mark as returned' });
  await above.getByLabel('How and when was it refunded?').press('Escape');
  await above.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Add a note').inputValue()).toBe('Rang her at noon');
  await office.service.app.deps.db.unit((tx) => tx.deleteFrom('sessions').execute());
  await page.getByRole('button', { name: 'Add note' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByText(/to continue where you left off/).waitFor();
  await expectSound(page, 'sign-in-again-en-1280');
  await again.getByLabel('Password', { exact: true }).fill('wrong password 1');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.getByRole('alert').waitFor();
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Note saved.').waitFor();
  await dialog(page).getByText('Rang her at noon').first().waitFor();
  expect(await page.getByLabel('Add a note').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
});

test('unmatched money that is assigned makes its sale paid, and the shop is notified once', async () => {
  const id = await shop.init({ orderId: 'WANTED-1', amount: 31.4 });
  await money.stranger(31.4);
  const page = await operatorPage();
  await openCase(page, '€31.40');
  await page.getByRole('button', { name: 'Assign to order WANTED-1' }).click();
  await dialog(page).getByText('The event “Payment received” is sent to the shop once.').waitFor();
  await expectSound(page, 'case-assign-en-1280');
  await dialog(page).getByLabel('Note (optional)').fill('The name on the transfer');
  await dialog(page).getByRole('button', { name: 'Assign' }).click();
  await page.getByText('Nothing left to do').waitFor();
  await page.getByText('The name on the transfer').waitFor();
  expect((await shop.status(id)).status).toBe('paid');
  await until(() => eventsOf('WANTED-1').length > 0, 'the event');
  expect(eventsOf('WANTED-1')).toEqual(['payment.success']);
});

test('a transaction found by its number shows the effect of assigning before it is done', async () => {
  const failed = await money.rejected(shop, 'REJECTED-1');
  await money.stranger(20.5);
  const page = await operatorPage();
  await page.goto('/operator/transactions?search=20.50');
  await page.getByText('Payments that match no transaction are under Payments to resolve.').waitFor();
  await page.goto('/operator/exceptions');
  await openCase(page, '€20.50');
  await page.getByLabel('Another transaction').fill('tx_nothing');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('No transaction has this ID.').waitFor();
  await page.getByLabel('Another transaction').fill(failed);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Assign to order REJECTED-1' }).click();
  await dialog(page).getByText('The transaction had ended. The payment is marked as late.').waitFor();
  await dialog(page).getByText('There is a surplus of €0.51').waitFor();
  await dialog(page).getByRole('button', { name: 'Assign' }).click();
  await shop.reaches(failed, 'paid');
  await until(() => eventsOf('REJECTED-1').length === 2, 'both events');
  expect(eventsOf('REJECTED-1')).toEqual(['payment.failed', 'payment.success']);
});

test('credit is refused until what came in reaches the amount, and then pays the sale', async () => {
  const page = await operatorPage();
  await openCase(page, 'SHORT-1');
  await page.getByText('You can credit this once the missing €7.99 arrives.').waitFor();
  expect(await page.getByRole('button', { name: 'Credit' }).isDisabled()).toBe(true);
  await short.pay(3);
  await page.goto('/operator/exceptions');
  const parts = cards(page).filter({ hasText: '€15.00 of €19.99 received in part payments: €4.99 missing' });
  await parts.nth(1).waitFor();
  await page.goto(`/operator/transactions/${short.id}`);
  await page.getByText('€15.00 arrived, €4.99 less than the amount due.').waitFor();
  expect(await page.getByRole('heading', { name: 'Short payment' }).count()).toBe(1);
  await short.pay(4.99);
  await page.goto('/operator/exceptions');
  await cards(page).filter({ hasText: 'the amount due is reached' }).nth(2).waitFor();
  await openCase(page, 'SHORT-1');
  await page.getByText('€19.99 of €19.99 received', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Credit' }).click();
  await shoot(page, 'case-credit-en-1280');
  await page
    .getByRole('dialog', { name: 'Credit transaction' })
    .getByRole('button', { name: 'Credit' })
    .click();
  await page.getByText('Credited to its transaction').waitFor();
  await dialog(page).getByRole('button', { name: 'Refund the payment of €12.00' }).click();
  await dialog(page).getByText('The transaction stays paid.').waitFor();
  await page.goto('/operator/exceptions?state=settled');
  const credited = await cards(page).filter({ hasText: 'SHORT-1' }).first().innerText();
  expect(credited).toContain('Credited');
  expect(credited).not.toContain('missing');
  await shop.reaches(short.id, 'paid');
  await until(() => eventsOf('SHORT-1').length > 0, 'the event');
  expect(eventsOf('SHORT-1')).toEqual(['payment.success']);
});

test('an owner records returned money with a note, and finds it among the settled cases', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'exceptions' });
  await openCase(page, 'TWICE-1');
  const refundFirst = dialog(page).getByRole('button', { name: /^(Refund the|Mark as returned)/ });
  await refundFirst.nth(1).click();
  const confirm = dialog(page).getByRole('button', { name: 'Mark €19.99 as returned' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog(page).getByLabel('How and when was it refunded?').fill('By transfer, 3 March');
  await expectSound(page, 'case-return-en-1280');
  await confirm.click();
  await page.getByText('€19.99 refunded outside this service').waitFor();
  await dialog(page).getByText('Already returned outside this service.').waitFor();
  await page.getByText('By transfer, 3 March').waitFor();
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByText('Resolved', { exact: true }).click();
  await cards(page).filter({ hasText: 'TWICE-1' }).click();
  await dialog(page).getByText('Marked as returned').waitFor();
  expect(await page.getByRole('button', { name: 'Mark as returned' }).count()).toBe(0);
});

test('an operator who records returned money is shown that its merchant can read the note', async () => {
  const page = await operatorPage();
  await openCase(page, 'MUCH-1');
  await dialog(page).getByRole('button', { name: 'Mark as returned' }).click();
  await dialog(page).getByText('The merchant can read this note.').waitFor();
});

test('a late sale is closed with a note; its merchant never sees the operator’s internal notes', async () => {
  const operator = await operatorPage();
  await openCase(operator, 'LATE-1');
  await operator.getByLabel('Add a note').fill('Suspicious, watch them');
  await operator.getByRole('button', { name: 'Add note' }).click();
  await operator.getByText('Note saved.').waitFor();
  await operator.getByRole('switch', { name: 'Internal: hidden from the merchant' }).click();
  await operator.getByLabel('Add a note').fill('Please tell us when it is delivered');
  await operator.getByRole('button', { name: 'Add note' }).click();
  await dialog(operator).getByText('Please tell us when it is delivered', { exact: true }).last().waitFor();
  const openNotes = () => selectRows(service.app.deps.db, 'receipt_notes', { internal: 0, kind: 'note' });
  await until(async () => (await openNotes()).length > 0, 'the open note');

  const page = await office.signIn({ merchantId: shop.merchantId, phone: true, language: 'pt' });
  await page.goto(`/m/${shop.merchantId}/exceptions`);
  await cards(page).first().waitFor();
  expect(await page.getByRole('table').count(), 'the cases come first on a phone').toBe(0);
  await openCase(page, 'LATE-1');
  await page.getByText('Please tell us when it is delivered').waitFor();
  expect(await page.getByText('Suspicious, watch them').count()).toBe(0);
  expect(await page.getByText('op@platform.pt').count()).toBe(0);
  await page.getByRole('button', { name: 'Encerrar caso' }).click();
  await dialog(page).getByLabel('Nota (opcional)').fill('Entregue a 4 de março');
  await expectSound(page, 'case-keep-pt-390');
  await dialog(page).getByRole('button', { name: 'Encerrar', exact: true }).click();
  await page.getByText('Creditado na transação').waitFor();
});

test('no page says that an order is paid which a late part payment or money on hold did not pay', async () => {
  const { deps } = service.app;
  const sea = await service.merchant({ name: 'Casa do Mar' });
  const lateShort = await money.reference(sea, 'LATE-SHORT');
  await lateShort.pay(12);
  const { id } = lateShort;
  await updateRows(deps.db, 'transactions', { status: 'failed' }, { id });
  const paidBefore = { late: 1, paid_at: deps.clock.now() - 600_000 } as const;
  await updateRows(deps.db, 'receipts', paidBefore, { transaction_id: id });
  const paidAfter = await money.reference(sea, 'PAID-AFTER');
  await paidAfter.pay(12);
  await sea.post('/payments/mbway', { transactionId: paidAfter.id, phoneNumber: '911000001' });
  await sea.reaches(paidAfter.id, 'paid');
  await setMerchant(deps, sea.merchantId, { hold: true });
  const held = await money.reference(sea, 'ON-HOLD');
  await held.pay(25);

  const page = await office.signIn({ merchantId: sea.merchantId, at: 'exceptions' });
  await openCase(page, 'LATE-SHORT');
  await dialog(page)
    .getByText('The order is not paid, and the shop was not notified of this payment')
    .waitFor();
  const saysPaid = page.getByText(/is now paid/);
  expect(await saysPaid.count()).toBe(0);
  await page.goto(`/m/${sea.merchantId}/transactions/${lateShort.id}`);
  await page.getByRole('heading', { name: 'Short payment' }).waitFor();
  expect(await saysPaid.count()).toBe(0);
  await page.getByRole('button', { name: 'Português' }).click();
  await page.getByText(/^pagos no banco a \d+\s\S+\s\d{4}, às \d\d:\d\d$/).waitFor();
  await page.getByRole('button', { name: 'English' }).click();
  await page.goto(`/m/${sea.merchantId}/exceptions`);
  await openCase(page, 'PAID-AFTER');
  await dialog(page).getByText('Another payment has paid the order').waitFor();
  expect(
    await dialog(page)
      .getByText(/Wait for the rest|is not paid/)
      .count(),
  ).toBe(0);

  const operator = await operatorPage();
  await openCase(operator, 'ON-HOLD');
  await dialog(operator).getByText('Release the sale under Review.').first().waitFor();
  await expectSound(operator, 'case-held-en-1280');
  for (const at of ['operator', `m/${sea.merchantId}`]) {
    await operator.goto(`/${at}/transactions/${held.id}`);
    await operator.getByText('Release it under Review before a refund.').waitFor();
    expect(await operator.getByText(/is paid|Could not load/).count()).toBe(0);
  }
});

test('a payment of a second transaction of its order is a duplicate that paid, in both languages', async () => {
  const id = (await shop.pay({ orderId: 'CAKE-1' })) as Id<'tx'>;
  await updateRows(service.app.deps.db, 'receipts', { late: 1, duplicate: 1 }, { transaction_id: id });
  const page = await office.signIn({ merchantId: shop.merchantId });
  const pages = [
    ['English', /now paid too/, /not applied|had failed|Fulfil/],
    ['Português', /ficou também paga/, /imputado|falhado|expeça/i],
  ] as const;
  for (const [language, one, others] of pages) {
    await page.goto(`/m/${shop.merchantId}/exceptions`);
    await page.getByRole('button', { name: language }).click();
    await openCase(page, 'CAKE-1');
    await dialog(page).getByText(one).waitFor();
    expect(await dialog(page).getByText(others).count()).toBe(0);
    await page.goto(`/m/${shop.merchantId}/transactions/${id}`);
    await page.getByText(one).waitFor();
    expect(await page.getByText(others).count()).toBe(0);
  }
});
