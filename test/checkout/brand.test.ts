import { afterAll, expect, test } from 'vitest';
import { LOGO_BYTES_MAX, setBrand } from '../../src/checkout/brand.ts';
import { ORDER, startService } from '../support/harness.ts';
import { selectRow } from '../support/rows.ts';

const service = await startService({ whenOver: afterAll });
const { deps } = service.app;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('the payment page shows the merchant’s logo and colour, from its own address', async () => {
  const merchant = await service.merchant();
  await setBrand(deps, merchant.merchantId, { accent: '#6B1F2E', logo: PNG });
  const { url } = await merchant.trpc.checkout.createSession.mutate(ORDER);
  const page = await fetch(url);
  const html = await page.text();
  expect(page.headers.get('content-security-policy')).toContain("img-src 'self'");
  const [, logo = ''] = /src="(assets\/logo\/[^"]+)"/.exec(html) ?? [];
  expect(html).toContain(':root{--accent:#6b1f2e}</style>');
  const image = await fetch(new URL(logo, url));
  expect(image.headers.get('content-type')).toBe('image/png');
  expect(image.headers.get('x-content-type-options')).toBe('nosniff');
  expect(Buffer.from(await image.arrayBuffer()).equals(PNG)).toBe(true);
  await setBrand(deps, merchant.merchantId, { accent: '#123456' });
  expect(await (await fetch(url)).text()).toContain(`src="${logo}"`);
  await setBrand(deps, merchant.merchantId, { accent: null, logo: null });
  expect(await (await fetch(url)).text()).not.toMatch(/#6b1f2e|assets\/logo/);
  expect((await fetch(new URL(logo, url))).status).toBe(404);
});

test('a colour by name, another type of file, a large one and no change at all change nothing', async () => {
  const { merchantId } = await service.merchant();
  await setBrand(deps, merchantId, { accent: '#123456' });
  for (const [reason, wrong] of [
    ['brand_colour', { accent: 'red' }],
    ['brand_logo_type', { logo: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }],
    ['brand_logo_size', { logo: Buffer.concat([PNG, Buffer.alloc(LOGO_BYTES_MAX)]) }],
  ] as const) {
    await expect(setBrand(deps, merchantId, wrong)).rejects.toMatchObject({ name: 'OperatorError', reason });
  }
  await setBrand(deps, merchantId, {});
  const row = await selectRow(deps.db, 'merchant_brands', { merchant_id: merchantId });
  expect(row).toMatchObject({ accent: '#123456', logo: null });
});

test.each([
  ['#000000', true],
  ['#1f539c', true],
  ['#767676', true],
  ['#777777', false],
  ['#ffffff', false],
])('white text on %s can be read: %s', async (accent, dark) => {
  const { merchantId } = await service.merchant();
  const set = setBrand(deps, merchantId, { accent });
  await (dark ? set : expect(set).rejects.toMatchObject({ reason: 'brand_colour' }));
});
