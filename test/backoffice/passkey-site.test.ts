import { expect, test } from 'vitest';
import { passkeySite } from '../../src/backoffice/people/passkey-site.ts';

test.each([
  ['https://pay.example:8443', 'https://pay.example:8443', 'pay.example'],
  ['http://localhost:3000', 'http://localhost:3000', 'localhost'],
  ['http://127.0.0.1:3000', 'http://localhost:3000', 'localhost'],
  ['https://192.0.2.1', null, null],
  ['https://[2001:db8::1]', null, null],
  ['http://pay.example', null, null],
])('the public URL %s has its passkeys at %s', (publicUrl, origin, rpId) => {
  const request = { host: 'evil.example', protocol: 'http' } as const;
  expect(passkeySite(request, { publicUrl })).toEqual(origin === null ? null : { origin, rpId });
});

test('without a public URL only this machine has passkeys', () => {
  const site = (host: string) => passkeySite({ host, protocol: 'http' }, { publicUrl: null });
  expect(site('localhost:3000')).toEqual({ origin: 'http://localhost:3000', rpId: 'localhost' });
  expect(site('127.0.0.1:3000')).toEqual({ origin: 'http://localhost:3000', rpId: 'localhost' });
  expect(site('192.168.1.2:3000')).toBeNull();
  expect(site('pay.example')).toBeNull();
});
