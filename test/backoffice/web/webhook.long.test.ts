import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { updateRows } from '../../support/rows.ts';
import { until } from '../../support/until.ts';
import { accept, givePassword, openHooks } from './hooks-kit.ts';
import { expectSound, shoot } from './support.ts';

/** Browser tests are slow on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });

const refuse = (response: ServerResponse) => void response.writeHead(500).end('the database is down');

const { office, receiver, answerBy, shop, ownerAt } = await openHooks();

test('an invalid webhook URL is refused with a reason, a valid one accepted after the password, and a test shows the endpoint’s answer', async () => {
  const merchant = await shop(false);
  const page = await ownerAt(merchant, 'webhook');
  const field = page.getByLabel('Endpoint URL');
  const save = page.getByRole('button', { name: 'Save URL' });
  for (const [url, said] of [
    ['http://shop.pt/hook', 'The URL must start with https://.'],
    ['https://169.254.169.254/latest', 'This URL cannot be reached from the internet.'],
    ['https://user:pass@shop.pt/', 'must not contain a user name or password'],
  ] as const) {
    await field.fill(url);
    await save.click();
    await page.getByText(said).waitFor();
  }
  await expectSound(page, 'webhook-refused');
  await office.growStale();
  await field.fill(receiver.url);
  await save.click();
  await givePassword(page);
  await page.getByText('URL saved and sending turned on').waitFor();
  expect(await page.getByRole('switch', { name: 'Send events' }).isChecked()).toBe(true);

  answerBy((response) => void response.writeHead(202).end('{"received":"<b>yes</b>"}'));
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('Your server accepted the event').waitFor();
  await page.getByText('{"received":"<b>yes</b>"}').waitFor();
  expect(receiver.requests.at(-1)?.headers['x-service-event']).toBe('webhook.test');
  await expectSound(page, 'webhook-tested');
});

test('a test event whose result cannot be read says so, and shows it as soon as it can', async () => {
  const page = await ownerAt(await shop(), 'webhook');
  answerBy(accept);
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHeld = false;
  await page.route(/webhook\.delivery\?/, async (route) => {
    if (!isHeld) return await route.fulfill({ status: 503 });
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Send test' }).click();
  const failure = page.getByRole('alert').getByText('Could not load this');
  await failure.waitFor();
  // The next try neither hides the failure nor announces it again.
  isHeld = true;
  await asked.promise;
  expect(await failure.count()).toBe(1);
  expect(await page.getByText('Waiting for your server').count()).toBe(0);
  released.resolve();
  await page.getByText('Your server accepted the event').waitFor();
});

test('a failed test shows each attempt as it ends, and its delivery is resent from the log', async () => {
  const merchant = await shop();
  const page = await ownerAt(merchant, 'webhook');
  answerBy(refuse);
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('The endpoint answered 500').first().waitFor();
  await page.getByText('Next attempt in a moment').waitFor();
  await page.getByText('Your server did not accept the event').waitFor();
  await page.getByText('the database is down').waitFor();
  const focused = () => page.evaluate('document.activeElement.textContent');
  await expect.poll(focused).toBe('Send another test event');
  expect(
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Attempt \d500/ })
      .count(),
  ).toBe(4);
  await expectSound(page, 'webhook-test-failed');

  answerBy(accept);
  const failed = page.getByRole('button', { name: /^Undelivered/ });
  await failed.click();
  await page.getByRole('button', { name: 'Resend', exact: true }).click();
  await page.getByRole('button', { name: /^Delivered/ }).waitFor();
  await expectSound(page, 'webhook-resent');
});

test('the next attempt of the automatic recovery is shown with its day', async () => {
  const merchant = await shop();
  const page = await ownerAt(merchant, 'webhook');
  answerBy(refuse);
  await page.getByRole('switch', { name: 'Recover automatically' }).click();
  await page.getByText('Automatic recovery is on.').waitFor();
  await merchant.pay();
  await page.getByText(/Next attempt: \d+\s[A-Z][a-z]+\s\d{4}, \d\d:\d\d\./).waitFor();
});

test('events missed while the webhook was off are shown, and resent with progress', async () => {
  const merchant = await shop();
  const page = await ownerAt(merchant, 'webhook');
  const toggle = page.getByRole('switch', { name: 'Send events' });
  await toggle.click();
  const question = page.getByRole('dialog', { name: 'Stop sending events?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await toggle.isChecked()).toBe(true);
  await toggle.click();
  await question.getByRole('button', { name: 'Stop sending' }).click();
  await page.getByText('Events are stored and not sent.', { exact: true }).waitFor();
  await page.getByRole('note').getByText('Sending is off').waitFor();
  await expectSound(page, 'webhook-off');
  const sold = await Promise.all([merchant.pay(), merchant.pay(), merchant.pay()]);
  await page.getByText('3 payment events were not delivered to your server').waitFor();
  await toggle.click();
  await page.getByText('Events are sent from now on.').waitFor();
  await page.getByText(/Fix your endpoint, then resend them all\.$/).waitFor();
  await expectSound(page, 'webhook-missed');

  const held: ServerResponse[] = [];
  answerBy((response) => void held.push(response));
  const before = receiver.requests.length;
  await page.getByRole('alert').getByRole('button', { name: 'Resend undelivered events…' }).click();
  await shoot(page, 'webhook-recover');
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
  await page.getByText('0 of 3 sent').waitFor();
  await until(() => held.length === 3);
  answerBy(accept);
  held.shift()?.end('ok');
  // No axe here: the attempts that are held end by themselves after 8 s.
  await page.getByText('1 of 3 sent').waitFor();
  await shoot(page, 'webhook-recovering');
  for (const response of held) response.end('ok');
  await page.getByText('All 3 delivered').waitFor();
  await expectSound(page, 'webhook-recovered');
  await page.getByText('3 payment events were not delivered to your server').waitFor({ state: 'detached' });
  const resent = receiver.requests.slice(before).map(({ body }) => JSON.parse(body.toString()).data.id);
  expect(resent.sort()).toEqual(sold.sort());
});

test('an event missed in the first pass of the repeated hour of October is resent from the proposed time', async () => {
  const merchant = await shop();
  const page = await ownerAt(merchant, 'webhook');
  const { merchantId } = merchant;
  await page.getByRole('switch', { name: 'Send events' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop sending' }).click();
  await page.getByText('Events are stored and not sent.', { exact: true }).waitFor();
  await merchant.pay();
  await page.getByText('One payment event was not delivered to your server').waitFor();
  await page.getByText(/^It is from .+\. Turn the webhook on, then resend it\.$/).waitFor();
  const year = new Date(Date.now() - 335 * 86_400_000).getUTCFullYear();
  const end = Date.UTC(year, 9, 31, 0, 30);
  const finishedAt = end - new Date(end).getUTCDay() * 86_400_000;
  await updateRows(
    office.service.app.deps.db,
    'deliveries',
    { finished_at: finishedAt },
    { merchant_id: merchantId },
  );
  await page.reload();
  await page.getByRole('switch', { name: 'Send events' }).click();
  await page.getByRole('button', { name: 'Resend undelivered events…' }).first().click();
  expect(await page.getByLabel('Since (Lisbon time)').inputValue()).toMatch(/^\d\d\/10\/\d{4} 01:30$/);
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
  await page.getByText('The event was delivered').waitFor();
});

test('a time that the browser’s zone does not have is shown as it is sent', async () => {
  const page = await ownerAt(await shop(), 'webhook');
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Madrid' });
  await page.reload();
  await page.getByRole('button', { name: 'Resend undelivered events…' }).click();
  const field = page.getByLabel('Since (Lisbon time)');
  await field.fill('26/03/2023 02:30');
  await field.press('Tab');
  expect(await field.inputValue()).toBe('26/03/2023 02:30');
  await field.click();
  await page.getByRole('button', { name: '27 Mar 2023' }).click();
  expect(await field.inputValue(), 'a day chosen in the calendar').toBe('27/03/2023 02:30');
  await field.fill('28/03/2023');
  await field.press('Enter');
  expect(await field.inputValue(), 'a day typed without a time').toBe('28/03/2023 02:30');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await devTools.send('Emulation.setTimezoneOverride', { timezoneId: '' });
});

test('a secret is rotated with both in force, and the rotation is finished', async () => {
  const merchant = await shop();
  const page = await ownerAt(merchant, 'webhook');
  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByText(merchant.webhookSecret).waitFor();
  const focused = () => page.evaluate('document.activeElement.textContent');
  await expect.poll(focused).toBe('Hide');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Reveal');
  await page.getByRole('button', { name: 'Rotate…' }).click();
  await shoot(page, 'webhook-rotate');
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByText('Two secrets until').waitFor();
  await expectSound(page, 'webhook-rotating');
  await page.getByRole('button', { name: 'Finish rotation' }).click();
  await page.getByRole('button', { name: 'Retire the old secret' }).click();
  await page.getByText('Two secrets until').waitFor({ state: 'detached' });
});

test('an export after the session has ended asks to sign in again over the page', async () => {
  const page = await ownerAt(await shop(), 'webhook');
  const link = page.getByRole('link', { name: 'Export events' });
  await link.waitFor();
  await page.context().clearCookies();
  await link.click();
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/webhook$/);
});

test('the last attempt of an undelivered event that a restart interrupted is not said to be sent again', async () => {
  const merchant = await shop();
  const page = await ownerAt(merchant, 'webhook');
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('Your server accepted the event').waitFor();
  const { db } = office.service.app.deps;
  const { merchantId: merchant_id } = merchant;
  const error = 'The attempt was interrupted by a restart of the service; its outcome is unknown.';
  const cut = { status: null, duration_ms: null, response: null, error };
  await updateRows(db, 'delivery_attempts', cut, { merchant_id });
  await updateRows(db, 'deliveries', { state: 'undelivered' }, { merchant_id });
  await page.reload();
  await page.getByRole('button', { name: /^Undelivered/ }).click();
  await page.getByText(error).waitFor();
  await page.getByText('interrupted', { exact: true }).waitFor();
});
