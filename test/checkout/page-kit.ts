import { afterAll, expect } from 'vitest';
import { axe, badContrasts, overflows, shoot } from '../backoffice/web/support.ts';
import { sharedBrowser } from '../support/browser.ts';
import { startService } from '../support/harness.ts';
import { createSession, readSession } from './support.ts';

export const WIDTHS = [390, 1280];

/** A service with a browser, and pages of sessions, which the tests of a file share. */
export async function paymentPages() {
  const service = await startService({
    whenOver: afterAll,
    env: { SERVICE_MBWAY_WINDOW_SECONDS: '240' },
  });
  const browser = await sharedBrowser(afterAll);
  async function open(
    locale: 'pt' | 'en',
    overrides: Record<string, unknown> = {},
    options: { javaScriptEnabled?: boolean } = {},
  ) {
    const merchant = await service.merchant({ name: 'Loja do Bairro' });
    const order = { orderId: 'ENC-1042', cancelUrl: 'https://shop.pt/cart', locale, ...overrides };
    const { body } = await createSession(service, merchant, order);
    const page = await browser.newPage({ ...options, viewport: { width: 390, height: 844 } });
    const troubles: string[] = [];
    page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('request', (request) => {
      const { hostname } = new URL(request.url());
      if (hostname !== '127.0.0.1') troubles.push(request.url());
    });
    await page.goto(body.url);
    const sound = async (name: string) => {
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 });
        await shoot(page, `pay-${name}-${locale}-${width}`);
        expect(await axe(page), name).toEqual([]);
        expect(await overflows(page), name).toBe(false);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await shoot(page, `pay-${name}-${locale}-dark`);
      expect(await badContrasts(page), `${name}, dark`).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(troubles, name).toEqual([]);
    };
    const transactionId = async (): Promise<string> =>
      (await readSession(service, merchant, body.sessionId)).body.transactionId;
    return { page, merchant, sound, transactionId, url: body.url as string };
  }

  return { service, browser, open };
}
