import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainDomain } from '../../src/backoffice/domains/explain.ts';
import { insertDomains } from '../../src/merchants/store.ts';
import { domainMatches, registerableDomain } from '../../src/merchants/store-domain.ts';
import { startService } from '../support/harness.ts';
import { shopWithOwner, signedIn } from './support.ts';

test('a domain that cannot be registered is explained with its fault', () => {
  const fault = (text: string) => {
    const said = explainDomain(text);
    return said.ok ? null : said.reason;
  };
  expect(fault('')).toBe('domain_blank');
  expect(fault('https://www.shop.pt/cart?x=1')).toBe('domain_url');
  expect(fault('shop.pt/cart')).toBe('domain_path');
  expect(fault('shop.pt:8443')).toBe('domain_port');
  expect(fault('com.pt')).toBe('domain_suffix');
  expect(fault('*.myshopify.com')).toBe('domain_suffix');
  expect(fault('shop.*')).toBe('domain_wildcard');
  expect(fault('my shop')).toBe('domain_name');
});

test('an internationalised domain is shown in Unicode next to its ASCII form', async () => {
  const service = await startService();
  const { merchantId, init } = await service.merchant({ domains: ['*.loja-ção.pt', 'shop.pt'] });
  const ascii = new URL('http://loja-ção.pt').hostname;
  const id = await init({ storeUrl: 'https://www.loja-ção.pt' });
  const owner = await signedIn(service, { role: 'owner', merchantId });
  const operator = await signedIn(service, { role: 'operator' });
  const names = { [`*.${ascii}`]: '*.loja-ção.pt' };
  const [listed, plain] = (await owner.query('domains.list', { merchantId })).value.domains;
  expect(listed).toMatchObject({ domain: `*.${ascii}`, names: { ...names, [ascii]: 'loja-ção.pt' } });
  expect(plain).toMatchObject({ domain: 'shop.pt', names: {} });
  const typed = { merchantId, text: 'outlet.loja-ção.pt' };
  expect((await owner.query('domains.explain', typed)).value).toMatchObject({
    pattern: `outlet.${ascii}`,
    names: { [`outlet.${ascii}`]: 'outlet.loja-ção.pt' },
  });
  const sale = await owner.query('transaction.show', { merchantId, id });
  expect(sale.value).toMatchObject({
    storeDomain: `www.${ascii}`,
    domainNames: { [`www.${ascii}`]: 'www.loja-ção.pt' },
  });
  const shown = await operator.query('merchants.show', { merchantId });
  expect(shown.value).toMatchObject({ domains: [`*.${ascii}`, 'shop.pt'], domainNames: names });
});

test('an explanation of any text agrees with registration and matching', () => {
  const label = fc.constantFrom('www', 'shop', 'a', 'pt', 'com', 'outlet', '*', 'xn--9ca', '');
  const typed = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.array(label, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
  );
  fc.assert(
    fc.property(typed, (text) => {
      const said = explainDomain(text);
      if (!said.ok) {
        expect(() => registerableDomain(text)).toThrow();
        return;
      }
      expect(said.pattern).toBe(registerableDomain(text));
      for (const { host, admitted } of said.examples) {
        expect(domainMatches(said.pattern, host)).toBe(admitted);
      }
    }),
  );
});

test('a full list and an absent domain have their own reasons', async () => {
  const service = await startService();
  const domains = Array.from({ length: 100 }, (_, index) => `shop${index}.pt`);
  const { merchantId, owner } = await shopWithOwner(service, { domains });
  const change = (verb: 'add' | 'remove', domain: string) =>
    owner.mutate(`domains.${verb}`, { merchantId, domain });
  expect((await change('add', 'more.pt')).error).toMatchObject({
    reason: 'domain_too_many',
    values: { max: 100 },
  });
  await expect(service.merchant({ domains: [...domains, 'more.pt'] })).rejects.toThrow('at most 100');
  expect((await change('add', 'shop1.pt')).error).toBeNull();
  expect((await change('remove', 'more.pt')).error).toMatchObject({ reason: 'domain_absent' });
  expect((await change('remove', 'shop1.pt')).error).toBeNull();
  // Registered before it became a public suffix.
  await service.app.deps.db.unit((tx) => insertDomains(tx, merchantId, ['com.pt'], 0));
  expect((await change('remove', 'COM.pt')).error).toBeNull();
});
