import type { Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openShop } from '../../scripts/checkout/open-shop.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { axe, overflows, shoot } from '../backoffice/web/support.ts';
import { sharedBrowser } from '../support/browser.ts';
import { startService } from '../support/harness.ts';
import { makeCertificate } from '../support/open-receiver.ts';

/** The default window, and a long bank timeout for a busy machine. */
const WINDOW = { SERVICE_MBWAY_WINDOW_SECONDS: '240', SERVICE_BANK_TIMEOUT_MS: '10000' };
const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

const browser = await sharedBrowser(afterAll);

/** Starts the example shop with a service and a bank, as `npm run shop` does. */
async function shopWithService(env: Record<string, string> = {}, webhookEnabled = true) {
  const certificate = await makeCertificate();
  const service = await startService({ webhookCa: certificate.cert, env });
  const merchant = await service.merchant({ name: 'Olaria Azul', domains: ['localhost'] });
  const shop = await openShop({
    baseUrl: `${service.url}/api/v1`,
    apiKey: merchant.apiKey,
    webhookSecret: merchant.webhookSecret,
    sandboxUrl: service.sandboxUrl,
    certificate,
    port: 0,
    mbwayWindowMs: service.app.deps.settings.mbwayWindowMs,
  });
  onTestFinished(() => shop.close());
  await setMerchant(service.app.deps, merchant.merchantId, {
    webhookUrl: shop.webhookUrl,
    webhookEnabled,
  });
  return { service, shop };
}

/** A customer in the shop, with the phone and the ATM in another tab. */
async function customer(shopUrl: string, viewport = WIDE) {
  const context = await browser.newContext({ locale: 'pt-PT', viewport, reducedMotion: 'reduce' });
  context.setDefaultTimeout(30_000);
  onTestFinished(() => context.close());
  const troubles: string[] = [];
  context.on('weberror', (error) => troubles.push(error.error().message));
  context.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  const page = await context.newPage();
  await page.goto(`${shopUrl}/`);
  return { page, troubles };
}

async function buy(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Finalizar compra' }).click();
  await page.getByRole('heading', { name: 'Como quer pagar?' }).waitFor();
}

async function askForPush(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Enviar pedido para o telemóvel' }).click();
  await page.getByRole('timer').waitFor();
}

/** Follows a link to the sandbox's page, which opens in a new tab. */
async function follow(page: Page, name: RegExp): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name }).click();
  return await opened;
}

/** Expects no accessibility violation on the page, and no horizontal overflow on a wide screen and on a phone. */
async function sound(page: Page, name: string): Promise<void> {
  const viewport = page.viewportSize() ?? WIDE;
  await shoot(page, name);
  expect(await axe(page), name).toEqual([]);
  for (const size of [WIDE, PHONE, viewport]) {
    await page.setViewportSize(size);
    expect(await overflows(page), name).toBe(false);
  }
}

const openPush = (phone: Page) => phone.locator('.push:not(.done)');

test('MB WAY from the product to the receipt: rejected, tried again, accepted manually', async () => {
  const { service, shop } = await shopWithService(WINDOW);
  const { page, troubles } = await customer(shop.url, PHONE);
  await page.getByRole('button', { name: 'Mais uma' }).click();
  await page.getByText('39,80 €').waitFor();
  await sound(page, 'shop-1-product');
  await buy(page);
  await sound(page, 'shop-2-choose');

  await askForPush(page);
  expect(await page.getByRole('timer').textContent()).toMatch(/^(4:00|3:5\d)$/);
  await page.getByText('Abra a app MB WAY no 912 345 678').first().waitFor();
  await sound(page, 'shop-3-waiting');
  const phone = await follow(page, /Abrir o telemóvel de teste/);
  await openPush(phone).getByText('Olaria Azul P-1001').waitFor();
  await openPush(phone).getByRole('button', { name: 'Recusar' }).click();

  await page.getByText('O pedido foi recusado e nada foi cobrado.').waitFor();
  const webhooks = page.getByRole('region', { name: 'Nos bastidores' });
  await webhooks.getByText('payment.failed', { exact: true }).waitFor();
  await sound(page, 'shop-4-rejected');

  await askForPush(page);
  expect(await page.getByText('O pedido foi recusado').count()).toBe(0);
  await openPush(phone).getByRole('button', { name: 'Aceitar' }).click();
  await page.getByRole('heading', { name: 'Pagamento recebido' }).waitFor();
  await page.getByText('webhook assinado').waitFor();
  expect(await page.locator('#said').textContent()).toBe('');
  await webhooks.getByText('payment.success', { exact: true }).waitFor();
  expect(await webhooks.getByText('assinatura verificada').count()).toBe(2);
  await webhooks.getByText('Cabeçalhos e corpo').first().click();
  await webhooks.getByText('X-Service-Signature: sha256=').first().waitFor();
  await sound(page, 'shop-5-paid');

  // The sandbox's page shows the same two webhooks.
  const behind = phone.getByRole('region', { name: 'Nos bastidores' });
  await behind.getByText('payment.success · Olaria Azul · P-1001').waitFor();
  expect(await behind.getByText(/Entregue a .*: 200/).count()).toBe(2);
  await sound(phone, 'bank-mbway');

  const pushes = (await service.control('/pushes?phoneNumber=912345678')).body;
  expect(pushes.map(({ state }: { state: string }) => state)).toEqual(['paid', 'rejected']);
  await page.getByRole('button', { name: 'EN', exact: true }).click();
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  await sound(page, 'shop-6-paid-en');
  expect(troubles).toEqual([]);
});

test('Multibanco during an open push, paid at the ATM', async () => {
  const { shop } = await shopWithService(WINDOW);
  const { page, troubles } = await customer(shop.url);
  await page.getByRole('button', { name: 'EN', exact: true }).click();
  await page.getByRole('button', { name: 'Check out' }).click();
  await page.getByRole('button', { name: 'Send the request to my phone' }).click();
  await page.getByRole('timer').waitFor();
  await page.getByRole('button', { name: 'Get a reference' }).click();
  await page.getByText('Both methods are available. Pay with only one of them.').waitFor();
  expect(await page.locator('#ref-entity').textContent()).toMatch(/^\d{5}$/);
  expect(await page.locator('#ref-reference').textContent()).toMatch(/^\d{3}\s\d{3}\s\d{3}$/);
  await page.getByText(/^Pay by .* 23:59, Lisbon time\.$/).waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy: Reference' }).click();
  await page.getByRole('button', { name: 'Copied: Reference' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^\d{9}$/);
  await sound(page, 'shop-7-both-en');

  // The service reports no rejection while the reference is live; the customer closes the countdown.
  await page.getByRole('button', { name: 'Rejected it? Hide the countdown' }).click();
  await page.getByRole('timer').waitFor({ state: 'hidden' });
  expect(await page.locator('#put-away').isVisible()).toBe(false);
  expect(await page.locator('#said').textContent()).toBe('');
  await sound(page, 'shop-7-put-away-en');

  const atm = await follow(page, /Pay at the test ATM/);
  // The keypad appears when the page is ready.
  await atm.getByRole('button', { name: 'Continue' }).waitFor();
  await atm.getByRole('button', { name: 'Pay', exact: true }).click();
  await atm.getByText('Payment made').waitFor();
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  await page.locator('#paid').getByText('Multibanco', { exact: true }).waitFor();
  await sound(atm, 'bank-multibanco');
  expect(troubles).toEqual([]);
});

test('an invalid input is explained at its field; an unanswered push lapses and the order continues', async () => {
  const { service, shop } = await shopWithService({ SERVICE_MBWAY_GRACE_SECONDS: '3' });
  const { page } = await customer(shop.url, PHONE);
  await page.getByLabel('E-mail').fill('ana');
  await page.getByRole('button', { name: 'Finalizar compra' }).click();
  await page.getByText('Indique um e-mail completo').waitFor();
  await page.getByLabel('E-mail').fill('ana@example.com');
  await buy(page);
  const phoneNumber = page.getByLabel('Número de telemóvel');
  const usual = await phoneNumber.inputValue();
  const send = page.getByRole('button', { name: 'Enviar pedido para o telemóvel' });
  await phoneNumber.fill('212 345 678');
  await send.click();
  await page.getByText('O número tem 9 algarismos e começa por 9').waitFor();
  await phoneNumber.fill('911 000 005');
  await send.click();
  await page.getByText('Este número não está registado no MB WAY.').waitFor();
  await sound(page, 'shop-10-problem');
  await phoneNumber.fill(usual);
  await askForPush(page);
  await page.getByText('Estamos a confirmar com o banco').waitFor();
  await sound(page, 'shop-8-settling');
  await page.getByText('O pedido expirou sem resposta e nada foi cobrado.').waitFor();
  await page.getByText('payment.cancelled', { exact: true }).waitFor();
  expect(await page.locator('#said').textContent()).toBe('');
  await sound(page, 'shop-9-lapsed');
  await phoneNumber.fill('+351 911 000 001');
  await send.click();
  await page.getByRole('heading', { name: 'Pagamento recebido' }).waitFor();
  expect((await service.control('/pushes')).body).toHaveLength(2);
  await page.goto(`${shop.url}/?order=unknown`);
  await page.getByRole('heading', { name: 'Encomenda não encontrada' }).waitFor();
});

test('a payment on the hosted page is confirmed without a webhook, and the returned customer is offered no second payment', async () => {
  const { shop } = await shopWithService(WINDOW, false);
  const { page, troubles } = await customer(shop.url, PHONE);
  await buy(page);
  const orderUrl = page.url();
  await page.getByRole('button', { name: 'Pagar nessa página' }).click();
  await page.waitForURL(/\/pay\//);
  const payUrl = page.url();

  await page.goto(`${orderUrl}&session_id=cs_1`);
  await page.getByRole('heading', { name: 'A confirmar o pagamento' }).waitFor();
  expect(await page.locator('#pay').isVisible()).toBe(false);
  await sound(page, 'shop-11-confirming');

  await page.goto(payUrl);
  await page.getByLabel('Número de telemóvel').fill('911 000 001');
  await page.getByRole('button', { name: 'Pagar com MB WAY' }).click();
  await page.waitForURL(/session_id=cs_/);
  await page.getByRole('heading', { name: 'Pagamento recebido' }).waitFor();
  await page.locator('#paid').getByText('consulta do estado').waitFor();
  expect(troubles).toEqual([]);
});
