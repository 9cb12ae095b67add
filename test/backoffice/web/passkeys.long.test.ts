import { expect, test } from 'vitest';
import { updateRows } from '../../support/rows.ts';
import { expectSound, expectSoundInWidths, openBackoffice, PASSWORD, type WatchedPage } from './support.ts';

const office = await openBackoffice();
const { deps } = office.service.app;
/** Passkeys cannot be bound to 127.0.0.1. */
const AT = office.url.replace('127.0.0.1', 'localhost');

/** Gives the page's browser a device that has a fingerprint reader and stores passkeys. */
async function addAuthenticator(page: WatchedPage) {
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verifies: (isUserVerified: boolean) =>
      browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

async function signIn(page: WatchedPage, email: string): Promise<void> {
  await page.getByLabel(/^E-?mail$/).fill(email);
  await page.getByLabel(/^(Password|Palavra-passe)$/).fill(PASSWORD);
  await page.getByRole('button', { name: /^(Sign in|Iniciar sessão)$/ }).click();
}

test('a person adds a passkey, signs in with it, confirms with it and removes it', async () => {
  const shop = await office.service.merchant({ name: 'Loja da Ana' });
  const { email } = await office.person({ role: 'owner', merchantId: shop.merchantId });
  const page = await office.open(`${AT}/account`, { language: 'pt' });
  const device = await addAuthenticator(page);
  await page.getByRole('button', { name: 'Entrar com chave de acesso' }).waitFor();
  await expectSoundInWidths(page, 'passkey-sign-in-pt');
  await signIn(page, email);

  await page.getByRole('button', { name: 'Adicionar chave de acesso' }).click();
  const name = page.getByLabel('Nome da chave de acesso');
  expect(await name.inputValue()).not.toBe('');
  // The service would refuse it after the device has made the passkey.
  await name.fill(' ');
  expect(await page.getByRole('button', { name: 'Continuar' }).isDisabled()).toBe(true);
  await name.fill('Portátil da loja');
  await expectSoundInWidths(page, 'passkey-add-pt');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByText('Chave de acesso adicionada.').waitFor();
  await page.getByText('Portátil da loja').waitFor();
  await expectSoundInWidths(page, 'passkey-account-pt');

  await page.context().clearCookies();
  await page.goto(`${AT}/account`);
  const enter = page.getByRole('button', { name: 'Entrar com chave de acesso' });
  await device.verifies(false);
  await enter.click();
  await page.locator('button:not([data-loading])', { hasText: 'Entrar com chave de acesso' }).waitFor();
  expect(await page.getByRole('heading', { name: 'A sua conta' }).count()).toBe(0);
  await device.verifies(true);
  const gate = Promise.withResolvers<void>();
  await page.route('**/trpc/session.current*', (route) => gate.promise.then(() => route.continue()));
  const read = page.waitForRequest('**/trpc/session.current*');
  await enter.click();
  await read;
  await page.locator('button[data-loading]').waitFor();
  gate.resolve();
  await page.getByRole('heading', { name: 'A sua conta' }).waitFor();

  await office.growStale();
  await page.getByRole('button', { name: 'Remover a chave de acesso Portátil da loja' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remover' }).click();
  await page.getByRole('button', { name: 'Confirmar com chave de acesso' }).waitFor();
  await expectSoundInWidths(page, 'passkey-confirm-pt');
  await page.getByRole('button', { name: 'Confirmar com chave de acesso' }).click();
  await page.getByText('Chave de acesso removida.').waitFor();
  await page.locator('strong', { hasText: 'Portátil da loja' }).waitFor({ state: 'detached' });
}, 90_000);

test('a passkey is the second factor that a team requires, and signs in again over a page', async () => {
  const shop = await office.service.merchant({ name: 'Loja do Rui' });
  await updateRows(deps.db, 'merchants', { team_factor_at: deps.clock.now() }, { id: shop.merchantId });
  const { id, email } = await office.person({ role: 'owner', merchantId: shop.merchantId });
  const page = await office.open(`${AT}/account`);
  await addAuthenticator(page);
  await signIn(page, email);
  await page.getByRole('button', { name: 'Add a passkey instead' }).waitFor();
  await expectSoundInWidths(page, 'passkey-required-en');
  await page.getByRole('button', { name: 'Add a passkey instead' }).click();
  await page.getByLabel('Name of the passkey').fill('Shop laptop');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();

  await page.context().clearCookies();
  await page.goto(`${AT}/account`);
  await signIn(page, email);
  await page.getByRole('heading', { name: 'Confirm with your passkey' }).waitFor();
  await expectSoundInWidths(page, 'passkey-second-factor-en');
  await page.getByRole('button', { name: 'Use your passkey' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();

  await office.growStale();
  await page.getByRole('button', { name: 'Remove the passkey Shop laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
  await dialog.getByRole('button', { name: 'Confirm with a passkey' }).waitFor();
  expect(await dialog.getByLabel('Password').count()).toBe(0);
  await expectSound(page, 'passkey-only-en-1280');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Remove' });
  // Enabled again once the page was reloaded, which would otherwise find the session ended.
  await remove.click({ trial: true });

  await deps.db.unit((tx) => tx.deleteFrom('sessions').where('user_id', '=', id).execute());
  await remove.click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await expectSoundInWidths(page, 'passkey-again-en');
  await again.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('Passkey removed.').waitFor();
}, 90_000);

test('at an address without passkeys the account page names the one with them', async () => {
  const shop = await office.service.merchant();
  const page = await office.signIn({ merchantId: shop.merchantId, phone: true, at: '/account' });
  await page.getByText(`Open the back office at ${new URL(AT).origin}.`).waitFor();
  expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0);
  await expectSound(page, 'passkey-elsewhere-en-390');
}, 60_000);
