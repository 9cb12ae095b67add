import { expect, test, vi } from 'vitest';
import { assignReceipt } from '../../../src/payments/exceptions/assign-receipt.ts';
import { createRefund } from '../../../src/payments/refunds/create-refund.ts';
import { draftTransfers } from '../../../src/payments/refunds/export-refunds.ts';
import { selectRow, selectRows } from '../../support/rows.ts';
import { cases } from './money-cases.ts';
import { downloaded, expectSound, openBackoffice, shoot, type WatchedPage } from './support.ts';

vi.setConfig({ testTimeout: process.env.SHOTS === undefined ? 60_000 : 180_000 });

const IBAN = 'PT50 0002 0123 1234 5678 9015 4';
const OPERATOR = { role: 'operator', email: 'op@platform.pt' } as const;

const office = await openBackoffice({
  env: {
    SERVICE_SEPA_DEBTOR_NAME: 'Plataforma',
    SERVICE_SEPA_DEBTOR_IBAN: 'PT50000201231234567890154',
    SERVICE_REQUIRE_CHECKOUT_DATA: 'false',
  },
});
const money = cases(office.service);
const shop = await office.service.merchant({ name: 'Loja da Ana' });

const dialog = (page: WatchedPage) => page.getByRole('dialog').last();
const card = (page: WatchedPage) => page.getByRole('region', { name: /^(Refunds|Reembolsos)$/ });

async function refund(page: WatchedPage, amount?: string): Promise<void> {
  await page.getByRole('button', { name: /^(Refund|Reembolsar) / }).click();
  if (amount !== undefined)
    await dialog(page)
      .getByLabel(/^(Amount|Valor)/)
      .fill(amount);
}

test('an owner refunds a part after the password, and the page shows its outcome', async () => {
  const id = await shop.pay();
  const page = await office.signIn({ merchantId: shop.merchantId });
  await office.growStale();
  await page.goto(`/m/${shop.merchantId}/transactions/${id}`);
  await refund(page, '30');
  await dialog(page).getByText('Enter an amount up to €19.99.').waitFor();
  await dialog(page).getByLabel('Amount (€)').fill('5,00');
  await dialog(page).getByLabel('Reason (optional)').fill('Broken cup');
  await dialog(page).getByText('The bank returns €5.00 to the customer through MB WAY now.').waitFor();
  await dialog(page).getByText('This cannot be undone.').waitFor();
  await expectSound(page, 'refund-create-en-1280');
  await dialog(page).getByRole('button', { name: 'Refund €5.00' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill('quatro cavalos azuis 7');
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await card(page).getByText('The money was returned to the customer.').waitFor();
  await card(page).getByText('€14.99 can be refunded').waitFor();
  await card(page).getByText('Reason: Broken cup').waitFor();
  await page.getByText('Refunds of €5.00 were made or requested; see below.').waitFor();
  expect(await page.getByText('You can fulfil the order.').count()).toBe(0);
  await card(page).getByText('History').click();
  await card(page).getByText('Requested ·').waitFor();
  await expectSound(page, 'refund-transaction-en-1280');
  const viewer = await office.signIn({ role: 'viewer', merchantId: shop.merchantId });
  await viewer.goto(`/m/${shop.merchantId}/transactions/${id}`);
  await card(viewer).getByText('Reason: Broken cup').waitFor();
  await card(viewer).getByText('Only owners can refund.').waitFor();
  const full = await shop.pay({ orderId: 'KEPT' });
  await viewer.goto(`/m/${shop.merchantId}/transactions`);
  const row = (transactionId: string) =>
    viewer.getByRole('row').filter({ has: viewer.locator(`a[href$="${transactionId}"]`) });
  await row(id).getByText('Refund', { exact: true }).waitFor();
  await row(full).getByText('Paid', { exact: true }).waitFor();
  expect(await row(full).getByText('Refund', { exact: true }).count()).toBe(0);
  await expectSound(viewer, 'refund-list-en-1280');
  expect(await viewer.getByRole('button', { name: /^Refund/ }).count()).toBe(0);
});

test('the surplus of a case is proposed; the operator adds the IBAN, exports and settles it', async () => {
  await (await money.reference(shop, 'MUCH-1')).pay(25);
  const owner = await office.signIn({ merchantId: shop.merchantId, at: 'exceptions' });
  await owner.getByRole('list', { name: 'Cases' }).getByRole('button').filter({ hasText: 'MUCH-1' }).click();
  await refund(owner);
  expect(await dialog(owner).getByLabel('Amount (€)').inputValue()).toBe('5.01');
  expect(await dialog(owner).getByLabel('Account holder').inputValue()).toBe('Ana Silva');
  await dialog(owner).getByText('the platform transfers €5.01 to this IBAN').waitFor();
  await expectSound(owner, 'refund-case-en-1280');
  await dialog(owner).getByRole('button', { name: 'Refund €5.01' }).click();
  await owner.getByText('Add the customer’s IBAN and name').waitFor();
  await owner.getByText('A refund was requested.').waitFor();
  expect(await dialog(owner).getByText('Refunded', { exact: true }).count()).toBe(0);
  await expectSound(owner, 'refund-case-after-en-1280');

  const page = await office.signIn({ ...OPERATOR, at: '/operator/refunds' });
  const row = page.getByRole('table', { name: 'Refunds' }).getByRole('row', { name: 'MUCH-1' });
  await row.getByText('IBAN missing').waitFor();
  await page.getByRole('button', { name: 'Export transfers' }).click();
  await dialog(page).getByRole('button', { name: 'Export' }).click();
  await dialog(page).getByText('There is nothing to export.').waitFor();
  await expectSound(page, 'refund-export-left-en-1280');
  await dialog(page).getByRole('button', { name: 'MUCH-1' }).click();
  await page.getByRole('button', { name: 'Set IBAN' }).click();
  await expect.poll(() => page.evaluate('document.activeElement.placeholder')).toMatch(/^PT50/);
  await dialog(page).getByLabel('Customer’s IBAN').fill('PT50 1');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await dialog(page).getByText('This IBAN is not valid').waitFor();
  // The button was disabled while it was busy, and lost the focus.
  await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('alert');
  await dialog(page).getByLabel('Customer’s IBAN').fill(IBAN);
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('the IBAN that ends in 0154').waitFor();
  // While the dialog is open above the drawer, Escape closes only the dialog.
  await page.getByLabel('Customer’s IBAN').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Export transfers' }).click();
  const file = await downloaded(dialog(page).getByRole('button', { name: 'Export' }));
  expect(file.suggestedFilename()).toMatch(/^sepa-\d{4}-\d\d-\d\d\.xml$/);
  await dialog(page).getByText('1 transfer of €5.01 was exported.').waitFor();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await row.getByText('exported').waitFor();
  await row.getByRole('button').click();
  await page.getByRole('button', { name: 'Settle' }).click();
  await dialog(page).getByLabel('The money was returned').check();
  await dialog(page).getByLabel('How do you know?').fill('Statement of 3 March');
  await expectSound(page, 'refund-settle-en-1280');
  await dialog(page).getByRole('button', { name: 'Settle' }).click();
  await dialog(page).getByText('The money was transferred to the IBAN that ends in 0154.').waitFor();
  // The bank shows it as the end-to-end reference.
  await dialog(page).getByText(/^ref_/).waitFor();
  await page.getByLabel('How do you know?').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.getByText('Nothing to settle').waitFor();
  await page.getByText('All', { exact: true }).first().click();
  await row.getByText('Refunded').waitFor();
  await owner.goto(`/m/${shop.merchantId}/transactions?search=MUCH-1`);
  const sale = owner.getByRole('row').filter({ hasText: 'MUCH-1' });
  await sale.getByText('Paid', { exact: true }).waitFor();
  expect(await sale.getByText('Refund', { exact: true }).count()).toBe(0);
});

test('of a reference paid twice, the refunds name the duplicate, which differs in nothing else', async () => {
  const sale = await money.reference(shop, 'TWICE');
  await sale.pay();
  await sale.pay();
  const page = await office.signIn({ merchantId: shop.merchantId, language: 'pt', phone: true });
  await page.goto(`/m/${shop.merchantId}/transactions/${sale.id}`);
  await expect.poll(() => card(page).getByText('Podem ser reembolsados').count()).toBe(2);
  expect(await card(page).getByText('Em duplicado').count()).toBe(1);
  await expectSound(page, 'refund-duplicate-pt-390');
});

test('a refund without a connection fails at once and is not sent later', async () => {
  const id = await shop.pay({ orderId: 'OFFLINE' });
  const page = await office.signIn({ merchantId: shop.merchantId, at: `transactions/${id}` });
  await refund(page, '5.00');
  const confirm = dialog(page).getByRole('button', { name: 'Refund €5.00' });
  await confirm.waitFor();
  await page.context().setOffline(true);
  // On a busy machine the browser goes offline a moment later.
  await page.waitForFunction('!navigator.onLine');
  await confirm.click();
  await dialog(page).getByText('The service does not respond.').waitFor();
  const answered = page.waitForResponse(/trpc/);
  await page.context().setOffline(false);
  await answered;
  const { db } = office.service.app.deps;
  const receipt = await selectRow(db, 'receipts', { transaction_id: id });
  const made = () => selectRows(db, 'refunds', { receipt_id: receipt.id });
  expect(await made()).toEqual([]);
  await confirm.click();
  await card(page).getByText('€14.99 can be refunded').waitFor();
  expect(await made()).toHaveLength(1);
  // The requests that the outage refused.
  page.troubles().length = 0;
});

test('an unclear answer and a refusal are explained in plain words', async () => {
  const fault = (mode: string) => office.service.control('/faults', { mode, times: 1 });
  for (const mode of ['error500-refund', 'refuse-refund']) {
    const id = await shop.pay({ orderId: `ORDER-${mode}` });
    await fault(mode);
    const page = await office.signIn({ merchantId: shop.merchantId, at: `transactions/${id}` });
    await refund(page);
    await dialog(page).getByRole('button', { name: 'Refund €19.99' }).click();
    await card(page)
      .getByText(mode === 'refuse-refund' ? 'The bank’s reason:' : 'The bank gave no clear answer')
      .waitFor();
    await shoot(page, `refund-${mode}-en-1280`);
  }
});

test('an operator whose outcome comes second sees the refusal although the action is gone from the page', async () => {
  const sale = await money.reference(shop, 'TWO-TABS');
  await sale.pay();
  const receiptId = (await money.receipts()).at(-1)?.id;
  const owner = await office.signIn({ merchantId: shop.merchantId, at: `transactions/${sale.id}` });
  await refund(owner);
  await dialog(owner).getByRole('button', { name: 'Refund €19.99' }).click();
  await owner.getByText('Add the customer’s IBAN and name').waitFor();
  const settle = async (page: WatchedPage, outcome: string) => {
    await page.goto(`/operator/refunds?receipt=${receiptId}`);
    await page.getByRole('button', { name: 'Settle' }).click();
    await dialog(page).getByLabel(outcome).check();
    await dialog(page).getByLabel('How do you know?').fill('Statement of 3 March');
    return () => dialog(page).getByRole('button', { name: 'Settle' }).click();
  };
  const [first, second] = [await office.signIn(OPERATOR), await office.signIn(OPERATOR)];
  const asFailed = await settle(first, 'No money was returned');
  const asDone = await settle(second, 'The money was returned');
  await asFailed();
  await first.getByText('The refund was not made.').waitFor();
  expect(await first.getByText('The bank’s reason:').count()).toBe(0);
  await asDone();
  await second.getByText('The refund was not made.').waitFor();
  await second.getByLabel('How do you know?').waitFor({ state: 'detached' });
  await second.getByText('The refund has changed in the meantime.').waitFor();
});

test('money that was assigned while the dialog was open is not refunded too although it overpaid the order', async () => {
  const transactionId = await shop.init({ orderId: 'OVERPAID', amount: 10 });
  const receiptId = await money.stranger(12.35);
  const page = await office.signIn({ ...OPERATOR, at: `/operator/exceptions?receipt=${receiptId}` });
  await refund(page);
  await dialog(page).getByText('The case is resolved.').waitFor();
  const order = { receiptId, transactionId, note: '' } as Parameters<typeof assignReceipt>[1];
  await assignReceipt(office.service.app.deps, order);
  await dialog(page).getByRole('button', { name: 'Refund €12.35' }).click();
  await page.getByText('This case has just been changed. Reload the page.').waitFor();
});

test('a transfer that was exported while the dialog was open is not settled', async () => {
  const sale = await money.reference(shop, 'IN-FILE');
  await sale.pay();
  const { deps } = office.service.app;
  const receiptId = (await money.receipts()).at(-1)?.id ?? 'rcp_none';
  const order = { of: { receiptId }, amount: null, iban: IBAN };
  const id = await createRefund(deps, { merchantId: null, operator: true }, order);
  const page = await office.signIn({ ...OPERATOR, at: `/operator/refunds?receipt=${receiptId}` });
  await page.getByRole('button', { name: 'Settle' }).click();
  await dialog(page).getByLabel('No money was returned').check();
  await dialog(page).getByLabel('How do you know?').fill('She wants cash');
  await (await draftTransfers(deps, false)).mark();
  await dialog(page).getByRole('button', { name: 'Settle' }).click();
  await page.getByText('The refund has changed in the meantime. Reload the page.').waitFor();
  expect(await selectRow(deps.db, 'refunds', { id })).toMatchObject({ state: 'awaiting_transfer' });
});
