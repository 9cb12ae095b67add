import { beforeAll, expect, test } from 'vitest';
import { api } from '../../support/harness.ts';
import { givePassword, type Hooks, openHooks, SLOW } from './hooks-kit.ts';
import { type Backoffice, expectSound, shoot } from './support.ts';

let office: Backoffice;
let shop: Hooks['shop'];
let ownerAt: Hooks['ownerAt'];
let growStale: Hooks['growStale'];

beforeAll(async () => {
  ({ office, shop, ownerAt, growStale } = await openHooks());
}, 60_000);

test(
  'a key is shown after the password, and rolled: the old one works during the grace, the new one at once',
  SLOW,
  async () => {
    const merchant = await shop();
    const opens = async (apiKey: string) =>
      (await api(office.service.url, apiKey).get('/payments/methods')).status;
    const page = await ownerAt(merchant, 'keys');
    await growStale();
    await page.getByRole('button', { name: 'Reveal' }).click();
    await givePassword(page);
    await page.getByText(merchant.apiKey).waitFor();
    await expectSound(page, 'keys-revealed');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy with my key' }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl -sS ${office.service.url}/api/v1/payments/methods -H 'Authorization: Bearer ${merchant.apiKey}'`,
    );
    const docs = await page.getByRole('link', { name: 'Open the documentation' }).getAttribute('href');
    expect((await fetch(`${office.service.url}${docs}`)).status).toBe(200);

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
  },
);

test(
  'a domain says what it admits while it is typed, and once removed its payments are refused at once',
  SLOW,
  async () => {
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
    await page.getByRole('button', { name: 'Use loja.pt' }).click();
    await example('www.loja.pt').getByText('Accepted', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('loja.pt added.').waitFor();
    await page.getByLabel('Address of a store or one of its pages').fill('https://www.loja.pt/checkout');
    await page.getByText('Yes: loja.pt accepts it.').waitFor();
    await expectSound(page, 'domains');

    const pay = async () =>
      (await merchant.post('/payments/init', { orderId: '1', amount: 1, storeUrl: 'https://www.loja.pt' }))
        .body.code;
    expect(await pay()).toBe('CHECKOUT_DATA_REQUIRED');
    await page.getByRole('button', { name: 'Remove loja.pt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('loja.pt removed.').waitFor();
    expect(await pay()).toBe('DOMAIN_NOT_ALLOWED');
    await page.getByText('No: no domain on your list accepts it.').waitFor();
  },
);

test('a viewer sees the three pages and can change nothing on them', SLOW, async () => {
  const { merchantId } = await shop();
  const page = await office.signIn({ role: 'viewer', merchantId });
  for (const [path, loaded] of [
    ['keys', 'Last used'],
    ['webhook', 'Signing secret'],
    ['domains', 'Added'],
  ] as const) {
    await page.goto(`/m/${merchantId}/${path}`);
    await page.getByText(loaded).waitFor();
    const names = await page.getByRole('main').getByRole('button').allTextContents();
    expect(
      names.filter((name) => name !== ''),
      path,
    ).toEqual([]);
    await expectSound(page, `${path}-viewer`);
  }
});

test('the three pages are whole in both languages, at a desk and on a phone', SLOW, async () => {
  const merchant = await shop();
  await merchant.pay();
  const { merchantId } = merchant;
  for (const [language, phone] of [
    ['en', true],
    ['pt', false],
    ['pt', true],
  ] as const) {
    const page = await office.signIn({ role: 'owner', merchantId, language, phone });
    for (const [path, loaded] of [
      ['keys', /Last used|Último uso/],
      ['webhook', /Payment received|Pagamento recebido/],
      ['domains', /Added|Adicionado em/],
    ] as const) {
      await page.goto(`/m/${merchantId}/${path}`);
      await page.getByText(loaded).first().waitFor();
      if (path === 'webhook') {
        await page.getByRole('button', { name: /^(Delivered|Entregue)/ }).click();
        await page.getByText(/Response from your server|Resposta do seu servidor/).waitFor();
      }
      await expectSound(page, `${path}-${language}-${phone ? 390 : 1280}`);
    }
  }
});
