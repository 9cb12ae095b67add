import { expect, test } from 'vitest';
import { inviteMember } from '../../../src/backoffice/team/invite.ts';
import { setMerchant } from '../../../src/merchants/set-merchant.ts';
import { totpCode } from '../support.ts';
import {
  axe,
  expectSound,
  expectSoundInWidths,
  openBackoffice,
  PASSWORD,
  shoot,
  type WatchedPage,
} from './support.ts';

const office = await openBackoffice();
const shop = await office.service.merchant({ name: 'Loja da Ana' });

async function fillIn(page: WatchedPage, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The code of a secret; `ahead` steps of 30 s from now, as each counts once. */
function codeOf(secret: string, ahead = 0): string {
  return totpCode(secret.replaceAll(' ', ''), Date.now() + ahead * 30_000);
}

test('after an owner turns two-factor authentication on, the sign-in also asks for its code', async () => {
  const { email } = await office.person({ merchantId: shop.merchantId });
  const page = await office.open('/account');
  await page.waitForURL('**/sign-in?next=%2Faccount');
  await fillIn(page, email, 'not this one at all');
  await page.getByRole('alert').getByText('Incorrect email or password.').waitFor();
  expect(await axe(page)).toEqual([]);
  await fillIn(page, email, PASSWORD);
  await page.getByRole('heading', { name: 'Your account' }).waitFor();

  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = await page
    .getByRole('dialog')
    .getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/)
    .innerText();
  await expectSound(page, 'account-set-up-en-1280');
  await page.getByLabel('Six-digit code').fill('000 000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('Incorrect code.').waitFor();
  const used = codeOf(secret);
  await page.getByLabel('Six-digit code').fill(used);
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await codes.last().waitFor();
  expect(await codes.count()).toBe(10);
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Copy all');
  const recovery = await codes.first().innerText();
  await expectSound(page, 'account-recovery-codes-en-1280');
  await page.getByRole('button', { name: 'I have stored the codes' }).click();
  await page.getByText('Each sign-in asks for a code').waitFor();
  await page.getByText('10 recovery codes left').waitFor();
  await shoot(page, 'account-on-en-1280');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
  await fillIn(page, email, PASSWORD);
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  await expectSound(page, 'sign-in-code-en-1280');
  await page.getByLabel('Six-digit code').fill(used);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This code was already used.').waitFor();
  await page.getByLabel('Six-digit code').fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`**/m/${shop.merchantId}`);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await fillIn(page, email, PASSWORD);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await expectSound(page, 'sign-in-recovery-en-1280');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`**/m/${shop.merchantId}`);
  await page.goto('/account');
  await page.getByText('9 recovery codes left').waitFor();

  const viewer = await office.signIn({ merchantId: shop.merchantId, role: 'viewer', phone: true });
  await page.goto(`/m/${shop.merchantId}/team`);
  await page.getByText('Members decide for themselves.').waitFor();
  await expectSoundInWidths(page, 'team-factor-en');
  await page.setViewportSize({ width: 390, height: 900 });
  const cut = (element: { scrollWidth: number; clientWidth: number }) =>
    element.scrollWidth > element.clientWidth;
  expect(await page.getByRole('button', { name: 'Make owner' }).evaluate(cut)).toBe(false);
  await page.getByRole('button', { name: 'Require for the team' }).click();
  const dialog = page.getByRole('dialog', { name: 'Require two-factor authentication?' });
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Require for the team' }).click();
  await page.getByText('Every member must use two-factor authentication.').waitFor();
  await viewer.goto(`/m/${shop.merchantId}`);
  await viewer.getByText('A team that you belong to requires two-factor authentication.').waitFor();
  await expectSound(viewer, 'team-factor-due-en-390');
  await page.getByRole('button', { name: 'Make optional' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make optional' }).click();
  await page.getByText('Members decide for themselves.').waitFor();
});

test('the button of a sign-in stays busy until the page of the person is loaded', async () => {
  const { email } = await office.person({ merchantId: shop.merchantId });
  const page = await office.open('/sign-in');
  await page.getByLabel('Email').waitFor();
  const gate = Promise.withResolvers<void>();
  await page.route('**/trpc/session.current*', (route) => gate.promise.then(() => route.continue()));
  const read = page.waitForRequest('**/trpc/session.current*');
  await fillIn(page, email, PASSWORD);
  await read;
  await page.locator('button[type=submit][data-loading]').waitFor();
  gate.resolve();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('a person with an initial password must choose their own, acceptable one before anything else', async () => {
  const { email, password } = await office.person({ merchantId: shop.merchantId, firstPassword: true });
  const page = await office.open('/sign-in');
  await fillIn(page, email, password);
  await page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
  await page.goto(`/m/${shop.merchantId}`);
  await page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
  await expectSound(page, 'first-password-en-1280');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.getByText('Use at least 12 characters.').waitFor();
  await page.getByLabel('New password').fill('cinco gatos na praia');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.waitForURL(`**/m/${shop.merchantId}`);
  await page.getByRole('navigation', { name: 'Merchant pages' }).waitFor();
});

test('an invitation lets a new person in once; a second visit shows that it was used', async () => {
  const owner = await office.signIn({ merchantId: shop.merchantId, at: 'team' });
  await owner.getByRole('button', { name: 'Invite' }).click();
  await owner.getByLabel('Email').fill('nova@shop.pt');
  expect(await axe(owner)).toEqual([]);
  await owner.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  await owner.getByRole('dialog', { name: 'The invitation is ready' }).waitFor();
  await expect.poll(() => owner.locator('[role=dialog]:focus-within').count()).toBe(1);
  const link = await owner.getByRole('dialog').getByText('/backoffice/link#').innerText();
  await shoot(owner, 'team-link-en-1280');
  await owner.getByRole('button', { name: 'Done' }).click();
  await owner.getByRole('table', { name: 'Pending invitations' }).getByText('nova@shop.pt').waitFor();

  const guest = await office.open(link, { phone: true });
  await guest.getByRole('heading', { name: 'Invitation to Loja da Ana' }).waitFor();
  await expectSound(guest, 'link-invite-en-390');
  await guest.getByLabel('New password').fill('cinco gatos na praia');
  await guest.getByRole('button', { name: 'Save and sign in' }).click();
  await guest.waitForURL(`**/m/${shop.merchantId}`);

  const second = await office.open(link);
  await second.getByRole('heading', { name: 'This link does not work' }).waitFor();
  expect(await axe(second)).toEqual([]);
});

test('a new link pasted over one that does not work is shown', async () => {
  const page = await office.open('/backoffice/link#ended');
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
  const invited = { email: 'colada@shop.pt', role: 'viewer' } as const;
  const { link } = await inviteMember(office.service.app.deps, shop.merchantId, invited);
  await page.goto(link);
  await page.getByRole('heading', { name: 'Invitation to Loja da Ana' }).waitFor();
});

test('a person with an account joins a second merchant with it and can switch between the two', async () => {
  const { email } = await office.person({ merchantId: shop.merchantId });
  const other = await office.service.merchant({ name: 'Loja do Rui' });
  const long = await office.service.merchant({ name: 'Comprimentíssima'.repeat(6) });
  await office.person({ email, merchantId: long.merchantId });
  const { link } = await inviteMember(office.service.app.deps, other.merchantId, { email, role: 'viewer' });
  const page = await office.open(link);
  await page.getByRole('button', { name: 'Sign in to accept' }).click();
  await fillIn(page, email, PASSWORD);
  await page.getByRole('button', { name: 'Join the team' }).click();
  await page.getByRole('heading', { name: 'Your merchants' }).waitFor();
  await expectSoundInWidths(page, 'landing-en');
  await page.getByRole('main').getByRole('link', { name: 'Loja do Rui' }).click();
  await page.waitForURL(`**/m/${other.merchantId}`);
  // The heading of a new page takes the focus, which closes the select.
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const choice = page.getByRole('combobox', { name: 'Switch merchant' });
  // Found without its accent, as by an operator.
  await choice.fill('COMPRIMENTISSIMA');
  await page.getByRole('option', { name: 'Loja da Ana' }).waitFor({ state: 'detached' });
  await page.getByRole('option', { name: /^Comprimentíssima/ }).waitFor();
  await choice.fill('ana');
  await page.getByRole('option', { name: 'Loja da Ana', exact: true }).click();
  await page.waitForURL(`**/m/${shop.merchantId}`);
});

test('a session that was ended in another browser returns to the sign-in page on its next step', async () => {
  const email = 'duas@shop.pt';
  const lost = await office.signIn({ email, merchantId: shop.merchantId, at: 'methods' });
  await lost.getByRole('heading', { name: 'MB WAY' }).waitFor();
  const page = await office.signIn({ email, at: '/account' });
  await page.getByText('This browser').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: /^Sign out of/ }).click();
  await page.getByText('Session ended.').waitFor();
  await lost.getByRole('link', { name: 'Team' }).click();
  await lost.getByRole('button', { name: 'Go to the sign-in page' }).click();
  await lost.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
});

test('a person who signs in where the session of another ended sees nothing of that session', async () => {
  const other = await office.service.merchant({ name: 'Loja de Braga' });
  const { email } = await office.person({ email: 'braga@shop.pt', merchantId: other.merchantId });
  const page = await office.signIn({ role: 'operator', email: 'ausente@platform.pt' });
  await page.goto(`/m/${shop.merchantId}/methods`);
  await page.getByRole('heading', { name: 'MB WAY' }).waitFor();
  await page.context().clearCookies();
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('button', { name: 'Go to the sign-in page' }).click();
  await fillIn(page, email, PASSWORD);
  await page.getByText(email).waitFor();
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(await page.getByText('Loja da Ana').count()).toBe(0);
});

test('a page stays with its person: it loads again when another signs in elsewhere in the browser', async () => {
  const other = await office.service.merchant({ name: 'Loja de Évora' });
  const page = await office.signIn({ role: 'operator', email: 'primeira@platform.pt' });
  await page.goto(`/m/${shop.merchantId}/methods`);
  await page.getByRole('heading', { name: 'MB WAY' }).waitFor();
  const second = await office.signIn({ email: 'evora@shop.pt', merchantId: other.merchantId });
  await page.context().addCookies(await second.context().cookies());
  await page.getByRole('button', { name: 'Português' }).click();
  await page.getByText('evora@shop.pt').waitFor();
  await page.getByRole('heading', { name: 'Página não encontrada' }).waitFor();
  expect(await page.getByText('Loja da Ana').count()).toBe(0);
});

test('an owner changes a role and removes a member; the last owner stays', async () => {
  const store = await office.service.merchant({ name: 'Loja do Porto' });
  const page = await office.signIn({ email: 'dona@shop.pt', merchantId: store.merchantId });
  await office.person({ email: 'rui@shop.pt', merchantId: store.merchantId, role: 'viewer' });
  await page.goto(`/m/${store.merchantId}/team`);
  const role = (email: string) => page.getByRole('row', { name: email }).getByRole('cell').nth(1);
  await page.getByRole('button', { name: 'Make viewer: dona@shop.pt' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('You will no longer be able to change anything').waitFor();
  await dialog.getByRole('button', { name: 'Make viewer' }).click();
  await dialog.getByText('A merchant needs an owner.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Make owner: rui@shop.pt' }).focus();
  for (const key of ['ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  await dialog.getByText('Owners can view and change everything').waitFor();
  expect(await role('rui@shop.pt').textContent()).toContain('Viewer');
  await shoot(page, 'team-role');
  await dialog.getByRole('button', { name: 'Make owner' }).click();
  await page.getByText('Role of rui@shop.pt changed.').waitFor();
  await page.getByRole('button', { name: 'Remove rui@shop.pt' }).click();
  await dialog.getByText('API keys that they copied keep working').waitFor();
  await shoot(page, 'team-remove');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('rui@shop.pt removed.').waitFor();
  await page.getByRole('cell', { name: 'rui@shop.pt', exact: true }).waitFor({ state: 'detached' });
});

test('an owner who removes themselves leaves the merchant’s pages at once', async () => {
  const store = await office.service.merchant({ name: 'Loja de Faro' });
  const page = await office.signIn({ email: 'faro@shop.pt', merchantId: store.merchantId });
  await office.person({ email: 'socia@shop.pt', merchantId: store.merchantId });
  await page.goto(`/m/${store.merchantId}/team`);
  await page.getByRole('button', { name: 'Remove faro@shop.pt' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('You lose access to this merchant at once.').waitFor();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('faro@shop.pt removed.').waitFor();
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
});

test('every page of a deactivated merchant shows a notice', async () => {
  const store = await office.service.merchant({ name: 'Loja de Beja' });
  await setMerchant(office.service.app.deps, store.merchantId, { active: false });
  const page = await office.signIn({ merchantId: store.merchantId, language: 'pt', phone: true });
  for (const path of ['', '/transactions', '/team', '/developers']) {
    await page.goto(`/m/${store.merchantId}${path}`);
    await page.getByRole('note').filter({ hasText: 'Este comerciante está desativado' }).waitFor();
  }
  const inactive = 'Chave principal: não funciona enquanto o comerciante estiver desativado';
  await page.getByRole('heading', { name: inactive }).waitFor();
  await expectSound(page, 'deactivated-pt');
  await page.getByRole('button', { name: 'Abrir o menu' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'English' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('note').filter({ hasText: 'This merchant is deactivated' }).waitFor();
  await page.getByText('Main key: does not work while the merchant is deactivated').waitFor();
});
