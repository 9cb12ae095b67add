import { expect, test, vi } from 'vitest';
import { createKey } from '../../../src/merchants/keys.ts';
import { api } from '../../support/harness.ts';
import { auditLog } from '../support.ts';
import { givePassword, openHooks } from './hooks-kit.ts';
import { expectSound, shoot } from './support.ts';

/** Browser tests are slow on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });

const { office, shop, ownerAt } = await openHooks();

/** The status of a call with this key. */
const opens = async (apiKey: string) =>
  (await api(office.service.url, apiKey).get('/payments/methods')).status;

test('a key is shown after the password, and rolled: the old one works during the grace, the new one at once', async () => {
  const merchant = await shop();
  const page = await ownerAt(merchant, 'developers');
  await office.growStale();
  await page.getByRole('button', { name: 'Reveal' }).dblclick();
  await givePassword(page);
  await page.getByText(merchant.apiKey).waitFor();
  const revealed = { action: 'key.revealed', merchant_id: merchant.merchantId } as const;
  expect(await auditLog(office.service, revealed)).toHaveLength(1);
  await expectSound(page, 'keys-revealed');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('tab', { name: 'First call' }).click();
  expect(page.url(), 'the tab is in the address').toMatch(/\/developers\?tab=call$/);
  await page.getByRole('button', { name: 'Copy with my key' }).click();
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `curl -sS ${office.service.url}/api/v1/payments/methods -H 'Authorization: Bearer ${merchant.apiKey}'`,
  );
  const docs = await page.getByRole('link', { name: 'Open the documentation' }).getAttribute('href');
  expect((await fetch(`${office.service.url}${docs}`)).status).toBe(200);
  const phones = await page.getByRole('link', { name: 'Open the test phones' }).getAttribute('href');
  expect(phones).toBe(`${office.service.sandboxUrl}/`);
  await expectSound(page, 'developers-call');
  await page.reload();
  await page.getByRole('tab', { name: 'API keys', selected: false }).click();

  await page.getByRole('button', { name: 'Rotate key…' }).click();
  await page.getByRole('button', { name: 'Create new key' }).click();
  const made = page.getByRole('status').filter({ hasText: 'Your new key' });
  const second = /sk_\S{43}/.exec((await made.textContent()) ?? '')?.[0] ?? '';
  expect([await opens(merchant.apiKey), await opens(second)]).toEqual([200, 200]);
  await page.getByText('Stops working').waitFor();
  await expectSound(page, 'keys-rolled');

  await page.getByRole('button', { name: 'Rotate key…' }).click();
  await page.getByLabel('Old key keeps working for').first().click();
  await page.getByRole('option', { name: 'Revoke now' }).click();
  await page.getByRole('button', { name: 'Create new key' }).click();
  await page.getByText('The old key has stopped working.').waitFor();
  const third = /sk_\S{43}/.exec((await made.textContent()) ?? '')?.[0] ?? '';
  expect(third).not.toBe(second);
  expect([await opens(merchant.apiKey), await opens(second), await opens(third)]).toEqual([401, 401, 200]);
});

test('a named key is created after the password, shown once with a copy button, and revoked', async () => {
  const merchant = await shop();
  const page = await ownerAt(merchant, 'developers');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await office.growStale();
  await page.getByRole('button', { name: 'New key…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('ERP');
  await page.getByRole('dialog').getByLabel('Stops working').first().click();
  await page.getByRole('option', { name: 'In 90 days' }).click();
  await shoot(page, 'named-key-dialog');
  await page.getByRole('button', { name: 'Create key' }).click();
  await givePassword(page);
  const made = page.getByRole('status').filter({ hasText: 'New key “ERP”' });
  await made.getByRole('button', { name: 'Copy the API key' }).click();
  const apiKey = String(await page.evaluate('navigator.clipboard.readText()'));
  expect(apiKey).toMatch(/^sk_\S{43}$/);
  expect(await opens(apiKey)).toBe(200);
  const row = page.getByRole('row').filter({ hasText: 'ERP' });
  await row.getByText(`sk_••••••••${apiKey.slice(-4)}`).waitFor();
  await expectSound(page, 'named-key-created');
  await made.getByRole('button', { name: 'Done' }).click();
  await page.reload();
  await row.waitFor();
  expect(await page.content()).not.toContain(apiKey);

  await page.getByRole('button', { name: 'Revoke ERP…' }).click();
  await page.getByRole('dialog').getByText('The next request with this key is refused.').waitFor();
  await shoot(page, 'named-key-revoke');
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('ERP revoked.').waitFor();
  expect([await opens(apiKey), await opens(merchant.apiKey)]).toEqual([401, 200]);
  await page.getByText(/ERP · sk_/).waitFor();
});

test('on a phone a new key is in view, wherever its button was', async () => {
  const { merchantId } = await shop();
  const page = await office.signIn({ merchantId, phone: true, at: 'developers' });
  for (const name of ['ERP', 'Till']) {
    await page.getByRole('button', { name: 'New key…' }).click();
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const made = await page
      .getByRole('status')
      .filter({ hasText: `New key “${name}”` })
      .boundingBox();
    const top = made?.y ?? -1;
    expect(top, name).toBeGreaterThan(0);
    expect(top + (made?.height ?? 0), name).toBeLessThan(844);
  }
});

test('a double click sends one call', async () => {
  const merchant = await shop();
  const page = await ownerAt(merchant, 'developers');
  await page.getByRole('button', { name: 'New key…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Till');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST')
      sent.push(new URL(request.url()).pathname.replace('/backoffice/trpc/', ''));
  });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).dblclick();
  await press('Create key');
  await page.getByRole('status').filter({ hasText: 'New key “Till”' }).waitFor();
  await page.getByRole('tab', { name: 'First call' }).click();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await press('Copy with my key');
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  await page.goto(`/m/${merchant.merchantId}/payment-links`);
  await page.getByLabel('Accent colour').fill('#6b1f2e');
  await press('Save colour');
  await press('Standard');
  await page.getByRole('button', { name: 'Standard' }).waitFor({ state: 'detached' });
  await page.goto('/account');
  await press('Set up');
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  await page.keyboard.press('Escape');
  await press('Sign out');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(sent).toEqual([
    'keys.create',
    'keys.reveal',
    'paymentLinks.setBrand',
    'paymentLinks.setBrand',
    'account.totpBegin',
    'session.signOut',
  ]);
});

test('the request log shows what failed and leads to the transaction', async () => {
  const merchant = await shop();
  const { apiKey } = await createKey(office.service.app.deps, merchant.merchantId, {
    name: 'ERP',
    expiresInDays: undefined,
  });
  const transactionId = await merchant.init();
  await api(office.service.url, apiKey).get(`/payments/status?transactionId=${transactionId}`);
  await merchant.post('/payments/init', { orderId: '1', amount: 1, storeUrl: 'https://other.pt' });
  const { merchantId } = merchant;
  const page = await office.signIn({ role: 'viewer', merchantId, at: 'developers?tab=requests' });
  await page.getByText('403 DOMAIN_NOT_ALLOWED').waitFor();
  const rows = page.getByRole('table').getByRole('row');
  expect(await rows.count()).toBe(4);
  await page.getByText('Errors', { exact: true }).click();
  await page.waitForURL(/tab=requests&show=errors$/);
  await rows.nth(2).waitFor({ state: 'detached' });
  await page.getByText('All', { exact: true }).click();
  await page.getByRole('row').filter({ hasText: 'ERP' }).getByRole('link', { name: 'Open' }).click();
  await page.waitForURL(new RegExp(`/transactions/${transactionId}$`));
});

test('a domain shows what it admits while it is typed, and its payments are refused as soon as it is removed', async () => {
  const merchant = await shop();
  const page = await ownerAt(merchant, 'domains');
  const field = page.getByLabel('Store domain');
  const example = (host: string) =>
    page.getByRole('listitem').filter({ has: page.getByText(host, { exact: true }) });
  await field.fill('*.loja.pt');
  await example('a.b.loja.pt').getByText('Accepted', { exact: true }).waitFor();
  await example('loja.pt').getByText('Not accepted').waitFor();
  await field.fill('https://www.loja.pt/cesto');
  await page.getByText('This is a URL.').waitFor();
  await shoot(page, 'domains-typed-url');
  await field.fill('loja.pt');
  await example('www.loja.pt').getByText('Accepted', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('loja.pt added.').waitFor();
  await expectSound(page, 'domains');

  const pay = async () =>
    (await merchant.post('/payments/init', { orderId: '1', amount: 1, storeUrl: 'https://www.loja.pt' })).body
      .code;
  expect(await pay()).toBe('CHECKOUT_DATA_REQUIRED');
  await page.getByRole('button', { name: 'Remove loja.pt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('loja.pt removed.').waitFor();
  expect(await pay()).toBe('DOMAIN_NOT_ALLOWED');

  await field.fill('www.café.pt');
  await page.getByText('Saved as www.café.pt (www.xn--caf-dma.pt)').waitFor();
  await field.fill('café.pt');
  await page.getByRole('button', { name: 'Add' }).click();
  const added = page.getByRole('listitem').filter({ hasText: 'Accepts café.pt, www.café.pt' });
  expect(await added.locator('strong').innerText()).toBe('café.pt xn--caf-dma.pt');
  await expectSound(page, 'domains-unicode');
});
