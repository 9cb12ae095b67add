import { expect, test } from 'vitest';
import { updateUser } from '../../../src/backoffice/people/user-store.ts';
import { openPlatform } from './operator-kit.ts';
import { expectSound, overflows, PASSWORD } from './support.ts';

const { office, shop, operatorAt } = await openPlatform();

test('a person who lost password and authenticator gets a one-time link and chooses a new password with it', async () => {
  const { id, email } = await office.person({ email: 'esquecida@shop.pt', merchantId: shop.merchantId });
  await office.service.app.deps.db.unit((tx) => updateUser(tx, id, { totp_secret: 'of a lost telephone' }));
  const page = await operatorAt('people');
  await page.getByLabel('Search').fill('esque');
  const row = page.getByRole('row').filter({ hasText: email });
  await row.getByText('Active').waitFor();
  await row.getByRole('link', { name: 'Casa das Sementes' }).waitFor();
  await row.getByRole('button', { name: `Reset link for ${email}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Also turn off two-factor authentication').check();
  await expectSound(page, 'people-reset-en-1280');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = await dialog.getByText('/backoffice/link#').innerText();
  await dialog.getByRole('button', { name: 'Copy the link' }).waitFor();
  await expectSound(page, 'people-link-en-1280');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain('/backoffice/link#');

  const guest = await office.open(link);
  await guest.getByText('Two-factor authentication is turned off as well').waitFor();
  await guest.getByLabel('New password').fill('cinco gatos na praia');
  await guest.getByRole('button', { name: 'Save and sign in' }).click();
  await guest.waitForURL(`**/m/${shop.merchantId}`);
  await page.reload();
  await row.getByText('Off', { exact: true }).waitFor();
});

test('a disabled person is signed out, and can sign in again once enabled', async () => {
  const email = 'suspeito@shop.pt';
  const person = await office.signIn({ email, merchantId: shop.merchantId });
  await person.goto(`/m/${shop.merchantId}/methods`);
  await person.getByRole('heading', { name: 'MB WAY' }).waitFor();
  const page = await operatorAt('people', { language: 'pt', phone: true });
  await page.getByLabel('Pesquisar').fill(email);
  await page.getByRole('button', { name: `Retirar acesso a ${email}` }).click();
  const asked = page.getByRole('dialog', { name: `Retirar o acesso a ${email}?` });
  await asked.getByText('Todas as sessões desta pessoa terminam já').waitFor();
  await expectSound(page, 'people-keep-out-pt-390');
  await asked.getByRole('button', { name: 'Retirar acesso' }).click();
  await page.getByText('Sem acesso', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /nova palavra-passe/ }).count()).toBe(0);
  await person.getByRole('link', { name: 'Team' }).click();
  const again = person.getByRole('dialog', { name: 'Sign in again' });
  await again.waitFor();

  await page.getByRole('button', { name: `Restaurar acesso de ${email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restaurar acesso' }).click();
  await page.getByText('Ativo', { exact: true }).waitFor();
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await person.getByRole('heading', { name: 'Team' }).waitFor();
  expect(await overflows(page)).toBe(false);
});
