import { afterAll, describe, expect, test } from 'vitest';
import { addDomain, removeDomain } from '../../src/merchants/domains.ts';
import { startService, type TestMerchant } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';
import { callerOf, callOperation, ENDPOINTS, expectRefusal, order } from './endpoints.ts';

const service = await startService({ whenOver: afterAll });

const sellers = new Map<string, Promise<TestMerchant>>();

/** A merchant with these domains, shared by the tests that do not change it. */
function sellerAt(domains: string[]): Promise<TestMerchant> {
  const seller = sellers.get(domains.join()) ?? service.merchant({ domains });
  sellers.set(domains.join(), seller);
  return seller;
}

/** Which store URLs each set of registered domains admits; `store-domain.test.ts` has the rules in full. */
const RULES: [domains: string[], admitted: string[], refused: string[]][] = [
  [
    ['shop.pt'],
    ['http://shop.pt', 'https://shop.pt/path?x=1#y', 'HTTPS://Shop.Pt.:8443', 'https://www.shop.pt'],
    [
      ...[
        'https://evil-shop.pt',
        'https://shop.pt.evil.com',
        'https://loja.shop.pt',
        'https://a.www.shop.pt',
      ],
      ...['https://shop.pt@evil.com', 'https://evil.com/https://shop.pt', 'https://evil.com\\@shop.pt'],
    ],
  ],
  [
    ['*.shop.pt'],
    ['https://a.shop.pt', 'https://a.b.shop.pt', 'https://www.shop.pt', 'https://A.Shop.pt.:81/x'],
    ['https://shop.pt', 'https://evil-shop.pt', 'https://a.shop.pt.evil.com', 'https://ashop.pt'],
  ],
  [['maçã.pt'], ['https://xn--ma-tiap.pt', 'https://MAÇÃ.pt'], ['https://maca.pt']],
  [['localhost'], ['http://localhost:3000/shop'], ['http://www.localhost', 'http://127.0.0.1']],
  [['127.0.0.1'], ['http://127.0.0.1:3000'], ['http://127.0.0.2', 'http://localhost']],
  [
    ['shop.pt', 'loja.myshopify.com'],
    ['https://shop.pt', 'https://loja.myshopify.com'],
    ['https://other.myshopify.com'],
  ],
];

describe.each(ENDPOINTS)('the store domain of an init through %s', (endpoint) => {
  const from = async (domains: string[], storeUrl: unknown, headers: Record<string, string> = {}) =>
    callOperation(endpoint, callerOf(service, await sellerAt(domains), headers), 'init', order({ storeUrl }));
  const admits = async (...init: Parameters<typeof from>) => {
    const answer = await from(...init);
    expect(answer.status, JSON.stringify([init, answer.body])).toBe(200);
  };
  const refuses = async (...init: Parameters<typeof from>) =>
    expectRefusal(await from(...init), 403, 'DOMAIN_NOT_ALLOWED');

  test.each(RULES)('matches the registered domains %j', async (domains, admitted, refused) => {
    for (const storeUrl of admitted) await admits(domains, storeUrl);
    for (const storeUrl of refused) await refuses(domains, storeUrl);
  });

  test.each([[undefined], [null], [''], ['  ']])('is required: %j is none', async (storeUrl) => {
    expectRefusal(await from(['shop.pt'], storeUrl), 400, 'STORE_DOMAIN_REQUIRED', ['storeUrl']);
  });

  test('comes from Origin without a storeUrl, from Referer without both', async () => {
    await admits(['shop.pt'], undefined, { origin: 'https://shop.pt' });
    await admits(['shop.pt'], null, { origin: 'https://shop.pt:8443', referer: 'https://other.pt/' });
    await admits(['shop.pt'], undefined, { referer: 'https://www.shop.pt/cart?id=7' });
    await refuses(['shop.pt'], undefined, { origin: 'https://other.pt', referer: 'https://shop.pt/' });
    await refuses(['shop.pt'], undefined, { referer: 'https://other.pt/https://shop.pt' });
  });

  test('comes from storeUrl before Origin and Referer', async () => {
    const registered = { origin: 'https://shop.pt', referer: 'https://shop.pt/' };
    await refuses(['shop.pt'], 'https://other.pt', registered);
    await admits(['shop.pt'], 'https://shop.pt', { origin: 'https://other.pt', referer: 'https://x.pt' });
    expectRefusal(await from(['shop.pt'], 'nonsense', registered), 400, 'INVALID_FIELDS', ['storeUrl']);
  });

  test.each(['null', 'nonsense', 'ftp://other.pt', ''])('ignores the Origin %j', async (origin) => {
    await admits(['shop.pt'], undefined, { origin, referer: 'https://shop.pt/cart' });
    const answer = await from(['shop.pt'], undefined, { origin });
    expectRefusal(answer, 400, 'STORE_DOMAIN_REQUIRED', ['storeUrl']);
  });

  test('an added or removed domain counts from the next call', async () => {
    const merchant = await service.merchant({ domains: ['shop.pt'] });
    const other = await service.merchant({ domains: ['loja.pt'] });
    const { deps } = service.app;
    const init = (shop = merchant) =>
      callOperation(endpoint, callerOf(service, shop), 'init', order({ storeUrl: 'https://loja.pt' }));
    expectRefusal(await init(), 403, 'DOMAIN_NOT_ALLOWED');
    await addDomain(deps, merchant.merchantId, 'loja.pt');
    expect((await init()).status).toBe(200);
    await removeDomain(deps, merchant.merchantId, 'LOJA.pt');
    expectRefusal(await init(), 403, 'DOMAIN_NOT_ALLOWED');
    expect((await init(other)).status).toBe(200);
  });

  test('is checked at init only: steps and status work after its removal', async () => {
    const merchant = await service.merchant({ domains: ['shop.pt', 'loja.pt'] });
    const transactionId = await merchant.init();
    await removeDomain(service.app.deps, merchant.merchantId, 'shop.pt');
    const caller = callerOf(service, merchant, { origin: 'https://evil.com' });
    expect((await callOperation(endpoint, caller, 'multibanco', { transactionId })).status).toBe(200);
    expect((await callOperation(endpoint, caller, 'status', { transactionId })).status).toBe(200);
    expectRefusal(await callOperation(endpoint, caller, 'init', order()), 403, 'DOMAIN_NOT_ALLOWED');
  });
});

test('calls of many merchants at the same moment are each admitted by their own key and domains', async () => {
  const shops = await Promise.all(
    Array.from({ length: 70 }, async (_, i) => ({
      name: `s${i}.pt`,
      seller: await service.merchant({ domains: [`s${i}.pt`] }),
    })),
  );
  const callAs = (seller: TestMerchant, name: string | undefined) =>
    callOperation('REST', callerOf(service, seller), 'init', order({ storeUrl: `https://${name}` }));
  const [own, foreign] = await Promise.all([
    Promise.all(shops.map(({ seller, name }) => callAs(seller, name))),
    Promise.all(shops.map(({ seller }, i) => callAs(seller, shops[(i + 1) % shops.length]?.name))),
  ]);
  for (const answer of own) expect(answer.status).toBe(200);
  for (const answer of foreign) expectRefusal(answer, 403, 'DOMAIN_NOT_ALLOWED');
  for (const { seller, name } of shops)
    expect(
      await selectRows(service.app.deps.db, 'transactions', { merchant_id: seller.merchantId }),
    ).toMatchObject([{ store_domain: name }]);
});
