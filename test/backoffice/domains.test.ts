import fc from 'fast-check';
import { expect, test } from 'vitest';
import { admittedBy, explainDomain } from '../../src/backoffice/domains/explain.ts';
import { domainMatches, registerableDomain } from '../../src/merchants/store-domain.ts';
import { startService } from '../support/harness.ts';
import { signedIn } from './support.ts';

test('a domain that cannot be registered is explained with its fault and a suggestion', () => {
  const explained = (text: string) => {
    const said = explainDomain(text, []);
    return said.ok ? null : [said.fault, said.suggestion];
  };
  expect(explained('')).toEqual(['blank', null]);
  expect(explained('https://www.shop.pt/cart?x=1')).toEqual(['url', 'shop.pt']);
  expect(explained('shop.pt/cart')).toEqual(['path', 'shop.pt']);
  expect(explained('shop.pt:8443')).toEqual(['port', 'shop.pt']);
  expect(explained('com.pt')).toEqual(['suffix', null]);
  expect(explained('*.myshopify.com')).toEqual(['suffix', null]);
  expect(explained('shop.*')).toEqual(['wildcard', null]);
  expect(explained('my shop')).toEqual(['name', null]);
});

test('an explanation names covering, covered and better domains', () => {
  const registered = ['*.shop.pt', 'outlet.other.pt'];
  expect(explainDomain('outlet.shop.pt', registered)).toMatchObject({ coveredBy: '*.shop.pt', covers: [] });
  expect(explainDomain('shop.pt', registered)).toMatchObject({ coveredBy: null, better: null });
  expect(explainDomain('*.other.pt', registered)).toMatchObject({ covers: ['outlet.other.pt'] });
  expect(explainDomain('www.shop.com', registered)).toMatchObject({ better: 'shop.com' });
});

test('an address is checked by the rule for payments', () => {
  const registered = ['shop.pt', '*.other.pt'];
  expect(admittedBy('https://www.shop.pt:8443/cart', registered)).toBe('shop.pt');
  expect(admittedBy('a.other.pt', registered)).toBe('*.other.pt');
  expect(admittedBy('other.pt', registered)).toBeNull();
  expect(admittedBy('my shop', registered)).toBeUndefined();
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
    coveredBy: `*.${ascii}`,
    names: { ...names, [`outlet.${ascii}`]: 'outlet.loja-ção.pt' },
  });
  const probed = await owner.query('domains.probe', { merchantId, address: `https://www.${ascii}` });
  expect(probed.value).toMatchObject({ admittedBy: `*.${ascii}`, names });
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
    fc.property(typed, fc.array(typed, { maxLength: 3 }), (text, others) => {
      const registered = others.flatMap((other) => {
        const said = explainDomain(other, []);
        return said.ok ? [said.pattern] : [];
      });
      const said = explainDomain(text, registered);
      if (!said.ok) {
        expect(() => registerableDomain(text)).toThrow();
        if (said.suggestion !== null) expect(registerableDomain(said.suggestion)).toBe(said.suggestion);
        return;
      }
      expect(said.pattern).toBe(registerableDomain(text));
      const { coveredBy } = said;
      for (const { host, admitted } of said.examples) {
        expect(domainMatches(said.pattern, host)).toBe(admitted);
        if (admitted && coveredBy !== null) expect(domainMatches(coveredBy, host)).toBe(true);
      }
    }),
  );
});
