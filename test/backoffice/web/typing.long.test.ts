import { expect, test, vi } from 'vitest';
import { cases } from './money-cases.ts';
import { openBackoffice, type WatchedPage } from './support.ts';

vi.setConfig({ testTimeout: 60_000 });

const office = await openBackoffice();
const { service } = office;
const shop = await service.merchant();

/** Holds the calls of a procedure; the result lets them go on. */
async function held(page: WatchedPage, procedure: string): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(`**/trpc/${procedure}`, (route) => gate.promise.then(() => route.continue()));
  return gate.resolve;
}

test('the next domain can be typed while one is being added, and a refusal changes its language with the page', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'domains' });
  const release = await held(page, 'domains.add');
  const field = page.getByLabel('Store domain');
  await field.fill('um.pt');
  await page.getByRole('button', { name: 'Add' }).click();
  await field.fill('dois.pt');
  release();
  await page.getByText('um.pt added.').waitFor();
  expect(await field.inputValue()).toBe('dois.pt');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('dois.pt added.').waitFor();
  expect(await field.inputValue()).toBe('');
  await expect
    .poll(() => page.evaluate('document.activeElement.labels?.[0].textContent'))
    .toBe('Store domain');
  await field.fill('https://um.pt');
  await page.getByRole('button', { name: 'Add' }).click();
  const refusal = page.locator('.mantine-TextInput-error');
  await refusal.filter({ hasText: 'This is a URL.' }).waitFor();
  await page.getByRole('button', { name: 'Português' }).click();
  await refusal.filter({ hasText: 'Isto é um URL.' }).waitFor();
});

test('the next note can be typed while one is being saved', async () => {
  const sale = await cases(service).reference(shop, 'MUCH-1');
  await sale.pay(25);
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'exceptions' });
  await page.getByRole('list', { name: 'Cases' }).getByRole('button').click();
  const release = await held(page, 'exceptions.note');
  const field = page.getByLabel('Add a note');
  await field.fill('Rang her at noon');
  await page.getByRole('button', { name: 'Add note' }).click();
  await field.fill('She calls back');
  release();
  await page.getByText('Note saved.').waitFor();
  expect(await field.inputValue()).toBe('She calls back');
});

test('a dialog that opens first without a connection keeps what was typed below it', async () => {
  const sale = await cases(service).reference(shop, 'MUCH-2');
  await sale.pay(25);
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'exceptions' });
  await page.getByRole('list', { name: 'Cases' }).getByRole('button').first().click();
  const field = page.getByLabel('Add a note');
  await field.fill('Rang her at noon');
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Mark as returned' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark as returned' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.context().setOffline(false);
  await page.getByText('No connection to the service').waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe('Rang her at noon');
  // The browser reports each call that failed without a connection.
  page.troubles().length = 0;
});

test('a logo can be chosen again after its file was changed, and a section that could not be loaded says so', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'payment-links' });
  const brand = page.getByRole('region', { name: 'Payment page' });
  const file = brand.locator('input[type="file"]');
  await file.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('none') });
  await brand.getByRole('alert').waitFor();
  // A browser reports a choice only when it differs from the present one.
  expect(await file.inputValue()).toBe('');
  await page.route('**/trpc/paymentLinks.brand*', (route) => route.fulfill({ status: 503 }));
  await page.reload();
  await page.getByRole('alert').getByText('Could not load this').waitFor();
});

test('the URL of the webhook stays in its field until it is saved', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'webhook' });
  const release = await held(page, 'webhook.setUrl');
  const field = page.getByLabel('Endpoint URL');
  await field.fill('https://127.0.0.1:9/one');
  await field.press('Enter');
  await page.locator('button[data-loading]').waitFor();
  await field.press('End');
  await page.keyboard.type('2');
  expect(await field.inputValue()).toBe('https://127.0.0.1:9/one');
  release();
  const change = page.getByRole('button', { name: 'Change', exact: true });
  await change.click();
  const releaseNext = await held(page, 'webhook.setUrl');
  await field.fill('https://127.0.0.1:9/two');
  await field.press('Enter');
  expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  releaseNext();
  await page.getByText('https://127.0.0.1:9/two').waitFor();
});

test('a payment link that is created after its page was left does not lead back', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'domains' });
  await page.getByRole('link', { name: 'Payment links' }).click();
  const release = await held(page, 'paymentLinks.create');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByLabel('Title').fill('Donation');
  await page.getByLabel('Amount in euros').fill('5');
  await page.keyboard.press('Enter');
  await page.locator('button[data-loading]').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Store domains', level: 1 }).waitFor();
  release();
  await page.getByText('Link created.').waitFor();
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
  expect(page.url()).toMatch(/\/team$/);
});

test('neither Escape nor Cancel while an invitation is being made loses its link', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'team' });
  const release = await held(page, 'team.invite');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Email').fill('nova@loja.pt');
  await page.getByLabel('Email').press('Enter');
  await page.locator('button[data-loading]').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  release();
  await page.getByRole('dialog').getByText('/backoffice/link#').waitFor();
  // The field that had the focus is gone.
  await expect.poll(() => page.locator('[role=dialog]:focus-within').count()).toBe(1);
});

test('"Clear all" also closes the fields of a custom range', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'transactions?state=paid' });
  const period = page.getByLabel('Created', { exact: true });
  await period.selectOption({ label: 'Custom range' });
  await page.getByLabel('From').waitFor();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.getByLabel('From').waitFor({ state: 'detached' });
  expect(await period.inputValue()).toBe('any');
});

test('a day with a short year is understood, and a text that is none is refused visibly', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, language: 'pt', at: 'audit' });
  const since = () => new URL(page.url()).searchParams.get('since');
  const field = page.getByLabel('Desde');
  await field.fill('31/12/25');
  expect(since(), 'while the year may still be typed').toBe(null);
  await field.press('Enter');
  await expect.poll(since).toBe('2025-12-31');
  expect(await field.inputValue()).toBe('31/12/2025');
  await field.fill('31/02/26');
  await field.blur();
  const refusal = page.getByText('«31/02/26» não é uma data. Utilize o formato 31/12/2026.');
  await refusal.waitFor();
  expect([await field.inputValue(), since()]).toEqual(['31/12/2025', '2025-12-31']);
  await field.fill('1.1.1960');
  await expect.poll(since).toBe('1960-01-01');
  await refusal.waitFor({ state: 'detached' });
  // Every entry is newer.
  await page.getByRole('row').nth(1).waitFor();
  await page.goto(`/m/${shop.merchantId}/transactions?from=2026-01-05&to=2026-01-10`);
  const from = page.getByLabel('De', { exact: true });
  await from.fill('11/01/2026');
  await from.blur();
  await page.getByText('O último dia possível é 10/01/2026.').waitFor();
  const to = page.getByLabel('Até', { exact: true });
  await to.fill('04/01/26');
  await to.blur();
  await page.getByText('O primeiro dia possível é 05/01/2026.').waitFor();
});

test('a delivery log before 1970 is empty', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'webhook?until=1960-01-01' });
  await page.getByText('No results for these filters').waitFor();
});
