import { expect, test } from 'vitest';
import { TRY_PATH } from '../../src/docs/layout.ts';
import { readPages } from '../../src/docs/pages.ts';
import { axe, overflows, shoot } from '../backoffice/web/support.ts';
import { type Look, openPage, serveDocs, withBrowser } from './pages.ts';

withBrowser();

const LOOKS: readonly (readonly [string, Look])[] = [
  ['wide', {}],
  ['wide and dark', { colorScheme: 'dark' }],
  ['on a phone', { width: 390 }],
  ['on a phone in the dark', { width: 390, colorScheme: 'dark' }],
];

test.each(LOOKS)(
  '%s every page of the documentation is accessible, fits the screen and requests no other host',
  async (name, look) => {
    const { url } = await serveDocs({});
    const paths = readPages().flatMap(({ en, pt }) => [en.path, ...(pt === undefined ? [] : [pt.path])]);
    for (const path of paths) {
      const { page, requests, complaints } = await openPage(url + path, look);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await overflows(page), path).toBe(false);
      expect(await axe(page), path).toEqual([]);
      for (const address of requests) expect(new URL(address).origin).toBe(url);
      expect(complaints).toEqual([]);
      await shoot(page, `docs${path.replaceAll('/', '-')}-${name.replaceAll(' ', '-')}`);
      await page.close();
    }
    const { page } = await openPage(url + TRY_PATH, look);
    await page.locator('#operations-payments-paymentsInit .opblock-summary').click();
    await page.locator('#operations-payments-paymentsInit .responses-table').first().waitFor();
    expect(await overflows(page)).toBe(false);
  },
  180_000,
);
