import { expect, test } from 'vitest';
import { TRY_PATH } from '../../src/docs/layout.ts';
import { readPages } from '../../src/docs/pages.ts';
import { axe, badContrasts, overflows, shoot } from '../backoffice/web/support.ts';
import { openPage, serveDocs, withBrowser } from './pages.ts';

await withBrowser();

test.each([1280, 390])(
  'every page of the documentation is accessible in light and dark, fits a screen of %i pixels and requests no other host',
  async (width) => {
    const { url } = await serveDocs({});
    const paths = readPages().flatMap(({ en, pt }) => [en.path, ...(pt === undefined ? [] : [pt.path])]);
    for (const path of paths) {
      const { page, requests, complaints } = await openPage(url + path, { width });
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (const [colorScheme, findings] of [
        ['light', axe],
        ['dark', badContrasts],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await overflows(page), path).toBe(false);
        expect(await findings(page), `${path}, ${colorScheme}`).toEqual([]);
        await shoot(page, `docs${path.replaceAll('/', '-')}-${width}-${colorScheme}`);
      }
      for (const address of requests) expect(new URL(address).origin).toBe(url);
      expect(complaints).toEqual([]);
      await page.close();
    }
    const { page } = await openPage(url + TRY_PATH, { width });
    await page.locator('#operations-payments-paymentsInit .opblock-summary').click();
    await page.locator('#operations-payments-paymentsInit .responses-table').first().waitFor();
    expect(await overflows(page)).toBe(false);
  },
  180_000,
);
