import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { docsRoutes } from '../../src/http/docs.ts';
import { documentRoutes } from '../../src/http/document.ts';
import { openBrowser } from '../support/browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
}, 60_000);
afterAll(() => browser?.close());

async function service(bank: 'sandbox' | 'ifthenpay'): Promise<{ server: FastifyInstance; url: string }> {
  const server = fastify({ exposeHeadRoutes: false });
  server.register(documentRoutes({ settings: { publicUrl: null } }));
  server.register(docsRoutes({ settings: { bank } }));
  await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  return { server, url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
}

/** A page that notes each request and each complaint of the browser. */
async function open(
  url: string,
  width = 1280,
): Promise<{ page: Page; requests: string[]; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  onTestFinished(() => page.close());
  const [requests, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  await page.locator('#operations-payments-paymentsInit').waitFor();
  return { page, requests, complaints };
}

test('with the sandbox the page shows everything, says TEST MONEY and tries calls out, with no request to another host', async () => {
  const { url } = await service('sandbox');
  const { page, requests, complaints } = await open(`${url}/docs`);
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
  const { url } = await service('ifthenpay');
  const { page } = await open(`${url}/docs`);
  const block = page.locator('#operations-payments-paymentsMethods');
  await block.locator('.opblock-summary').click();
  await block.getByText('Responses').first().waitFor();
  expect(await page.getByRole('button', { name: 'Try it out' }).count()).toBe(0);
  expect(await page.getByText('TEST MONEY').count()).toBe(0);
});

test('on a phone nothing is wider than the screen', async () => {
  const { url } = await service('sandbox');
  const { page } = await open(`${url}/docs`, 390);
  await page.locator('#operations-payments-paymentsInit .opblock-summary').click();
  await page.locator('#operations-payments-paymentsInit .responses-table').first().waitFor();
  const widths = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]');
  expect(widths[0]).toBeLessThanOrEqual(widths[1]);
});

test('only the files that the page needs are served, under a policy that names no other host', async () => {
  const { server } = await service('sandbox');
  for (const file of [
    'index.html',
    'package.json',
    'swagger-ui-bundle.js.map',
    'swagger-initializer.js',
    '../fastify/package.json',
  ]) {
    expect((await server.inject(`/docs/assets/${file}`)).statusCode).toBe(404);
  }
  const page = await server.inject('/docs');
  expect((await server.inject('/docs/')).body).toBe(page.body);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/https?:|\*/);
});
