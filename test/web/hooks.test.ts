import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api, type TestMerchant } from '../support/harness.ts';
import { openReceiver, type Receiver } from '../support/open-receiver.ts';
import { until } from '../support/until.ts';
import {
  axe,
  type Backoffice,
  openBackoffice,
  overflows,
  PASSWORD,
  shoot,
  type WatchedPage,
} from './support.ts';

const accept = (response: ServerResponse) => void response.end('{"ok":true}');
const refuse = (response: ServerResponse) => void response.writeHead(500).end('the database is down');

let office: Backoffice;
let receiver: Receiver;
/** How the merchants' endpoint answers now. */
let answer = accept;

beforeAll(async () => {
  receiver = await openReceiver((_, response) => answer(response));
  office = await openBackoffice({ webhookCa: receiver.ca });
}, 60_000);
afterAll(() => receiver.close());

/** A machine that does much besides is slow with a browser. */
const SLOW = { timeout: 60_000 };

async function shop(webhook = true): Promise<TestMerchant> {
  answer = accept;
  return await office.service.merchant({ name: 'Loja da Ana', ...(webhook && { webhookUrl: receiver.url }) });
}

/** A sale that is paid at once. */
async function sell(merchant: TestMerchant): Promise<string> {
  const id = await merchant.init();
  await merchant.post('/payments/mbway', { transactionId: id, phoneNumber: '911000001' });
  await merchant.reaches(id, 'paid');
  return id;
}

/** As long after every sign-in that the password is wanted again. */
async function growStale(): Promise<void> {
  const { db } = office.service.app.deps;
  await db.unit((tx) => tx.updateTable('sessions').set({ verified_at: 1 }).execute());
}

async function givePassword(page: WatchedPage): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ has: page.locator('input[type=password]') });
  await dialog.locator('input[type=password]').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
}

async function expectSound(page: WatchedPage, name: string): Promise<void> {
  await shoot(page, name);
  expect(await axe(page), name).toEqual([]);
  expect(await overflows(page), name).toBe(false);
  expect(page.troubles(), name).toEqual([]);
}

test(
  'a key is shown after the password, and rolled: the old one works during the grace, the new one at once',
  SLOW,
  async () => {
    const merchant = await shop();
    const { merchantId } = merchant;
    const opens = async (apiKey: string) =>
      (await api(office.service.url, apiKey).get('/payments/methods')).status;
    const page = await office.signIn({ role: 'owner', merchantId });
    await page.goto(`/m/${merchantId}/keys`);
    await growStale();
    await page.getByRole('button', { name: 'Reveal' }).click();
    await givePassword(page);
    await page.getByText(merchant.apiKey).waitFor();
    await expectSound(page, 'keys-revealed');

    await page.getByRole('button', { name: 'Roll key…' }).click();
    await page.getByRole('button', { name: 'Make new key' }).click();
    const made = page.getByRole('status').filter({ hasText: 'This is your new key' });
    const second = /sk_\S{43}/.exec((await made.textContent()) ?? '')?.[0] ?? '';
    expect([await opens(merchant.apiKey), await opens(second)]).toEqual([200, 200]);
    await page.getByText('Stops working').waitFor();
    await expectSound(page, 'keys-rolled');

    await page.getByRole('button', { name: 'Roll key…' }).click();
    await page.getByLabel('The old key works for').first().click();
    await page.getByRole('option', { name: 'Not at all' }).click();
    await page.getByRole('button', { name: 'Make new key' }).click();
    await page.getByText('The old key has stopped working.').waitFor();
    const third = /sk_\S{43}/.exec((await made.textContent()) ?? '')?.[0] ?? '';
    expect(third).not.toBe(second);
    expect([await opens(merchant.apiKey), await opens(second), await opens(third)]).toEqual([401, 401, 200]);
  },
);

test(
  'a webhook URL is refused in words and accepted after the password, and a test shows the endpoint’s own answer',
  SLOW,
  async () => {
    const merchant = await shop(false);
    const { merchantId } = merchant;
    const page = await office.signIn({ role: 'owner', merchantId });
    await page.goto(`/m/${merchantId}/webhook`);
    const field = page.getByLabel('Address of your server');
    const save = page.getByRole('button', { name: 'Save address' });
    for (const [url, said] of [
      ['http://shop.pt/hook', 'The address must begin with https://.'],
      ['https://169.254.169.254/latest', 'This address is not on the public internet.'],
      ['https://user:pass@shop.pt/', 'must not carry a user name or password'],
    ] as const) {
      await field.fill(url);
      await save.click();
      await page.getByText(said).waitFor();
    }
    await expectSound(page, 'webhook-refused');
    await growStale();
    await field.fill(receiver.url);
    await save.click();
    await givePassword(page);
    await page.getByText('Address saved and sending turned on').waitFor();
    expect(await page.getByRole('switch', { name: 'Send events' }).isChecked()).toBe(true);

    answer = (response) => void response.writeHead(202).end('{"received":"<b>yes</b>"}');
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Your server accepted the event').waitFor();
    await page.getByText('{"received":"<b>yes</b>"}').waitFor();
    expect(receiver.requests.at(-1)?.headers['x-service-event']).toBe('webhook.test');
    await expectSound(page, 'webhook-tested');
  },
);

test(
  'a test that fails shows each try as it ends, and its delivery is sent again from the log',
  SLOW,
  async () => {
    const merchant = await shop();
    const { merchantId } = merchant;
    const page = await office.signIn({ role: 'owner', merchantId });
    await page.goto(`/m/${merchantId}/webhook`);
    answer = refuse;
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('The endpoint answered 500').first().waitFor();
    await page.getByText('Next try in a moment').waitFor();
    await page.getByText('Your server did not accept the event').waitFor();
    await page.getByText('the database is down').waitFor();
    expect(
      await page
        .getByRole('listitem')
        .filter({ hasText: /^Try \d500/ })
        .count(),
    ).toBe(4);
    await expectSound(page, 'webhook-test-failed');

    answer = accept;
    const failed = page.getByRole('button', { name: /^Undelivered/ });
    await failed.click();
    await page.getByRole('button', { name: 'Resend', exact: true }).click();
    await page.getByRole('button', { name: /^Delivered/ }).waitFor();
    await expectSound(page, 'webhook-resent');
  },
);

test(
  'what was missed while the webhook was off is announced, and sent again with its progress',
  SLOW,
  async () => {
    const merchant = await shop();
    const { merchantId } = merchant;
    const page = await office.signIn({ role: 'owner', merchantId });
    await page.goto(`/m/${merchantId}/webhook`);
    const toggle = page.getByRole('switch', { name: 'Send events' });
    await toggle.click();
    await page.getByText('Events are kept and not sent.', { exact: true }).waitFor();
    const sold = await Promise.all([sell(merchant), sell(merchant), sell(merchant)]);
    await page.getByText('3 payment events have not reached your server').waitFor();
    await toggle.click();
    await page.getByText('Events are sent from now on.').waitFor();
    await expectSound(page, 'webhook-missed');

    const held: ServerResponse[] = [];
    answer = (response) => void held.push(response);
    const before = receiver.requests.length;
    await page.getByRole('alert').getByRole('button', { name: 'Resend all undelivered since…' }).click();
    await shoot(page, 'webhook-recover');
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
    await page.getByText('0 of 3 sent').waitFor();
    await until(() => held.length === 3);
    answer = accept;
    held.shift()?.end('ok');
    // No axe here: the attempts that are held end by themselves after 8 s.
    await page.getByText('1 of 3 sent').waitFor();
    await shoot(page, 'webhook-recovering');
    for (const response of held) response.end('ok');
    await page.getByText('All 3 delivered').waitFor();
    await expectSound(page, 'webhook-recovered');
    await page.getByText('3 payment events have not reached your server').waitFor({ state: 'detached' });
    const told = receiver.requests.slice(before).map(({ body }) => JSON.parse(body.toString()).data.id);
    expect(told.sort()).toEqual(sold.sort());
  },
);

test('a secret is rotated with both in force, and the rotation is finished', SLOW, async () => {
  const { merchantId, webhookSecret } = await shop();
  const page = await office.signIn({ role: 'owner', merchantId });
  await page.goto(`/m/${merchantId}/webhook`);
  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByText(webhookSecret).waitFor();
  await page.getByRole('button', { name: 'Rotate…' }).click();
  await shoot(page, 'webhook-rotate');
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await page.getByText('Two secrets until').waitFor();
  await expectSound(page, 'webhook-rotating');
  await page.getByRole('button', { name: 'Finish rotation' }).click();
  await page.getByRole('button', { name: 'Retire the old secret' }).click();
  await page.getByText('Two secrets until').waitFor({ state: 'detached' });
});

test(
  'a domain says what it admits while it is typed, and once removed its payments are refused at once',
  SLOW,
  async () => {
    const merchant = await shop();
    const { merchantId } = merchant;
    const page = await office.signIn({ role: 'owner', merchantId });
    await page.goto(`/m/${merchantId}/domains`);
    const field = page.getByLabel('Domain of the store');
    const example = (host: string) =>
      page.getByRole('listitem').filter({ has: page.getByText(host, { exact: true }) });
    await field.fill('*.loja.pt');
    await example('a.b.loja.pt').getByText('Accepted', { exact: true }).waitFor();
    await example('loja.pt').getByText('Not accepted').waitFor();
    await field.fill('https://www.loja.pt/cesto');
    await page.getByText('This is a whole address.').waitFor();
    await shoot(page, 'domains-typed-url');
    await page.getByRole('button', { name: 'Use loja.pt' }).click();
    await example('www.loja.pt').getByText('Accepted', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('loja.pt is on the list.').waitFor();
    await page.getByLabel('Address of a store or a page in it').fill('https://www.loja.pt/checkout');
    await page.getByText('Yes: loja.pt accepts it.').waitFor();
    await expectSound(page, 'domains');

    const pay = async () =>
      (await merchant.post('/payments/init', { orderId: '1', amount: 1, storeUrl: 'https://www.loja.pt' }))
        .body.code;
    expect(await pay()).toBe('CHECKOUT_DATA_REQUIRED');
    await page.getByRole('button', { name: 'Remove loja.pt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('loja.pt is removed.').waitFor();
    expect(await pay()).toBe('DOMAIN_NOT_ALLOWED');
    await page.getByText('No: nothing on your list accepts it.').waitFor();
  },
);

test('a viewer sees the three pages and can change nothing on them', SLOW, async () => {
  const { merchantId } = await shop();
  const page = await office.signIn({ role: 'viewer', merchantId });
  for (const [path, loaded] of [
    ['keys', 'Last used'],
    ['webhook', 'Signing secret'],
    ['domains', 'On the list since'],
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
  await sell(merchant);
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
      ['domains', /On the list since|Na lista desde/],
    ] as const) {
      await page.goto(`/m/${merchantId}/${path}`);
      await page.getByText(loaded).first().waitFor();
      if (path === 'webhook') {
        await page.getByRole('button', { name: /^(Delivered|Entregue)/ }).click();
        await page.getByText(/What your server answered|O que o seu servidor respondeu/).waitFor();
      }
      await expectSound(page, `${path}-${language}-${phone ? 390 : 1280}`);
    }
  }
});
