import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AddressClass, classifyAddress, mayConnect } from '../../src/kernel/address.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { checkWebhookUrl } from '../../src/kernel/webhook-url.ts';

/** IPv4 blocks that are not public, written down anew from the registry of special addresses. */
const SPECIAL_V4: [string, number, AddressClass][] = [
  ['0.0.0.0', 8, 'forbidden'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'forbidden'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'forbidden'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'forbidden'],
  ['192.0.2.0', 24, 'forbidden'],
  ['192.31.196.0', 24, 'forbidden'],
  ['192.52.193.0', 24, 'forbidden'],
  ['192.88.99.0', 24, 'forbidden'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'forbidden'],
  ['198.18.0.0', 15, 'forbidden'],
  ['198.51.100.0', 24, 'forbidden'],
  ['203.0.113.0', 24, 'forbidden'],
  ['224.0.0.0', 4, 'forbidden'],
  ['240.0.0.0', 4, 'forbidden'],
  ['168.63.129.16', 32, 'forbidden'],
];

const toNumber = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const toText = (value: number) =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');

function expected(value: number): AddressClass {
  const block = SPECIAL_V4.find(
    ([base, bits]) => Math.floor(value / 2 ** (32 - bits)) === Math.floor(toNumber(base) / 2 ** (32 - bits)),
  );
  return block?.[2] ?? 'public';
}

const anyV4 = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  // The edges of every block and their neighbours.
  fc
    .constantFrom(...SPECIAL_V4)
    .chain(([base, bits]) =>
      fc.constantFrom(-1, 0, 2 ** (32 - bits) - 1, 2 ** (32 - bits)).map((offset) => toNumber(base) + offset),
    )
    .map((value) => Math.min(Math.max(value, 0), 2 ** 32 - 1)),
);

const hex = (value: number) => value.toString(16);

test('an IPv4 address has one class, in any spelling, also inside a mapped IPv6 address', () => {
  fc.assert(
    fc.property(anyV4, (value) => {
      const text = toText(value);
      const high = hex(Math.floor(value / 65_536));
      const low = hex(value % 65_536);
      for (const spelling of [
        text,
        String(value),
        `0x${hex(value)}`,
        `::ffff:${text}`,
        `::ffff:${high}:${low}`,
      ]) {
        expect([spelling, classifyAddress(spelling)]).toEqual([spelling, expected(value)]);
      }
    }),
    { numRuns: 500 },
  );
});

test('whatever spelling a URL uses, an IPv4 host is admitted exactly as its address is', () => {
  fc.assert(
    fc.property(anyV4, fc.boolean(), (value, allowPrivateNetworks) => {
      const admitted = mayConnect(expected(value), allowPrivateNetworks);
      const parts = toText(value).split('.').map(Number);
      const octal = parts.map((part) => `0${part.toString(8)}`).join('.');
      const short = `${parts[0]}.${value % 2 ** 24}`;
      for (const host of [
        toText(value),
        String(value),
        `0x${hex(value)}`,
        octal,
        short,
        `[::ffff:${toText(value)}]`,
      ]) {
        const check = () => checkWebhookUrl(`https://${host}:8443/hook`, { allowPrivateNetworks });
        if (admitted) expect(check()).toMatch(/^https:\/\/\S+:8443\/hook$/);
        else expect(check, host).toThrow(OperatorError);
      }
    }),
    { numRuns: 300 },
  );
});

test('an IPv6 address outside 2000::/3 is never public', () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      if (classifyAddress(text) !== 'public' || text.includes('.')) return;
      expect(text).toMatch(/^[23][0-9a-f]{3}:/i);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['::1', 'loopback'],
  ['::', 'forbidden'],
  ['fd12:3456::1', 'private'],
  ['fc00::1', 'private'],
  ['fe80::1', 'forbidden'],
  ['fe80::1%eth0', 'forbidden'],
  ['fec0::1', 'forbidden'],
  ['ff02::1', 'forbidden'],
  ['::7f00:1', 'forbidden'],
  ['64:ff9b::808:808', 'forbidden'],
  ['64:ff9b:1::1', 'forbidden'],
  ['2002:808:808::', 'forbidden'],
  ['2001::1', 'forbidden'],
  ['2001:db8::1', 'forbidden'],
  ['3fff::1', 'forbidden'],
  ['5f00::1', 'forbidden'],
  ['100::1', 'forbidden'],
  ['4000::1', 'forbidden'],
  ['fd00:ec2::254', 'forbidden'],
  ['fd20:ce::254', 'forbidden'],
  ['2606:4700:4700::1111', 'public'],
  ['::ffff:8.8.8.8', 'public'],
  ['', 'forbidden'],
  ['example.com', 'forbidden'],
] as const)('%s is %s', (text, kind) => {
  expect(classifyAddress(text)).toBe(kind);
});

test.each([
  ['http://shop.pt/hook', 'must begin with https://'],
  ['https:shop.pt', 'must begin with https://'],
  ['ftp://shop.pt', 'must begin with https://'],
  ['', 'must begin with https://'],
  ['https://', 'is not a valid URL'],
  ['https://shop.pt:99999/', 'is not a valid URL'],
  ['https://sh op.pt/', 'is not a valid URL'],
  ['https://shop.pt/\nx', 'is not a valid URL'],
  ['https://me@shop.pt/', 'user name or password'],
  ['https://me:secret@shop.pt/', 'user name or password'],
  ['https://@shop.pt/', 'user name or password'],
  [`https://shop.pt/${'x'.repeat(2048)}`, 'at most 2048 characters'],
  [`https://shop.pt/${'é'.repeat(500)}`, 'at most 2048 characters'],
  ['https://localhost/', 'SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS'],
  ['https://a.localhost./', 'SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS'],
  ['https://169.254.169.254/', 'use a public host'],
])('%j is refused: %s', (url, text) => {
  expect(() => checkWebhookUrl(url, { allowPrivateNetworks: false })).toThrow(text);
});

test.each([
  ['https://shop.pt', 'https://shop.pt/'],
  [' HTTPS://Shop.PT:443/Hook?a=1#part ', 'https://shop.pt/Hook?a=1'],
  ['https://shop.pt:8443/hook', 'https://shop.pt:8443/hook'],
  ['https://loja-é.pt/', 'https://xn--loja--fsa.pt/'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  [`https://shop.pt/${'x'.repeat(2032)}`, `https://shop.pt/${'x'.repeat(2032)}`],
])('%j becomes %j', (url, normalised) => {
  expect(checkWebhookUrl(url, { allowPrivateNetworks: false })).toBe(normalised);
});

test.each([
  'https://localhost:3000/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://10.0.0.8/',
])('%s is admitted with private networks allowed, refused without', (url) => {
  expect(checkWebhookUrl(url, { allowPrivateNetworks: true })).toMatch(/^https:/);
  expect(() => checkWebhookUrl(url, { allowPrivateNetworks: false })).toThrow(OperatorError);
});
