import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { axe, overflows } from '../backoffice/web/support.ts';
import { sharedBrowser } from '../support/browser.ts';
import { startService } from '../support/harness.ts';
import { MB_KEY, receiver, sandbox } from './support.ts';

const browser = await sharedBrowser(afterAll);

/** Opens a page at phone width and records its errors and hosts. */
async function open(url: string, locale: string) {
  const context = await browser.newContext({ locale, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const troubles: string[] = [];
  const hosts = new Set<string>();
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));
  await page.goto(url);
  return { page, troubles, hosts };
}

test('an ignored push stays open and can be reopened', async () => {
  const bank = await sandbox({ clock: systemClock });
  const { RequestId } = (await bank.push('912345678')).body;
  const { page } = await open(bank.url, 'en-GB');
  const card = page.getByRole('article', { name: 'Loja do Bairro 2041' });
  await card.getByText('Time left').waitFor();
  expect(await card.getByText('12,50 €').count()).toBe(1);
  await card.getByRole('button', { name: 'Ignore' }).click();
  await card.getByText('Ignored', { exact: false }).waitFor();
  expect(await card.getByRole('button', { name: 'Accept' }).count()).toBe(0);
  expect((await bank.status(RequestId)).Status).toBe('123');
  await page.keyboard.press('Enter');
  await card.getByRole('button', { name: 'Accept' }).click();
  await card.getByText('Paid', { exact: false }).waitFor();
});

test('the keypad fills the fields in order, and the receipt shows the amount due', async () => {
  const bank = await sandbox({ clock: systemClock });
  const callbacks = await receiver();
  await bank.activate(callbacks.template, { entidade: 'MB', subentidade: MB_KEY });
  const made = (await bank.reference()).body;
  const { page } = await open(bank.url, 'pt-PT');
  for (const digit of `${made.Entity}${made.Reference}`)
    await page.getByRole('button', { name: digit, exact: true }).click();
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByText('Pagamento efetuado').waitFor();
  await page.locator('.paper').getByText('45,00 €').waitFor();
  await page.getByText('Aceite: 200').waitFor();
  expect((await bank.record({ entity: 'MB' })).map((row) => Number(row.amount))).toEqual([45]);
  await page.getByRole('button', { name: 'Anular' }).click();
  expect(await page.getByLabel('Entidade').inputValue()).toBe('');
});

test('the address fills in a reference or a phone number', async () => {
  const bank = await sandbox({ clock: systemClock });
  const { page } = await open(
    `${bank.url}/#entity=11990&reference=123456789&amount=19.90&phone=912345678`,
    'en-GB',
  );
  expect(await page.getByLabel('Reference').inputValue()).toBe('123\u00a0456\u00a0789');
  expect(await page.getByLabel('Amount').inputValue()).toBe('19,90');
  expect(await page.getByLabel('Phone number').inputValue()).toBe('912\u00a0345\u00a0678');
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByText('Unknown entity and reference.').waitFor();
  await page.getByText('Webhooks are shown only on the computer that runs the service').waitFor();
  await page.goto(`${bank.url}/#language=pt`);
  await page.getByRole('heading', { name: 'Banco de testes' }).waitFor();
  await page.getByRole('button', { name: 'EN' }).click();
  await page.getByText('TEST MONEY', { exact: true }).waitFor();
});

test('the page passes axe, does not scroll sideways on a phone and requests no other host', async () => {
  const bank = await sandbox({ clock: systemClock });
  await bank.push('911000001');
  await bank.push('912345678');
  for (const locale of ['pt-PT', 'en-GB']) {
    const { page, troubles, hosts } = await open(bank.url, locale);
    await page.getByText('TEST MONEY', { exact: true }).waitFor();
    expect(await page.title()).toContain('TEST MONEY');
    await page.locator('.push .accept:visible').waitFor();
    await page.locator('.pay').click();
    await page.locator('.paper.failed').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    expect(troubles).toEqual([]);
    expect([...hosts].filter((origin) => origin !== bank.url && origin !== 'null')).toEqual([]);
  }
});

test('the content of a webhook does not widen the page on a phone', async () => {
  const service = await startService();
  const merchant = await service.merchant({ webhookUrl: 'https://127.0.0.1:9/hooks' });
  await merchant.pay();
  const { page } = await open(service.sandboxUrl, 'en-GB');
  await page.getByText('Show content').first().click();
  await page.getByText('"externalOrderId": "ORDER-1"').waitFor();
  expect(await overflows(page)).toBe(false);
});
