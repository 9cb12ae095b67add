import { expect, onTestFinished, test } from 'vitest';
import { openPage, serveDocs, withBrowser } from './pages.ts';

const browser = await withBrowser();

test('code tabs show one language, work by keyboard and keep the choice on the next page', async () => {
  const { url } = await serveDocs({});
  const { page, complaints } = await openPage(`${url}/docs/guides/first-payment`);
  const tab = (name: string) => page.getByRole('tab', { name }).first();
  await page.getByText('curl -sS --fail-with-body -X POST "$BASE_URL/payments/init"').waitFor();
  await tab('Python').click();
  await page.getByText('urllib.request.Request(').first().waitFor();
  expect(
    await page.getByText('curl -sS --fail-with-body -X POST "$BASE_URL/payments/init"').isVisible(),
  ).toBe(false);
  await tab('Python').press('ArrowLeft');
  await page.getByText('curl_init(').first().waitFor();
  await page.goto(`${url}/docs/reference`);
  await page.getByText('curl_init(').first().waitFor();
  expect(complaints).toEqual([]);
});

test('without scripts the page is complete and the menu opens on a phone', async () => {
  const { url } = await serveDocs({});
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 900 },
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${url}/docs/guides/first-payment`);
  await page.getByText('curl_init(').first().waitFor();
  const entry = page.getByRole('navigation').getByRole('link', { name: 'Receiving webhooks' });
  expect(await entry.isVisible()).toBe(false);
  await page.getByText('Menu', { exact: true }).click();
  await entry.click();
  await page.getByRole('heading', { level: 1, name: 'Receiving webhooks' }).waitFor();
});

test('with the sandbox the try-it page calls the API under TEST MONEY and requests no other host', async () => {
  const { url } = await serveDocs({});
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

test('with a real bank there is no try-it page, and the document shows no sandbox', async () => {
  const { server } = await serveDocs({ bank: 'ifthenpay', publicUrl: 'https://pay.example' });
  for (const path of ['/docs/try', '/docs/assets/swagger-ui-bundle.js'])
    expect((await server.inject(path)).statusCode, path).toBe(404);
  expect((await server.inject('/api/v1/openapi.json')).body).not.toMatch(
    /911\d{6}|127\.0\.0\.1|localhost|sandbox/i,
  );
});

test('only the files of the pages are served, with a policy that allows no other host', async () => {
  const { server } = await serveDocs({});
  for (const file of [
    'assets/index.html',
    'assets/package.json',
    'assets/swagger-ui-bundle.js.map',
    'assets/swagger-initializer.js',
    'assets/../fastify/package.json',
    'site/../site.ts',
    'site/%2e%2e/site.ts',
    'content/en/entry.md',
    'reference/none',
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

test('a wrong address and the root show a page to browsers, from which a search finds a section', async () => {
  const { url, server } = await serveDocs({});
  for (const path of ['/', '/docs/none'])
    expect((await server.inject(path)).headers['content-type']).toContain('application/json');
  const { page, complaints } = await openPage(`${url}/`);
  await page.getByRole('link', { name: 'Documentação' }).first().click();
  await page.waitForURL('**/docs/pt');
  expect((await page.goto(`${url}/docs/pt/nada`))?.status()).toBe(404);
  await page.getByRole('heading', { level: 1, name: 'Página não encontrada' }).waitFor();
  await page.getByRole('searchbox', { name: 'Pesquisar' }).fill('NOTIFICACAO duplicado <b>');
  await page.keyboard.press('Enter');
  await page.getByText('Nenhuma secção contém').waitFor();
  await page.getByRole('searchbox', { name: 'Pesquisar' }).fill('substituir segredo');
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByRole('link', { name: 'Receber webhooks: Substituir o segredo' }).click();
  await page.waitForURL('**/docs/pt/guias/webhooks#rodar');
  // The browser logs the wrong address.
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
});
