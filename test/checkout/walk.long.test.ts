import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { shoot } from '../backoffice/web/support.ts';
import { openBrowser } from '../support/browser.ts';
import { temporaryFolder } from '../support/database.ts';
import { freePort, ready, run } from '../support/process.ts';
import { until } from '../support/until.ts';

const WALK_MS_MAX = 120_000;
const PHONE = { width: 390, height: 844 };

test('from the first start to a paid link and a mail to its owner in two minutes, in browsers alone', async () => {
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const startedAt = performance.now();
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const program = run('src/main.ts', [], {
    SERVICE_DATABASE_URL: `sqlite:${join(temporaryFolder(), 'service.db')}`,
    SERVICE_PORT: String(port),
    SERVICE_SANDBOX_PORT: String(sandboxPort),
  });
  await ready(program, `http://127.0.0.1:${port}`);
  const [, email = '', password = ''] = await until(
    () => /the shop +(\S+), password (\S+)/.exec(program.out()),
    'the printed login',
  );
  const open = async (path: string, viewport = { width: 1280, height: 900 }) => {
    const page = await browser.newPage({ locale: 'pt-PT', viewport });
    page.setDefaultTimeout(30_000);
    await page.goto(path);
    return page;
  };

  const office = await open(`http://127.0.0.1:${port}/backoffice`);
  await office.getByLabel('E-mail').fill(email);
  await office.getByLabel('Palavra-passe', { exact: true }).fill(password);
  await office.keyboard.press('Enter');
  await office.getByRole('link', { name: 'Links de pagamento' }).click();
  await office.getByRole('button', { name: 'Criar link' }).click();
  const dialog = office.getByRole('dialog', { name: 'Criar um link de pagamento' });
  await dialog.getByLabel('Título').fill('Bolo de aniversário');
  await dialog.getByLabel('Valor em euros').fill('12,50');
  await dialog.getByRole('button', { name: 'Criar link' }).click();
  const link = office.getByRole('dialog', { name: 'Link de pagamento' });
  const url = await link.getByRole('link', { name: 'Abrir a página' }).getAttribute('href');

  const bank = await open(`http://127.0.0.1:${sandboxPort}/`, PHONE);
  const push = bank.locator('.push:not(.done)');
  const shopper = await open(url ?? '', PHONE);
  await shopper.getByLabel('Número de telemóvel').fill('912 345 678');
  await shopper.getByRole('button', { name: 'Pagar com MB WAY' }).click();
  await push.getByText('Demo Shop').waitFor();
  await push.getByRole('button', { name: 'Recusar' }).click();
  await shopper.getByText('O pedido MB WAY foi recusado').waitFor();

  // The shopper also asks for a reference, and pays it by mistake once the second push is paid.
  await shopper.getByRole('button', { name: 'Pagar por Multibanco' }).click();
  const [entity, reference] = await Promise.all(
    ['Entidade', 'Referência'].map((name) =>
      shopper.getByRole('button', { name: `Copiar ${name}` }).getAttribute('data-copy'),
    ),
  );
  expect(await shopper.getByLabel('Número de telemóvel').inputValue()).toBe('912 345 678');
  await shopper.getByRole('button', { name: /com MB WAY/ }).click();
  await push.getByRole('button', { name: 'Aceitar' }).click();
  await shopper.getByText('Pagamento confirmado').waitFor();
  await link.getByRole('link', { name: /-1$/ }).waitFor();
  const mailbox = bank.locator('#mails');
  // A payment that fits its order is no reason for a mail to its owner.
  expect(await mailbox.locator('.mail').count()).toBe(0);

  await bank.goto(`http://127.0.0.1:${sandboxPort}/#entity=${entity}&reference=${reference}&amount=12.50`);
  await bank.reload();
  await bank.getByRole('button', { name: 'Continuar' }).click();
  await bank.getByText('Pagamento efetuado').waitFor();
  const mail = mailbox.locator('.mail').filter({ hasText: email });
  await mail.locator('.what', { hasText: /12,50\s€ em duplicado/ }).waitFor();
  await mail.getByText('Ler').click();
  await mail.getByText('Bolo de aniversário').waitFor();
  const resolve = await mail.getByRole('link', { name: /\/exceptions$/ }).getAttribute('href');
  expect(performance.now() - startedAt).toBeLessThan(WALK_MS_MAX);
  await office.goto(resolve ?? '');
  await office
    .getByText(/duplicado/i)
    .first()
    .waitFor();
  await office.getByText('Bolo de aniversário').waitFor();
  await shoot(office, 'walk-exceptions');
  await shoot(bank, 'walk-bank');
});
