import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser } from '../support/browser.ts';

/** A browser for the tests of a file. Returns what opens a page in it, as wide as a phone's, with a memory of what went wrong. */
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
