import { expect, onTestFinished, test } from 'vitest';
import { axe, overflows } from '../backoffice/web/support.ts';
import { openPage, serveDocs, withBrowser } from './pages.ts';

const browser = withBrowser();

test('on a phone in the dark a guide shuts nobody out and is no wider than the screen', async () => {
  const { url } = await serveDocs('sandbox');
  const { page } = await openPage(`${url}/docs/pt/guias/primeiro-pagamento`, {
    width: 390,
    colorScheme: 'dark',
  });
  await page.getByRole('heading', { level: 1, name: 'O primeiro pagamento' }).waitFor();
  expect(await overflows(page)).toBe(false);
  expect(await axe(page)).toEqual([]);
  await page.getByRole('link', { name: 'English' }).click();
  await page.getByRole('heading', { level: 1, name: 'Your first payment' }).waitFor();
});

test('code is shown in one language at a time, by keyboard too, and the choice is kept for the next page', async () => {
  const { url } = await serveDocs('sandbox');
  const { page, complaints } = await openPage(`${url}/docs/guides/first-payment`);
  const tab = (name: string) => page.getByRole('tab', { name }).first();
  await page.getByText('curl -sS -X POST "$BASE_URL/payments/init"').waitFor();
  await tab('Python').click();
  await page.getByText('urllib.request.Request(').first().waitFor();
  expect(await page.getByText('curl -sS -X POST "$BASE_URL/payments/init"').isVisible()).toBe(false);
  await tab('Python').press('ArrowLeft');
  await page.getByText('curl_init(').first().waitFor();
  await page.goto(`${url}/docs/reference`);
  await page.getByText('curl_init(').first().waitFor();
  expect(complaints).toEqual([]);
});

test('without scripts everything is there, and on a phone the menu opens all the same', async () => {
  const { url } = await serveDocs('sandbox');
  const context = await browser().newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 900 },
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${url}/docs/guides/first-payment`);
  await page.getByText('curl_init(').first().waitFor();
  const entry = page.getByRole('link', { name: 'Receiving webhooks' });
  expect(await entry.isVisible()).toBe(false);
  await page.getByText('Menu', { exact: true }).click();
  await entry.click();
  await page.getByRole('heading', { level: 1, name: 'Receiving webhooks' }).waitFor();
});

test('calls are tried out with the sandbox, under TEST MONEY, with no request to another host', async () => {
  const { url } = await serveDocs('sandbox');
  const { page, requests, complaints } = await openPage(`${url}/docs/try`);
  await page.getByText('TEST MONEY').waitFor();
  await page.getByText('payment.success').first().waitFor();
  const block = page.locator('#operations-payments-paymentsInit');
  await block.locator('.opblock-summary').click();
  await block.getByText('Idempotency-Key', { exact: true }).first().waitFor();
  await block.getByRole('button', { name: 'Try it out' }).waitFor();

  const addresses = requests.filter((address) => !address.startsWith('data:'));
  expect(addresses.length).toBeGreaterThan(4);
  for (const address of addresses) expect(new URL(address).origin).toBe(url);
  expect(complaints).toEqual([]);
});

test('with a real bank there is no banner and nothing to try out', async () => {
  const { server, url } = await serveDocs('ifthenpay');
  const { page } = await openPage(`${url}/docs/try`);
  const block = page.locator('#operations-payments-paymentsMethods');
  await block.locator('.opblock-summary').click();
  await block.getByText('Responses').first().waitFor();
  expect(await page.getByRole('button', { name: 'Try it out' }).count()).toBe(0);
  expect(await page.getByText('TEST MONEY').count()).toBe(0);
  expect((await server.inject('/docs')).body).not.toContain('TEST MONEY');
});

test('only the files that the pages need are served, under policies that name no other host', async () => {
  const { server } = await serveDocs('sandbox');
  for (const file of [
    'assets/index.html',
    'assets/package.json',
    'assets/swagger-ui-bundle.js.map',
    'assets/swagger-initializer.js',
    'assets/../fastify/package.json',
    'site/../site.ts',
    'site/%2e%2e/site.ts',
    'content/en/entry.html',
    'samples/init.py',
  ]) {
    expect((await server.inject(`/docs/${file}`)).statusCode, file).toBe(404);
  }
  const page = await server.inject('/docs');
  expect((await server.inject('/docs/')).body).toBe(page.body);
  for (const path of ['/docs', '/docs/try']) {
    const policy = String((await server.inject(path)).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*/);
  }
  expect(String(page.headers['content-security-policy'])).not.toContain('unsafe');
});

test('a page that has not changed is not sent again', async () => {
  const { server } = await serveDocs('sandbox');
  const first = await server.inject('/docs/reference');
  const etag = String(first.headers.etag);
  const again = await server.inject({
    url: '/docs/reference',
    headers: { 'if-none-match': `"x", W/${etag}` },
  });
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
  const other = await server.inject({ url: '/docs/reference', headers: { 'if-none-match': '"x"' } });
  expect([other.statusCode, other.headers['cache-control']]).toEqual([200, 'no-cache']);
});
