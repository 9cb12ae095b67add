import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { axe, openBackoffice, overflows, PASSWORD, shoot } from './support.ts';

test('the account page asks for the code as well when the two-factor authentication is on', async () => {
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
    const sealed = deps.box.seal(secret, `users.totp_secret:${id}`);
    await tx.updateTable('users').set({ totp_secret: sealed }).execute();
  });
  await page.reload();
  await page.getByLabel('Palavra-passe atual').fill(PASSWORD);
  await page.getByLabel('Nova palavra-passe').fill('sete barcos no porto');
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await code.fill(totp.generate({ timestamp: deps.clock.now() }));
  expect(await axe(page)).toEqual([]);
  expect(await overflows(page)).toBe(false);
  await shoot(page, 'account-code-pt-390');
  await page.getByRole('button', { name: 'Alterar palavra-passe' }).click();
  await page.getByText('Palavra-passe alterada.').waitFor();
  expect(await code.inputValue()).toBe('');
  expect(page.troubles()).toEqual([]);
}, 60_000);
