import { expect, test, vi } from 'vitest';
import { writeRoute } from '../../../src/banks/store.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import { lisbonDateText } from '../../../src/kernel/lisbon.ts';
import { setMerchant } from '../../../src/merchants/set-merchant.ts';
import { selectRow, updateRows } from '../../support/rows.ts';
import { cases } from './money-cases.ts';
import { openBackoffice, type WatchedPage } from './support.ts';

vi.setConfig({ testTimeout: 60_000 });

// A dialog keeps what it showed when it opened, although the page behind it reloads.

const office = await openBackoffice();
const { service } = office;
const { deps } = service.app;
const shop = await service.merchant({ name: 'Loja da Ana' });
const { merchantId } = shop;

/** Returns to the tab once its data is old, and waits until it has asked `procedure` again. */
async function returnTo(page: WatchedPage, procedure: string): Promise<void> {
  const answer = page.waitForResponse((response) => response.url().includes(`/trpc/${procedure}`));
  await page.clock.fastForward(5_001);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await (await answer).finished();
}

/** A button of the page behind the dialog. */
const behind = (page: WatchedPage, name: string) =>
  page.getByRole('button', { name, exact: true, includeHidden: true }).first();

test('a dialog that deactivates a merchant never activates it, although a colleague deactivated it first', async () => {
  const page = await office.signIn({ role: 'operator', clock: true });
  await page.goto(`/operator/merchants?merchant=${merchantId}`);
  await page.getByRole('button', { name: 'Deactivate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deactivate Loja da Ana?' });
  await dialog.waitFor();
  await setMerchant(deps, merchantId, { active: false });
  await returnTo(page, 'merchants.show');
  await behind(page, 'Activate').waitFor();
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('Merchant deactivated.').waitFor();
  expect(await selectRow(deps.db, 'merchants', { id: merchantId })).toMatchObject({ active: 0 });
  await setMerchant(deps, merchantId, { active: true });
});

test('a dialog that disables the access of a person never restores it', async () => {
  const { id, email } = await office.person({ merchantId });
  const page = await office.signIn({ role: 'operator', clock: true, at: '/operator/people' });
  await page.getByRole('button', { name: `Disable access for ${email}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await updateRows(deps.db, 'users', { active: 0 }, { id });
  await returnTo(page, 'users.list');
  await behind(page, `Restore access for ${email}`).waitFor();
  await dialog.getByRole('button', { name: 'Disable access' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await selectRow(deps.db, 'users', { id })).toMatchObject({ active: 0 });
});

test('a dialog of a role or of the second factor never does the opposite', async () => {
  const { id, email } = await office.person({ merchantId, role: 'viewer' });
  const page = await office.signIn({ role: 'operator', clock: true, at: `/m/${merchantId}/team` });
  await page.getByRole('button', { name: `Make owner: ${email}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await updateRows(deps.db, 'memberships', { role: 'owner' }, { user_id: id });
  await returnTo(page, 'team.list');
  await behind(page, `Make viewer: ${email}`).waitFor();
  await dialog.getByRole('button', { name: 'Make owner' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await selectRow(deps.db, 'memberships', { user_id: id })).toMatchObject({ role: 'owner' });

  await page.getByRole('button', { name: 'Require for the team' }).click();
  await dialog.waitFor();
  await setMerchant(deps, merchantId, { teamFactor: true });
  await returnTo(page, 'team.list');
  await behind(page, 'Make optional').waitFor();
  await dialog.getByRole('button', { name: 'Require for the team' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await selectRow(deps.db, 'merchants', { id: merchantId })).team_factor_at).not.toBeNull();
});

test('an order that was looked up and then paid is not assigned, and its dialog then says so', async () => {
  const money = cases(service);
  const { id, pay } = await money.reference(shop, 'LOOKED-UP');
  const receiptId = await money.stranger(21);
  const page = await office.signIn({ role: 'operator', at: `/operator/exceptions?receipt=${receiptId}` });
  await page.getByLabel('Another transaction').fill(id);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Assign to order LOOKED-UP' }).click();
  const dialog = page.getByRole('dialog').last();
  await dialog.getByText('The event “Payment received” is sent to the shop once.').waitFor();
  await pay();
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await dialog.getByText('This case has just been changed.').waitFor();
  await dialog.getByText('The event “Payment received” is sent to the shop once.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Assign to order LOOKED-UP' }).click();
  await dialog.getByText('The transaction is already paid.').waitFor();
});

test('no reset link is made for a person whose access was disabled, and the refusal is translated', async () => {
  const { id, email } = await office.person({ merchantId });
  const page = await office.signIn({ role: 'operator', language: 'pt', at: '/operator/people' });
  const row = page.getByRole('row').filter({ hasText: email });
  await row.getByText('Nunca iniciou sessão').waitFor();
  await page.getByRole('button', { name: `Link de reposição para ${email}` }).click();
  await updateRows(deps.db, 'users', { active: 0 }, { id });
  await page.getByRole('button', { name: 'Criar link' }).click();
  await page.getByText('O acesso desta pessoa foi retirado. Restaure-o primeiro.').waitFor();
});

test('a route that a colleague has changed is not overwritten', async () => {
  const page = await office.signIn({ role: 'operator', language: 'pt' });
  await page.goto(`/operator/merchants?merchant=${merchantId}`);
  await page.getByRole('button', { name: 'Alterar a rota de MB WAY' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rota de MB WAY' });
  const route = { merchant_id: merchantId as Id<'mer'>, method: 'MBWAY' } as const;
  const changed = { acquirer: 'ifthenpay', fallback: 'eupago' } as const;
  await deps.db.unit((tx) => writeRoute(tx, { ...route, ...changed }));
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await dialog.getByText('Esta rota foi entretanto alterada.').waitFor();
  expect(await selectRow(deps.db, 'bank_routes', route)).toMatchObject(changed);
});

test('a payment link whose last day has passed is refused in the language of the page', async () => {
  const page = await office.signIn({ role: 'operator', language: 'pt', clock: true });
  await page.goto(`/m/${merchantId}/payment-links`);
  await page.getByText('Ainda não há links de pagamento').waitFor();
  const past = Date.now() - 3 * 86_400_000;
  await page.clock.setSystemTime(past);
  await page.getByRole('button', { name: 'Criar link' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Criar um link de pagamento' });
  await dialog.getByLabel('Título').fill('Rifa');
  await dialog.getByLabel('Valor em euros').fill('2');
  await dialog.getByLabel('Último dia').fill(lisbonDateText(past).replaceAll('-', '/'));
  await dialog.getByLabel('Título').focus();
  await dialog.getByRole('button', { name: 'Criar link' }).click();
  await dialog.getByText('O último dia já passou. Escolha outro.').waitFor();
});

test('a double click on the button of an action does not confirm it unread', async () => {
  const { id, email } = await office.person({ merchantId });
  const page = await office.signIn({ role: 'operator', at: '/operator/people' });
  const open = page.getByRole('button', { name: `Disable access for ${email}` });
  await open.click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Disable access' });
  const { x, y, width, height } = (await confirm.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.keyboard.press('Escape');
  await confirm.waitFor({ state: 'detached' });
  // Where the dialog then has its own button.
  const place = { position: 'fixed', left: `${x}px`, top: `${y}px` };
  await open.evaluate(({ style }, at) => Object.assign(style, at), place);
  await page.mouse.move(x + width / 3, y + height / 2);
  await page.mouse.down({ clickCount: 1 });
  await page.mouse.up({ clickCount: 1 });
  await confirm.waitFor();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.keyboard.press('Escape');
  await confirm.waitFor({ state: 'detached' });
  expect(await selectRow(deps.db, 'users', { id })).toMatchObject({ active: 1 });
});
