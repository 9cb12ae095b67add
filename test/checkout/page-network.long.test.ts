import { expect, test } from 'vitest';
import { paymentPages } from './page-kit.ts';

const { service, open } = await paymentPages();

test('the page stays when its status cannot be read, and shows the result afterwards', async () => {
  const { page, merchant, transactionId, url } = await open('en');
  await page.getByRole('button', { name: 'Pay by Multibanco' }).click();
  await page.getByText('Payable until').waitFor();
  const { mb } = await merchant.status(await transactionId());
  let refusals = 0;
  await page.route(`${url}/status`, async (route) => {
    refusals += 1;
    if (refusals === 1) return route.abort();
    if (refusals === 2) return route.fulfill({ status: 502, json: { error: 'Bad Gateway' } });
    return route.continue();
  });
  await page.getByLabel('Mobile number').fill('912 345');
  await expect.poll(() => refusals).toBeGreaterThan(2);
  expect(await page.getByLabel('Mobile number').inputValue()).toBe('912 345');
  await service.control('/multibanco', { entity: mb.entity, reference: mb.reference });
  await page.getByText('Payment confirmed').waitFor();
  await page.close();
});

test.for([
  ['status request', '/status'],
  ['reload', ''],
])('a %s that is never answered does not end the live result', async ([, path]) => {
  const { page, merchant, transactionId, url } = await open('en');
  await page.clock.install();
  await page.getByRole('button', { name: 'Pay by Multibanco' }).click();
  await page.getByText('Payable until').waitFor();
  const { mb } = await merchant.status(await transactionId());
  let requests = 0;
  await page.route(`${url}${path}`, async (route) => {
    requests += 1;
    if (requests > 1) return route.continue();
  });
  await service.control('/multibanco', { entity: mb.entity, reference: mb.reference });
  await expect.poll(() => requests).toBe(1);
  await merchant.reaches(await transactionId(), 'paid');
  await page.clock.fastForward(20_000);
  await page.getByText('Payment confirmed').waitFor();
  await page.close();
});

test('after a submission that was lost, the page takes another', async () => {
  const { page, url } = await open('en');
  await page.clock.install();
  let posts = 0;
  await page.route(url, async (route) => {
    if (route.request().method() === 'POST') posts += 1;
    // As when the shopper stops the page, the browser stays where it is.
    return posts === 1 ? route.abort('aborted') : route.continue();
  });
  await page.getByLabel('Mobile number').fill('920000041');
  const pay = page.getByRole('button', { name: 'Pay by Multibanco' });
  await pay.click();
  await expect.poll(() => posts).toBe(1);
  // A further press of either button would be a second request.
  await pay.click({ force: true });
  await page.getByRole('button', { name: 'Pay with MB WAY' }).click({ force: true });
  // The bank may take a second twice.
  await page.clock.fastForward(2000);
  expect(await pay.getAttribute('aria-disabled')).toBe('true');
  await page.clock.fastForward(10_000);
  await pay.click();
  await page.getByText('Payable until').waitFor();
  expect(posts).toBe(2);
  await page.close();
});

test('a page that the browser kept takes a submission when the shopper returns to it', async () => {
  const { page, url } = await open('en');
  await page.route(url, (route) => route.abort('aborted'));
  const pay = page.getByRole('button', { name: 'Pay by Multibanco' });
  await pay.click();
  expect(await pay.getAttribute('aria-disabled')).toBe('true');
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
  expect(await pay.getAttribute('aria-disabled')).toBe('false');
  await page.close();
});
