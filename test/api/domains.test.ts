import { afterAll, describe, expect, test } from 'vitest';
import { OperatorError } from '../../src/kernel/errors.ts';
import { addDomain } from '../../src/merchants/add-domain.ts';
import { removeDomain } from '../../src/merchants/remove-domain.ts';
import { startService, type TestMerchant } from '../support/harness.ts';
import { callerOf, callOperation, ENDPOINTS, expectRefusal, order } from './endpoints.ts';

const service = await startService({ whenOver: afterAll });

const sellers = new Map<string, Promise<TestMerchant>>();

/** A merchant with these domains; tests that change nothing share it. */
function sellerAt(domains: string[]): Promise<TestMerchant> {
  const seller = sellers.get(domains.join()) ?? service.merchant({ domains });
  sellers.set(domains.join(), seller);
  return seller;
}

describe.each(ENDPOINTS)('the store domain of an init through %s', (endpoint) => {
  const from = async (
    domains: string[],
    storeUrl: unknown,
    headers: Record<string, string> = {},
    overrides: Record<string, unknown> = {},
  ) => {
    const merchant = await sellerAt(domains);
    return callOperation(
      endpoint,
      callerOf(service, merchant, headers),
      'init',
      order({ storeUrl, ...overrides }),
    );
  };
  const admits = async (domains: string[], storeUrl: unknown, headers: Record<string, string> = {}) => {
    const answer = await from(domains, storeUrl, headers);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const refuses = async (domains: string[], storeUrl: unknown, headers: Record<string, string> = {}) =>
    expectRefusal(await from(domains, storeUrl, headers), 403, 'DOMAIN_NOT_ALLOWED');

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

  test('comes from storeUrl first, whatever Origin and Referer say', async () => {
    const registered = { origin: 'https://shop.pt', referer: 'https://shop.pt/' };
    await refuses(['shop.pt'], 'https://other.pt', registered);
    await admits(['shop.pt'], 'https://shop.pt', { origin: 'https://other.pt', referer: 'https://x.pt' });
    expectRefusal(await from(['shop.pt'], 'nonsense', registered), 400, 'INVALID_FIELDS', ['storeUrl']);
  });

  test.each(['null', 'nonsense', 'ftp://other.pt', ''])(
    'takes the Origin %j for unusable',
    async (origin) => {
      await admits(['shop.pt'], undefined, { origin, referer: 'https://shop.pt/cart' });
      const answer = await from(['shop.pt'], undefined, { origin });
      expectRefusal(answer, 400, 'STORE_DOMAIN_REQUIRED', ['storeUrl']);
    },
  );

  test.each([
    'https://shop.pt',
    'http://shop.pt',
    'https://shop.pt/',
    'https://shop.pt/path?x=1#y',
    'https://shop.pt:8443',
    'HTTPS://SHOP.PT',
    'https://Shop.Pt.',
    'https://www.shop.pt',
    'https://WWW.shop.pt.:443/x',
    'https://user:secret@shop.pt/',
  ])('shop.pt admits %s', (storeUrl) => admits(['shop.pt'], storeUrl));

  test.each([
    'https://other.pt',
    'https://evil-shop.pt',
    'https://evilshop.pt',
    'https://shop.pt.evil.com',
    'https://shop.pt.evil.com./',
    'https://shop.com',
    'https://pt',
    'https://loja.shop.pt',
    'https://www2.shop.pt',
    'https://a.www.shop.pt',
    'https://shop.pt@evil.com',
    'https://shop.pt:443@evil.com/',
    'https://evil.com/https://shop.pt',
    'https://evil.com?shop.pt',
    'https://evil.com#@shop.pt',
    'https://evil.com\\@shop.pt',
    'https://localhost',
    'https://127.0.0.1',
  ])('shop.pt does not admit %s', (storeUrl) => refuses(['shop.pt'], storeUrl));

  test.each(['https://a.shop.pt', 'https://a.b.shop.pt', 'https://www.shop.pt', 'https://A.Shop.pt.:81/x'])(
    '*.shop.pt admits %s',
    (storeUrl) => admits(['*.shop.pt'], storeUrl),
  );

  test.each(['https://shop.pt', 'https://evil-shop.pt', 'https://a.shop.pt.evil.com', 'https://ashop.pt'])(
    '*.shop.pt does not admit %s',
    (storeUrl) => refuses(['*.shop.pt'], storeUrl),
  );

  test('compares in punycode, whichever side wrote the accents', async () => {
    const punycode = new URL('https://maçã.pt').hostname;
    expect(punycode).toMatch(/^xn--/);
    await admits(['maçã.pt'], `https://${punycode}/`);
    await admits([punycode], 'https://MAÇÃ.pt');
    await refuses(['maçã.pt'], 'https://maca.pt');
  });

  test('matches localhost and addresses exactly', async () => {
    await admits(['localhost'], 'http://localhost:3000/shop');
    await refuses(['localhost'], 'http://www.localhost');
    await refuses(['localhost'], 'http://127.0.0.1');
    await admits(['127.0.0.1'], 'http://127.0.0.1:3000');
    await refuses(['127.0.0.1'], 'http://127.0.0.2');
    await refuses(['127.0.0.1'], 'http://localhost');
  });

  test('may be any of several', async () => {
    const domains = ['shop.pt', 'loja.myshopify.com'];
    await admits(domains, 'https://loja.myshopify.com');
    await refuses(domains, 'https://other.myshopify.com');
  });

  test('counts from the next call on when it is added or removed', async () => {
    const merchant = await service.merchant({ domains: ['shop.pt'] });
    const { deps } = service.app;
    const init = () =>
      callOperation(endpoint, callerOf(service, merchant), 'init', order({ storeUrl: 'https://loja.pt' }));
    expectRefusal(await init(), 403, 'DOMAIN_NOT_ALLOWED');
    await addDomain(deps, merchant.merchantId, 'loja.pt');
    expect((await init()).status).toBe(200);
    await removeDomain(deps, merchant.merchantId, 'LOJA.pt');
    expectRefusal(await init(), 403, 'DOMAIN_NOT_ALLOWED');
  });

  test('belongs to its merchant alone', async () => {
    await service.merchant({ domains: ['other.pt'] });
    await refuses(['shop.pt'], 'https://other.pt');
  });

  test('is checked at init only: steps and status go on after its removal', async () => {
    const merchant = await service.merchant({ domains: ['shop.pt', 'loja.pt'] });
    const transactionId = await merchant.init();
    await removeDomain(service.app.deps, merchant.merchantId, 'shop.pt');
    const caller = callerOf(service, merchant, { origin: 'https://evil.com' });
    expect((await callOperation(endpoint, caller, 'multibanco', { transactionId })).status).toBe(200);
    expect((await callOperation(endpoint, caller, 'status', { transactionId })).status).toBe(200);
    expectRefusal(await callOperation(endpoint, caller, 'init', order()), 403, 'DOMAIN_NOT_ALLOWED');
  });
});

describe('registering a store domain', () => {
  test.each([
    'https://shop.pt',
    'http://shop.pt/',
    'shop.pt/path',
    'shop.pt:8443',
    '127.0.0.1:80',
    'localhost:3000',
    'pt',
    'com.pt',
    'co.uk',
    '*.pt',
    '*.co.uk',
    'myshopify.com',
    '*.myshopify.com',
    'github.io',
    '*.github.io',
    '*',
    '*.',
    '*shop.pt',
    'a.*.shop.pt',
    '*.*.shop.pt',
    '*.localhost',
    '*.127.0.0.1',
    '',
    ' ',
    'shop..pt',
    'sho p.pt',
    'ana@shop.pt',
  ])('refuses %j with a line that says why', async (domain) => {
    const { deps } = service.app;
    const { merchantId } = await service.merchant();
    const refused = await addDomain(deps, merchantId, domain).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OperatorError);
    expect((refused as OperatorError).message).toMatch(/^[^\n]+$/);
  });

  test.each([
    ['SHOP.pt', 'shop.pt'],
    ['shop.pt.', 'shop.pt'],
    ['*.Shop.pt', '*.shop.pt'],
    ['loja.myshopify.com', 'loja.myshopify.com'],
    ['*.loja.myshopify.com', '*.loja.myshopify.com'],
    ['localhost', 'localhost'],
    ['192.168.1.10', '192.168.1.10'],
  ])('keeps %s as %s', async (domain, kept) => {
    const { merchantId } = await service.merchant({ domains: ['first.pt'] });
    const { domains } = await addDomain(service.app.deps, merchantId, domain);
    expect(domains).toContain(kept);
  });
});
