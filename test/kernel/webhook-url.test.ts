import { expect, test } from 'vitest';
import { OperatorError } from '../../src/kernel/errors.ts';
import { checkWebhookUrl } from '../../src/kernel/webhook-url.ts';

test.each([
  ['http://shop.pt/hook', 'must begin with https://'],
  ['https:shop.pt', 'must begin with https://'],
  ['ftp://shop.pt', 'must begin with https://'],
  ['', 'must begin with https://'],
  ['https://', 'is not a valid URL'],
  ['https://shop.pt:99999/', 'is not a valid URL'],
  ['https://a..shop.pt/', 'is not a valid URL'],
  ['https://shop.pt../', 'is not a valid URL'],
  ['https://.shop.pt/', 'is not a valid URL'],
  [`https://${'a'.repeat(64)}.pt/`, 'is not a valid URL'],
  [`https://${'a.'.repeat(126)}pt/`, 'is not a valid URL'],
  ['https://sh op.pt/', 'is not a valid URL'],
  ['https://shop.pt/\nx', 'is not a valid URL'],
  ['https://me@shop.pt/', 'user name or password'],
  ['https://me:secret@shop.pt/', 'user name or password'],
  ['https://@shop.pt/', 'user name or password'],
  ['https:///:secret@shop.pt/', 'user name or password'],
  [`https://shop.pt/${'x'.repeat(2048)}`, 'at most 2048 characters'],
  [`https://shop.pt/#${'x'.repeat(2048)}`, 'at most 2048 characters'],
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
  [`https://${'a'.repeat(63)}.pt./`, `https://${'a'.repeat(63)}.pt./`],
  [`https://${'a.'.repeat(126)}p./`, `https://${'a.'.repeat(126)}p./`],
  [`https://shop.pt/${'x'.repeat(2032)}`, `https://shop.pt/${'x'.repeat(2032)}`],
])('%j becomes %j', (url, normalised) => {
  expect(checkWebhookUrl(url, { allowPrivateNetworks: false })).toBe(normalised);
});

test.each(['https://localhost:3000/', 'https://0x7f.1/', 'https://[::ffff:127.0.0.1]/', 'https://10.0.0.8/'])(
  '%s is admitted with private networks allowed, refused without',
  (url) => {
    expect(checkWebhookUrl(url, { allowPrivateNetworks: true })).toMatch(/^https:/);
    expect(() => checkWebhookUrl(url, { allowPrivateNetworks: false })).toThrow(OperatorError);
  },
);
