import { afterAll } from 'vitest';
import { sharedBrowser } from '../support/browser.ts';

/** Opens a browser for a test file. Returns a function that opens a page at phone width and records its errors. */
export function pageOpener() {
  const browser = sharedBrowser(afterAll);
  return async (url: string, locale: string) => {
    const context = await (await browser).newContext({ locale, viewport: { width: 390, height: 844 } });
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
