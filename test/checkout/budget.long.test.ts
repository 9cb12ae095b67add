import type { BrowserContext } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { LOGO_BYTES_MAX, setBrand } from '../../src/checkout/brand.ts';
import { openBrowser } from '../support/browser.ts';
import { startService } from '../support/harness.ts';
import { createSession } from './support.ts';

const BUDGET = { bytes: 60_000, firstPaintMs: 100, blockingMs: 50 };
/** A busy machine slows some loads; the page is as fast as the best one. */
const LOADS_MAX = 80;
/** A phone of the cheaper kind is about four times as slow as this processor. */
const CPU_SLOWDOWN = 4;
const LONG_TASK_MS = 50;

/**
 * Loads a page once, with nothing cached, and measures it until its first answer to a status request. Another page of its origin
 * is loaded first, because this browser starts a process for each new origin; other browsers keep one ready.
 */
async function load(context: BrowserContext, url: string, slowdown: number) {
  const page = await context.newPage();
  await page.goto(new URL('/healthz', url).href);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  let bytes = 0;
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const requests: string[] = [];
  const hosts = new Set<string>();
  page.on('request', (request) => {
    const { host, pathname } = new URL(request.url());
    hosts.add(host);
    if (!pathname.endsWith('/status')) requests.push(request.resourceType());
  });
  await page.addInitScript(`globalThis.longTasks = [];
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((task) => task.duration)))
      .observe({ type: 'longtask', buffered: true });`);
  const polled = page.waitForResponse(/\/status$/);
  await page.goto(url);
  const weight = bytes;
  await polled;
  const paint = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`;
  const firstPaintMs = Number(await (await page.waitForFunction(paint)).jsonValue());
  const longTasks = (await page.evaluate('longTasks')) as number[];
  await page.close();
  const blockingMs = longTasks.reduce((sum, ms) => sum + ms - LONG_TASK_MS, 0);
  return { weight, requests: requests.sort(), hosts: [...hosts], firstPaintMs, blockingMs };
}

test('the page keeps its budget of bytes, requests, paint and blocking time, with a logo of the largest size', async () => {
  const service = await startService();
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const merchant = await service.merchant({ name: 'Loja do Bairro' });
  const logo = Buffer.alloc(LOGO_BYTES_MAX, 1);
  Buffer.from('89504e470d0a1a0a', 'hex').copy(logo);
  await setBrand(service.app.deps, merchant.merchantId, { accent: '#6b1f2e', logo });
  const { body } = await createSession(service, merchant, { cancelUrl: 'https://shop.pt/cart' });
  // The state with most to show: a reference, and the form for a push.
  await fetch(body.url, { method: 'POST', body: new URLSearchParams({ method: 'REFERENCE' }) });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const best = { firstPaintMs: Number.POSITIVE_INFINITY, blockingMs: Number.POSITIVE_INFINITY };
  const isMet = () => best.firstPaintMs < BUDGET.firstPaintMs && best.blockingMs < BUDGET.blockingMs;
  for (let at = 0; at < LOADS_MAX && !isMet(); at++) {
    const { weight, requests, hosts, firstPaintMs } = await load(context, body.url, 1);
    expect(weight).toBeLessThan(BUDGET.bytes);
    expect(requests).toEqual(['document', 'image', 'script']);
    expect(hosts).toEqual([new URL(body.url).host]);
    best.firstPaintMs = Math.min(best.firstPaintMs, firstPaintMs);
    if (best.blockingMs < BUDGET.blockingMs) continue;
    const { blockingMs } = await load(context, body.url, CPU_SLOWDOWN);
    best.blockingMs = Math.min(best.blockingMs, blockingMs);
  }
  await context.close();
  expect(best.firstPaintMs).toBeLessThan(BUDGET.firstPaintMs);
  expect(best.blockingMs).toBeLessThan(BUDGET.blockingMs);
});
