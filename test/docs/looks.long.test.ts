import { expect, test } from 'vitest';
import { TRY_PATH } from '../../src/docs/layout.ts';
import { readPages } from '../../src/docs/pages.ts';
import { axe, badContrasts, overflows, shoot } from '../backoffice/web/support.ts';
import { openPage, serveDocs, withBrowser } from './pages.ts';

const WIDTHS = [1280, 390];

await withBrowser();

test('every page of the documentation is accessible in light and dark, fits a wide screen and a phone and requests no other host', async () => {
  const { url } = await serveDocs({});
  const { page, requests, complaints } = await openPage(url);
  const paths = readPages().flatMap(({ en, pt }) => [en.path, ...(pt === undefined ? [] : [pt.path])]);
  for (const path of paths) {
    await page.goto(url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      for (const [colorScheme, findings] of [
        ['light', axe],
        ['dark', badContrasts],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await overflows(page), path).toBe(false);
        expect(await findings(page), `${path}, ${colorScheme}, ${width}`).toEqual([]);
        await shoot(page, `docs${path.replaceAll('/', '-')}-${width}-${colorScheme}`);
      }
    }
  }
  await page.goto(url + TRY_PATH);
  await page.locator('#operations-payments-paymentsInit .opblock-summary').click();
  await page.locator('#operations-payments-paymentsInit .responses-table').first().waitFor();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await overflows(page), `${width}`).toBe(false);
  }
  for (const address of requests) expect(new URL(address).origin).toBe(url);
  expect(complaints).toEqual([]);
}, 180_000);
