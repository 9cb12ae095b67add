import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OperatorError } from '../../src/kernel/errors.ts';
import { domainMatches, hostOfUrl, registerableDomain } from '../../src/merchants/store-domain.ts';

const label = fc
  .stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/)
  .filter((text) => !/^xn--|^..--/.test(text));
const shop = label
  .map((name) => `${name}.pt`)
  .filter((host) => !/^(com|edu|gov|int|net|nome|org|publ)\.pt$/.test(host));

describe('what may be registered', () => {
  test.each([
    ['shop.pt', 'shop.pt'],
    ['WWW.Shop.PT', 'www.shop.pt'],
    ['  shop.pt. ', 'shop.pt'],
    ['*.Shop.pt', '*.shop.pt'],
    ['café.pt', 'xn--caf-dma.pt'],
    ['*.café.pt', '*.xn--caf-dma.pt'],
    ['my-shop.myshopify.com', 'my-shop.myshopify.com'],
    ['shop.com.pt', 'shop.com.pt'],
    ['LOCALHOST', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['2001:DB8:0::1', '2001:db8::1'],
  ])('%s is stored as %s', (typed, stored) => {
    expect(registerableDomain(typed)).toBe(stored);
  });

  test.each([
    ['https://shop.pt', 'is a URL'],
    ['shop.pt:443', 'contains a port'],
    ['127.0.0.1:8080', 'contains a port'],
    ['shop.pt/checkout', 'contains a path'],
    ['shop.pt?x=1', 'contains a path'],
    ['user@shop.pt', 'contains credentials'],
    ['pt', 'is a public suffix'],
    ['com.pt', 'is a public suffix'],
    ['COM.PT.', 'is a public suffix'],
    ['myshopify.com', 'is a public suffix'],
    ['公司.cn', 'is a public suffix'],
    ['*.com.pt', 'is a public suffix'],
    ['*.myshopify.com', 'is a public suffix'],
    ['*.kawasaki.jp', 'is a public suffix'],
    ['*.localhost', 'is a public suffix'],
    ['*', 'wildcard that is not'],
    ['*.*.shop.pt', 'wildcard that is not'],
    ['www.*.shop.pt', 'wildcard that is not'],
    ['*shop.pt', 'wildcard that is not'],
    ['', 'is blank'],
    ['   ', 'is blank'],
    ['a b.pt', 'is not a domain name'],
    ['sh%6fp.pt', 'is not a domain name'],
    ['sh\top.pt', 'is not a domain name'],
    ['-a.pt', 'is not a domain name'],
    ['a_b.pt', 'is not a domain name'],
    ['a..pt', 'is not a domain name'],
    ['.pt', 'is not a domain name'],
    ['shop.pt..', 'is not a domain name'],
    [`${'a'.repeat(64)}.pt`, 'is not a domain name'],
    [`${'abcdefgh.'.repeat(30)}pt`, 'is not a domain name'],
    ['2130706433', 'is not a domain name'],
    ['0x7f.1', 'is not a domain name'],
    ['*.127.0.0.1', 'is not a domain name'],
    ['fe80::1%eth0', 'address with a zone'],
  ])('%j is refused: it %s', (typed, sentence) => {
    expect(() => registerableDomain(typed)).toThrow(OperatorError);
    expect(() => registerableDomain(typed)).toThrow(sentence);
  });

  test('any text is refused with one line or becomes a pattern that registers as itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.domain(), fc.webUrl(), fc.ipV4(), fc.ipV6()), (typed) => {
        let stored: string;
        try {
          stored = registerableDomain(typed);
        } catch (error) {
          return error instanceof OperatorError && !error.message.includes('\n');
        }
        return registerableDomain(stored) === stored;
      }),
    );
  });
});

describe('the host of a URL', () => {
  test.each([
    ['https://Shop.PT:8443/cart?x#y', 'shop.pt'],
    ['http://shop.pt.', 'shop.pt'],
    ['https://café.pt', 'xn--caf-dma.pt'],
    ['https://a@evil.com', 'evil.com'],
    ['https://shop.pt@evil.com/shop.pt', 'evil.com'],
    ['https://shop.pt\\@evil.com', 'shop.pt'],
    ['http://[::1]:8080/', '::1'],
    ['http://2130706433/', '127.0.0.1'],
    [' https://shop.pt ', 'shop.pt'],
  ])('%s is %s', (url, host) => {
    expect(hostOfUrl(url)).toBe(host);
  });

  test.each([
    'shop.pt',
    'null',
    '',
    'ftp://shop.pt',
    'https:shop.pt',
    'https:///shop.pt',
    'https://',
    'javascript:0',
    'https://sh\top.pt',
    'https://a b.pt',
    '//shop.pt',
  ])('%j has none', (url) => {
    expect(hostOfUrl(url)).toBeNull();
  });
});

describe('what a pattern admits', () => {
  test('a name admits itself and www, a wildcard its subdomains, and nothing else', () => {
    fc.assert(
      fc.property(
        shop,
        fc.oneof(label, fc.constantFrom('www', 'a.b', '')),
        fc.constantFrom('.', '-', ''),
        (base, left, joint) => {
          const host = left === '' ? base : `${left}${joint}${base}`;
          expect(domainMatches(base, host)).toBe(host === base || host === `www.${base}`);
          expect(domainMatches(`*.${base}`, host)).toBe(left !== '' && joint === '.');
          expect(domainMatches(base, `${base}.${left || 'evil'}.com`)).toBe(false);
        },
      ),
    );
  });
});
