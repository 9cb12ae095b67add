import { expect, test } from 'vitest';
import { updateUser } from '../../../src/backoffice/people/user-store.ts';
import { api, ORDER } from '../../support/harness.ts';
import { selectRow } from '../../support/rows.ts';
import { openPlatform } from './operator-kit.ts';
import { axe, expectSound, overflows, PASSWORD, shoot, type WatchedPage } from './support.ts';

const { office, shop, operatorAt } = await openPlatform();

/** Until everything that was asked for is shown. */
const settled = (page: WatchedPage) =>
  page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });

async function clipboard(page: WatchedPage): Promise<string> {
  return await page.evaluate('navigator.clipboard.readText()');
}

test('a merchant is created, its sheet is copied, and its key takes a payment until it is deactivated', async () => {
  const page = await operatorAt('merchants');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const publicUrl = 'https://pay.example.pt/base';
  await page.route(/session\.current/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('"publicUrl":null', `"publicUrl":"${publicUrl}"`);
    await route.fulfill({ response, body });
  });
  await page.reload();
  await page.getByRole('button', { name: 'New merchant' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Webhook URL').fill('http://lua.pt');
  await dialog.getByLabel('Owner’s email').fill('dona');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Enter at least one domain.').waitFor();
  for (const label of ['Shop name', 'Store domains', 'Webhook URL', 'Owner’s email']) {
    expect(await dialog.getByLabel(label).getAttribute('aria-invalid'), label).toBe('true');
  }
  await dialog.getByLabel('Webhook URL').fill('');
  await dialog.getByLabel('Owner’s email').fill('');
  await dialog.getByLabel('Shop name').fill('Livraria Lua');
  await dialog.getByLabel('Store domains').fill('livraria.pt\nhttps://lua.pt');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('https://lua.pt: This is a URL. Enter only the domain,').waitFor();
  expect(await dialog.getByLabel('Store domains').getAttribute('aria-invalid')).toBe('true');
  expect(await dialog.getByRole('alert').count()).toBe(0);
  await dialog.getByLabel('Store domains').fill('livraria.pt\nlua.pt');
  await dialog.getByLabel('Owner’s email').fill('dona@livraria.pt');
  await expectSound(page, 'merchant-new-en-1280');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Livraria Lua is ready').waitFor();
  await expectSound(page, 'merchant-sheet-en-1280');
  await dialog.getByRole('button', { name: 'Copy all' }).click();
  const sheet = await clipboard(page);
  const apiKey = /sk_[\w-]+/.exec(sheet)?.[0] ?? '';
  expect(sheet).toMatch(/whsec_/);
  for (const path of ['/api/v1\n', '/docs\n', '/backoffice/link#'])
    expect(sheet).toContain(`\n${publicUrl}${path}`);
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'I have copied it' }).click();

  const merchant = api(office.service.url, apiKey);
  const order = { ...ORDER, storeUrl: 'https://lua.pt' };
  expect(await merchant.post('/payments/init', order)).toMatchObject({ status: 200 });
  await page.getByRole('button', { name: 'Livraria Lua' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('livraria.pt, lua.pt').waitFor();
  expect(await drawer.innerText()).not.toContain(apiKey);
  await drawer.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('ACCOUNT_INACTIVE').waitFor();
  expect(await axe(page)).toEqual([]);
  await page
    .getByRole('dialog', { name: 'Deactivate Livraria Lua?' })
    .getByRole('button', { name: 'Deactivate' })
    .click();
  await page.getByText('Merchant deactivated.').waitFor();
  expect(await merchant.post('/payments/init', order)).toMatchObject({
    status: 403,
    body: { code: 'ACCOUNT_INACTIVE' },
  });
  // Opened and left, so that its pages know that it is deactivated.
  await drawer.getByRole('link', { name: 'Open' }).click();
  const deactivated = page.getByText('This merchant is deactivated');
  await deactivated.waitFor();
  await page.goBack();
  await drawer.getByRole('button', { name: 'Activate', exact: true }).click();
  await page.getByRole('dialog', { name: 'Activate' }).getByRole('button', { name: 'Activate' }).click();
  await page.getByText('Merchant activated.').waitFor();
  expect(await merchant.post('/payments/init', order)).toMatchObject({ status: 200 });
  await drawer.getByRole('link', { name: 'Open' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(await deactivated.count()).toBe(0);
});

test('the sheet of a new merchant names the guides in its language', async () => {
  const page = await operatorAt('merchants', { language: 'pt' });
  await page.getByRole('button', { name: 'Novo comerciante' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Nome da loja').fill('Livraria Sol');
  await dialog.getByLabel('Domínios da loja').fill('sol.pt');
  await dialog.getByRole('button', { name: 'Criar' }).click();
  await dialog.getByText('Livraria Sol está pronto').waitFor();
  await dialog.getByText(`Documentação\n${office.service.url}/docs/pt`).waitFor();
});

test('payments are held, and refund events sent, from the drawer of a merchant', async () => {
  const page = await operatorAt('merchants');
  await page.getByRole('button', { name: 'Padaria da Praça' }).click();
  for (const [button, consequence, state] of [
    ['Hold payments', 'the merchant sees the sale as pending', 'New payments are put on hold'],
    ['Send refund events', 'The shop receives payment.refunded', 'Refund events are sent'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    const asked = page.getByRole('dialog', { name: /Padaria da Praça\?$/ });
    await asked.getByText(consequence).waitFor();
    await asked.getByRole('button', { name: button }).click();
    await page.getByText(state, { exact: true }).waitFor();
  }
  await shoot(page, 'merchant-en-1280');
  const { db } = office.service.app.deps;
  expect(await selectRow(db, 'merchants', { name: 'Padaria da Praça' })).toMatchObject({
    hold: 1,
    refund_events: 1,
  });
});

test('a second click while the dialog closes does not undo the choice', async () => {
  const page = await operatorAt('merchants');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/merchants.set')) sent.push(request.postDataJSON());
  });
  await page.getByRole('button', { name: 'Padaria da Praça' }).click();
  await page.getByRole('button', { name: 'Disallow refunds' }).click();
  const asked = page.getByRole('dialog', { name: /refund/ });
  await asked.getByRole('button', { name: 'Disallow refunds' }).click();
  const answer = asked.locator('button[type=submit]');
  while ((await asked.count()) > 0)
    await answer.dispatchEvent('click', {}, { timeout: 50 }).catch(() => null);
  await page.getByText('Only operators refund').waitFor();
  expect(sent).toEqual([expect.objectContaining({ refunds: false })]);
});

test('the keys of a bank account are checked, saved and never shown again', async () => {
  const page = await operatorAt('merchants');
  await page.getByRole('button', { name: 'Padaria da Praça' }).click();
  await page.getByRole('button', { name: 'Set own account' }).click();
  const form = page.getByRole('dialog', { name: 'Bank account: Padaria da Praça' });
  await form.getByLabel('MB WAY key').fill('nonsense');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Format: ABC-123456').first().waitFor();
  expect(await axe(page)).toEqual([]);
  await form.getByLabel('MB WAY key').fill('QWE-471147');
  await form.getByLabel('Multibanco key').fill('RTZ-825828');
  await form.getByLabel('Backoffice key').fill('9182-7364-5546-3728');
  await form.getByLabel('Anti-phishing key').fill('Nao.Mordas.4711');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Account saved.').waitFor();
  await page.getByText('Own account', { exact: true }).first().waitFor();
  for (const secret of ['QWE-471147', '9182-7364', 'Nao.Mordas']) {
    expect(await page.content()).not.toContain(secret);
  }
});

test('a campaign in the address that the newest leads do not have is shown', async () => {
  const page = await operatorAt('leads?campaign=outono');
  await page.getByRole('heading', { name: 'No leads found' }).waitFor();
  expect(await page.getByRole('combobox', { name: 'Campaign' }).inputValue()).toBe('outono');
});

test('a person is erased: gone from the list and from the books, with amounts and states left', async () => {
  const page = await operatorAt('leads');
  await page.getByRole('button', { name: 'Brites Pombal' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('S-1001').waitFor();
  await settled(page);
  await expectSound(page, 'lead-en-1280');
  await drawer.getByRole('button', { name: 'Erase this person’s data' }).click();
  const asked = page.getByRole('dialog', { name: 'Erase this person’s data?' });
  await asked.getByText('They cannot be restored.').waitFor();
  await shoot(page, 'lead-erase-en-1280');
  await asked.getByRole('button', { name: 'Erase permanently' }).click();
  await drawer.getByText(/^Erased(\. | on )/).waitFor();
  await drawer.getByText('€42.50').first().waitFor();
  expect(await page.content()).not.toContain('brites.pombal');
  await drawer.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Data erased').first().waitFor();
  await page.getByLabel('Search').fill('brites');
  await page.getByRole('heading', { name: 'No leads found' }).waitFor();
});

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
  const person = await office.signIn({ email, merchantId: shop.merchantId, at: 'methods' });
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
