import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import { setBankAccount } from '../../../src/banks/set-account.ts';
import { CREDENTIALS } from '../../banks/support.ts';
import { REAL_BANK } from '../../support/harness.ts';
import { totpCode } from '../support.ts';
import { expectSound, expectSoundInWidths, openBackoffice, PASSWORD } from './support.ts';

test('the account page also asks for the code when two-factor authentication is on', async () => {
  const office = await openBackoffice();
  const shop = await office.service.merchant();
  const { deps } = office.service.app;
  const page = await office.signIn({ merchantId: shop.merchantId, language: 'pt', phone: true });
  await page.goto('/account');
  await page.getByRole('button', { name: 'Alterar palavra-passe' }).waitFor();
  const code = page.getByLabel('Código da aplicação de autenticação');
  expect(await code.count()).toBe(0);

  const secret = new Secret({ size: 20 }).base32;
  await deps.db.unit(async (tx) => {
    const { id } = await tx.selectFrom('users').select('id').executeTakeFirstOrThrow();
    const encrypted = deps.box.encrypt(secret, `users.totp_secret:${id}`);
    await tx.updateTable('users').set({ totp_secret: encrypted }).execute();
  });
  await page.reload();
  await page.getByLabel('Palavra-passe atual').fill(PASSWORD);
  await page.getByLabel('Nova palavra-passe').fill('sete barcos no porto');
  await code.fill(totpCode(secret));
  await expectSound(page, 'account-code-pt-390');
  await page.getByRole('button', { name: 'Alterar palavra-passe' }).click();
  await page.getByText('Palavra-passe alterada.').waitFor();
  expect(await code.inputValue()).toBe('');
}, 60_000);

test('an operator of a real bank sets up two-factor authentication first, dismisses a new bank account, and polls without extending the session', async () => {
  const office = await openBackoffice({ env: REAL_BANK });
  const shop = await office.service.merchant({ name: 'Loja da Ana' });
  const { email } = await office.person({ role: 'operator' });
  const page = await office.open('/backoffice/operator/system', { language: 'pt', phone: true });
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Palavra-passe', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Iniciar sessão' }).click();
  await page.getByRole('heading', { name: 'Configurar autenticação de dois fatores' }).waitFor();
  const focused = () => page.evaluate('document.activeElement.tagName');
  await expect.poll(focused).toBe('MAIN');
  await expectSound(page, 'factor-due-pt-390');
  await page.getByRole('button', { name: 'Configurar' }).click();
  await page.getByRole('img', { name: 'Código QR' }).waitFor();
  await expectSound(page, 'factor-due-code-pt-390');
  const secret = await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).innerText();
  await page.getByLabel('Código de seis dígitos').fill(totpCode(secret.replaceAll(' ', '')));
  await page.getByRole('button', { name: 'Ativar' }).click();
  await page.getByRole('heading', { name: 'Os seus códigos de recuperação' }).waitFor();
  await expect.poll(focused).toBe('MAIN');
  await expectSound(page, 'factor-due-recovery-pt-390');
  await page.getByRole('button', { name: 'Já guardei os códigos' }).click();
  await page.getByRole('heading', { name: 'Sistema' }).waitFor();

  await setBankAccount(office.service.app.deps, {
    merchantId: shop.merchantId,
    credentials: CREDENTIALS,
  });
  await page.reload();
  const notice = page.getByRole('region', { name: 'Foi alterada uma conta bancária ou uma rota' });
  await notice.getByText('Loja da Ana: pelo serviço').waitFor();
  await expectSoundInWidths(page, 'bank-notice-pt');

  const nextPoll = async (isPoll: boolean) => {
    await page.waitForRequest(
      (call) =>
        call.url().includes('system.show') && (call.headers()['x-backoffice-poll'] === '1') === isPoll,
    );
  };
  await nextPoll(false);
  // The page is left alone.
  await page.clock.setFixedTime(Date.now() + 120_000);
  await nextPoll(true);
  await page.keyboard.press('Shift');
  await nextPoll(false);
  await notice.getByRole('button', { name: 'Dispensar' }).click();
  await notice.waitFor({ state: 'detached' });
}, 60_000);

test('a session that cannot be read after an accepted sign-in is reported, and can be loaded again', async () => {
  const office = await openBackoffice();
  const { merchantId } = await office.service.merchant();
  const { email } = await office.person({ merchantId });
  for (const phone of [true, false]) {
    const page = await office.open('/sign-in', { phone, language: phone ? 'pt' : 'en' });
    await page.getByLabel('E-mail').or(page.getByLabel('Email')).fill(email);
    await page.getByLabel(/^(Palavra-passe|Password)$/).fill(PASSWORD);
    await page.route('**/trpc/session.current*', (route) =>
      phone ? route.abort() : route.fulfill({ status: 500 }),
    );
    await page.keyboard.press('Enter');
    await page
      .getByRole('heading', { name: /^(Não foi possível carregar a gestão|The back office could not be)/ })
      .waitFor();
    expect(await page.evaluate('document.activeElement.role')).toBe('alert');
    await expectSound(page, `session-unread-${phone ? 'pt-390' : 'en-1280'}`);
    await page.unroute('**/trpc/session.current*');
    await page.getByRole('button', { name: /^(Tentar novamente|Try again)$/ }).press('Enter');
    await page.waitForURL(`**/m/${merchantId}`);
  }
});
