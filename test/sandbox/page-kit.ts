import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser } from '../support/browser.ts';

/** Opens a browser for a test file. Returns a function that opens a page at phone width and records its errors. */
export function pageOpener() {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser?.close());
  return async (url: string, locale: string) => {
    const context = await browser.newContext({ locale, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const troubles: string[] = [];
    const hosts = new Set<string>();
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    await page.goto(url);
    return { page, troubles, hosts };
  };
}
