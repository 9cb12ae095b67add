import { expect, test } from 'vitest';
import { openSales } from './sales-kit.ts';
import { axe, pictures } from './support.ts';

const { office, pageOf } = await openSales();

test('an owner makes a link with a QR code, and chooses a colour that can be read', async () => {
  const merchant = await office.service.merchant({ name: 'Padaria' });
  const page = await pageOf({ merchant, path: '/payment-links', role: 'owner', language: 'pt' });
  await page.getByText('Ainda não há links de pagamento').waitFor();
  await page.getByRole('button', { name: 'Criar link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Criar um link de pagamento' });
  await dialog.getByLabel('Título').fill('Bolo de aniversário');
  await dialog.getByLabel('Valor em euros').fill('12,5a');
  await dialog.getByText('Introduza um valor como').waitFor();
  await dialog.getByLabel('Valor em euros').fill('12,50');
  await pictures(page, 'payment-links-create-pt');
  await dialog.getByRole('button', { name: 'Criar link' }).click();
  const drawer = page.getByRole('dialog', { name: 'Link de pagamento' });
  const code = drawer.getByRole('img', { name: 'Código QR' });
  const path = (await code.locator('path').getAttribute('d')) ?? '';
  const columns = [...path.matchAll(/M(\d+) /g)].map(([, x]) => Number(x));
  const size = Number((await code.getAttribute('viewBox'))?.split(' ')[2]);
  expect([Math.min(...columns), size - 1 - Math.max(...columns)], 'the margin in modules').toEqual([4, 4]);
  expect(await axe(page)).toEqual([]);
  await pictures(page, 'payment-links-drawer-pt');
  await page.keyboard.press('Escape');
  const list = page.getByRole('table', { name: 'Links de pagamento' });
  await list.getByText('Bolo de aniversário').waitFor();
  const brand = page.getByRole('region', { name: 'Página de pagamento' });
  await brand.getByLabel('Cor de destaque').fill('#ffee00');
  await brand.getByRole('button', { name: 'Guardar cor' }).click();
  await brand.getByRole('alert').filter({ hasText: 'Escolha uma cor mais escura' }).waitFor();
  const photo = Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(3_000_000)]);
  const logo = { name: 'foto.jpg', mimeType: 'image/jpeg', buffer: photo };
  await brand.locator('input[type="file"]').setInputFiles(logo);
  await brand.getByRole('alert').filter({ hasText: 'no máximo 30 kB' }).waitFor();
  await brand.getByLabel('Cor de destaque').fill('#6b1f2e');
  const pixel = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==';
  const picture = { name: 'logo.webp', mimeType: 'image/webp', buffer: Buffer.from(pixel, 'base64') };
  await brand.locator('input[type="file"]').setInputFiles(picture);
  await brand.getByRole('button', { name: 'Remover logótipo' }).waitFor();
  expect(await brand.getByLabel('Cor de destaque').inputValue(), 'the colour not saved yet').toBe('#6b1f2e');
  await brand.getByRole('button', { name: 'Guardar cor' }).click();
  await brand.getByRole('button', { name: 'Predefinida' }).waitFor();
  await pictures(page, 'payment-links-list-pt');
});

test('an owner closes a link after its consequence was shown; a viewer only reads (en)', async () => {
  const merchant = await office.service.merchant();
  const owner = await pageOf({ merchant, path: '/payment-links', role: 'owner', language: 'en' });
  await owner.getByRole('button', { name: 'Create link' }).click();
  const dialog = owner.getByRole('dialog', { name: 'Create a payment link' });
  await dialog.getByLabel('Title').fill('Donation');
  await dialog.getByText('Customer decides').click();
  await dialog.getByLabel('Minimum').fill('20');
  await dialog.getByLabel('Maximum').fill('10');
  await dialog.getByText('The minimum is above the maximum.').waitFor();
  await dialog.getByLabel('Maximum').fill('100');
  const uses = dialog.getByLabel('Number of uses');
  for (const typed of ['0', '-', '2000000', '99999999999999999999']) {
    await uses.fill('');
    await uses.pressSequentially(typed);
    expect(Number(await uses.inputValue()), typed).toBeLessThanOrEqual(1_000_000);
    expect(await uses.inputValue(), typed).toMatch(/^([1-9]\d*)?$/);
  }
  const last = dialog.getByLabel('Last day');
  await last.fill('31/12/99');
  await last.press('Enter');
  expect(await last.inputValue(), 'a day that is not understood is not sent as none').toBe('');
  await uses.fill('025');
  await uses.press('Enter');
  const drawer = owner.getByRole('dialog', { name: 'Payment link' });
  await drawer.getByText('€20.00 to €100.00').waitFor();
  await drawer.getByText('0 of 25').waitFor();
  const viewer = await pageOf({ merchant, path: '/payment-links', role: 'viewer', language: 'en' });
  await viewer.getByText('Donation').first().click();
  await viewer.getByRole('img', { name: 'QR code' }).waitFor();
  expect(await viewer.getByRole('button', { name: 'Close link' }).count()).toBe(0);
  expect(await viewer.getByRole('button', { name: 'Create link' }).count()).toBe(0);
  await pictures(viewer, 'payment-links-viewer-en');
  await drawer.getByRole('button', { name: 'Close link' }).click();
  const question = owner.getByRole('dialog', { name: 'Close “Donation”?' });
  await question.getByText('stops accepting payments').waitFor();
  await question.getByRole('button', { name: 'Close link' }).click();
  await drawer.getByText('Closed').waitFor();
  expect(await axe(owner)).toEqual([]);
});

test('an order of a link bears its title, and is not announced as missed by a shop that there is not', async () => {
  const merchant = await office.service.merchant({ name: 'Padaria' });
  const page = await pageOf({ merchant, path: '/payment-links', role: 'owner', language: 'pt' });
  await page.getByRole('button', { name: 'Criar link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Criar um link de pagamento' });
  await dialog.getByLabel('Título').fill('Bolo de aniversário');
  await dialog.getByLabel('Valor em euros').fill('12,50');
  await dialog.getByRole('button', { name: 'Criar link' }).click();
  const drawer = page.getByRole('dialog', { name: 'Link de pagamento' });
  const url = await drawer
    .getByText(/\/pay\/l\//)
    .first()
    .textContent();
  const body = new URLSearchParams({ method: 'MBWAY', phoneNumber: '911000001' });
  await fetch(url ?? '', { method: 'POST', body, redirect: 'manual' });
  await drawer.getByText('MB WAY 911 000 001').waitFor();
  await pictures(page, 'payment-links-paid-pt');
  await page.goto(page.url().replace('payment-links', 'transactions'));
  await page.getByRole('row', { name: /Bolo de aniversário.*Pago/ }).click();
  await page.getByText('Link de pagamento').waitFor();
  await page.getByText('Não enviada: o webhook estava desligado').waitFor();
  expect(await page.getByText('Notificação não entregue').count()).toBe(0);
  await pictures(page, 'payment-links-order-pt');
});
