import { expect, test } from 'vitest';
import { setBrand } from '../../src/checkout/brand.ts';
import { closeLink, createLink } from '../../src/checkout/links.ts';
import { normalPhone } from '../../src/checkout/step.ts';
import { cents } from '../../src/kernel/money.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { axe, overflows, shoot } from '../backoffice/web/support.ts';
import { until } from '../support/until.ts';
import { paymentPages, WIDTHS } from './page-kit.ts';
import { NO_TERMS } from './support.ts';

const NEWS_MS_MAX = 1500;

const { service, browser, open } = await paymentPages();

test('a push is refused, tried again by keyboard and confirmed live, then the page returns to the store', async () => {
  const { page, merchant, sound, transactionId, url } = await open('pt', {
    successUrl: 'http://localhost:9/obrigado',
  });
  await setBrand(service.app.deps, merchant.merchantId, { accent: '#6b1f2e' });
  await page.reload();
  const colour = "getComputedStyle(document.querySelector('button')).backgroundColor";
  expect(await page.evaluate(colour)).toBe('rgb(107, 31, 46)');
  await sound('choose');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.id')).toBe('phone');
  await page.keyboard.type('920 000 001');
  await page.keyboard.press('Enter');
  await page.getByText('Confirmar o pagamento na app MB WAY').waitFor();
  await page.getByText(/[34]:\d\d/).waitFor();
  await page.getByText('Esta página atualiza-se automaticamente.').waitFor();
  await sound('waiting');
  await service.control('/mbway', { phoneNumber: '920000001', outcome: 'reject' });
  await page.getByText('foi recusado').waitFor();
  await sound('refused');
  expect(await page.getByLabel('Número de telemóvel').inputValue()).toBe('920 000 001');
  const visitor = await browser.newPage();
  await visitor.goto(url);
  expect(await visitor.getByLabel('Número de telemóvel').inputValue()).toBe('');
  await visitor.close();
  await page.getByRole('button', { name: 'Tentar novamente com MB WAY' }).click();
  await page.getByText('Confirmar o pagamento na app MB WAY').waitFor();
  // The network of the sandbox store is not there: the request itself is what counts.
  const returned = page.waitForRequest(/^http:\/\/localhost:9\/obrigado\?session_id=cs_/, {
    timeout: 60_000,
  });
  await service.control('/mbway', { phoneNumber: '920000001', outcome: 'accept' });
  await merchant.reaches(await transactionId(), 'paid');
  const paidAt = performance.now();
  await page.getByText('Pagamento confirmado').waitFor();
  expect(performance.now() - paidAt).toBeLessThan(NEWS_MS_MAX);
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  await shoot(page, 'pay-paid-return-pt-390');
  expect(await axe(page)).toEqual([]);
  await returned;
  await page.close();
});

test('a Multibanco reference is shown large, copied, printed and confirmed live', async () => {
  const { page, merchant, sound, transactionId } = await open('en');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Pay by Multibanco' }).click();
  await page.getByText('Payable until').waitFor();
  await sound('reference');
  const { mb } = await merchant.status(await transactionId());
  await page.getByRole('button', { name: 'Copy Reference' }).click();
  await page.getByRole('status').getByText('Copied Reference').waitFor();
  // A second press must not take the confirmation for the label.
  await page.getByRole('button', { name: 'Copied Reference' }).click();
  await page.getByRole('button', { name: 'Copy Reference' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(mb.reference);
  await page.getByRole('button', { name: 'Copy Amount' }).click();
  await page.getByRole('status').getByText('Copied Amount').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('19,99');
  // Where the browser refuses, the shopper copies what is selected.
  await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())');
  await page.getByRole('button', { name: 'Copy Entity' }).click();
  await expect.poll(() => page.evaluate('String(getSelection())')).toBe(mb.entity);
  await page.evaluate('window.print = () => document.body.classList.add("printed")');
  await page.getByRole('button', { name: 'Print' }).click();
  expect(await page.evaluate('document.body.className')).toBe('printed');
  await page.emulateMedia({ media: 'print' });
  await shoot(page, 'pay-print-en');
  expect(await page.getByText('TEST MONEY').isVisible()).toBe(true);
  expect(await page.getByRole('button').count()).toBe(0);
  await page.emulateMedia({ media: null });
  await service.control('/multibanco', { entity: mb.entity, reference: mb.reference });
  await page.getByText('Payment confirmed').waitFor();
  await sound('paid');
  await page.close();
});

test('the lightest colour that a merchant may choose is legible, and the chosen language is kept to the end', async () => {
  const { page, merchant, sound, transactionId, url } = await open('pt');
  await setBrand(service.app.deps, merchant.merchantId, { accent: '#767676' });
  await page.goto(`${url}?lang=en`);
  await page.getByRole('button', { name: 'Pay by Multibanco' }).click();
  await page.getByText('Payable until').waitFor();
  await sound('lightest');
  await page.getByRole('link', { name: 'Refresh the status' }).click();
  await page.waitForLoadState();
  expect(await page.title()).toContain('Pay by Multibanco');
  const id = await transactionId();
  await service.control('/multibanco', (await merchant.status(id)).mb);
  await merchant.reaches(id, 'paid');
  await page.getByText('Payment confirmed').waitFor();
  await page.close();
});

test('the return to the store leaves 20 seconds to stop it, and does not take place once stopped', async () => {
  const { page } = await open('en', { successUrl: 'http://localhost:9/thanks' });
  let returns = 0;
  await page.route('http://localhost:9/**', async (route) => {
    returns += 1;
    await route.fulfill({ body: 'Thanks' });
  });
  await page.clock.install();
  await page.getByLabel('Mobile number').fill('911000001');
  await page.getByRole('button', { name: 'Pay with MB WAY' }).click();
  await page.getByText('Payment confirmed').waitFor();
  await page.clock.fastForward(19_000);
  await page.getByRole('button', { name: 'Stay on this page' }).click();
  await page.clock.fastForward(60_000);
  expect(returns).toBe(0);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Return to the shop');
  await page.reload();
  await page.getByRole('button', { name: 'Stay on this page' }).waitFor();
  await page.clock.fastForward(21_000);
  await expect.poll(() => returns).toBe(1);
  await page.close();
});

test('a payment link asks for the amount and leads to the payment', async () => {
  const { merchantId } = await service.merchant({ name: 'Padaria Central' });
  const link = { merchantId, title: 'Bolo de anos', ...NO_TERMS, min: cents(100), max: cents(50_000) };
  const { linkId, url } = await createLink(service.app.deps, link);
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(url);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    await shoot(page, `pay-link-${width}`);
    expect(await axe(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
  }
  const typed = () =>
    Promise.all(['Montante', 'Número de telemóvel'].map((name) => page.getByLabel(name).inputValue()));
  await page.getByLabel('Número de telemóvel').fill('912 345 678');
  await page.getByLabel('Montante').fill('0,5');
  await page.getByRole('button', { name: 'Pagar por Multibanco' }).click();
  await page.getByRole('alert').waitFor();
  expect(await typed()).toEqual(['0,5', '912 345 678']);
  // The next shopper at the same device.
  await page.goto(url);
  expect(await typed()).toEqual(['', '']);
  await page.getByLabel('Montante').fill('12,50');
  await page.getByRole('button', { name: 'Pagar por Multibanco' }).click();
  await page.getByText(`Encomenda ${linkId}-1`).waitFor();
  await page.getByText('Entidade').first().waitFor();
  await page.getByText('Bolo de anos').waitFor();
  await shoot(page, 'pay-link-reference');
  await closeLink(service.app.deps, linkId);
  await page.goto(url);
  await page.getByText('já não aceita pagamentos').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.close();
});

test('the field for a phone accepts the spellings that the service accepts', async () => {
  const { page } = await open('en');
  const field = page.getByLabel('Mobile number');
  const isValid = async (typed: string) => {
    await field.fill(typed);
    return await page.evaluate("document.getElementById('phone').checkValidity()");
  };
  const spellings = [
    '912345678',
    '912\u00a0345\u00a0678',
    ' +351 912-345-678',
    '(+351) 912.345.678',
    '00351912345678 ',
    '00 351 912 345 678',
    '+ 351 912345678',
    // Copied, with marks of direction, a zero-width space and a hyphen that does not break.
    '\u202a+351 912\u2011345\u200b678\u202c',
  ];
  for (const typed of spellings) {
    expect(await isValid(typed), typed).toBe(true);
    expect(normalPhone(typed), typed).toBe('912345678');
  }
  for (const typed of ['812345678', '91234567', '+34 912345678', '351912345678', 'a912345678']) {
    expect(await isValid(typed), typed).toBe(false);
  }
  await page.close();
});

test('the countdown of a push counts the time for which the phone slept', async () => {
  const { page } = await open('en');
  await page.clock.install();
  await page.getByLabel('Mobile number').fill('920000033');
  await page.getByRole('button', { name: 'Pay with MB WAY' }).click();
  const left = page.locator('[data-seconds]');
  const secondsLeft = async () => {
    const [minutes = 0, seconds = 0] = ((await left.textContent()) ?? '').split(':').map(Number);
    return 60 * minutes + seconds;
  };
  const before = await secondsLeft();
  await page.clock.setSystemTime((await page.evaluate<number>('Date.now()')) + 2000);
  await page.clock.runFor(500);
  expect(before - (await secondsLeft())).toBeGreaterThanOrEqual(2);
  await page.close();
});

test('the page works without JavaScript, and shows until when a push can be confirmed', async () => {
  const { page, merchant, transactionId } = await open('en', {}, { javaScriptEnabled: false });
  await page.getByLabel('Mobile number').fill('920000031');
  await page.getByRole('button', { name: 'Pay with MB WAY' }).click();
  await page.getByText(/^Confirm by \d\d:\d\d \(Lisbon\stime\)$/).waitFor();
  await service.control('/mbway', { phoneNumber: '920000031', outcome: 'accept' });
  await merchant.reaches(await transactionId(), 'paid');
  expect(await page.getByText('updates automatically').isVisible()).toBe(false);
  await shoot(page, 'pay-waiting-no-script-en-390');
  await page.getByRole('link', { name: 'Refresh the status' }).click();
  await page.getByText('Payment confirmed').waitFor();
  await page.close();
});

test('the other ends: expired, closed, received, a wrong number and an unknown address', async () => {
  const expired = await open('pt', { expiresAt: new Date(Date.now() + 1000).toISOString() });
  await until(async () => {
    await expired.page.reload();
    return (await expired.page.getByText('O prazo de pagamento terminou').count()) === 1;
  }, 'the expiry');
  await expired.sound('expired');
  const closed = await open('en');
  await setMerchant(service.app.deps, closed.merchant.merchantId, { active: false });
  await closed.page.reload();
  await closed.sound('closed');
  const held = await open('pt');
  await setMerchant(service.app.deps, held.merchant.merchantId, { hold: true });
  await held.page.getByLabel('Número de telemóvel').fill('911000001');
  await held.page.getByRole('button', { name: 'Pagar com MB WAY' }).click();
  await held.page.getByText('Pagamento recebido').waitFor();
  await held.sound('received');
  const wrong = await open('en');
  await wrong.page.getByLabel('Mobile number').fill('911000005');
  await wrong.page.getByRole('button', { name: 'Pay with MB WAY' }).click();
  await wrong.page.getByText('not registered with MB WAY').waitFor();
  await wrong.sound('unknown-phone');
  const number = wrong.page.getByLabel('Mobile number');
  expect(await number.inputValue()).toBe('911000005');
  const another = await open('en');
  await wrong.page.goto(another.url);
  expect(await number.inputValue(), 'of another order in the same tab').toBe('');
  await wrong.page.goto(`${service.url}/pay/${'A'.repeat(22)}`);
  await shoot(wrong.page, 'pay-missing-390');
  expect(await axe(wrong.page)).toEqual([]);
  for (const { page } of [expired, closed, held, wrong, another]) await page.close();
});
