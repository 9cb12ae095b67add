import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifyWebhook, type WebhookHeaders } from '../../src/client/webhooks.ts';
import { EVENT_KINDS } from '../../src/kernel/payment-enums.ts';
import { thrown } from './support.ts';
import { BODY, EVENT, NOW, OTHER, only, refused, SECRET, signed, verify } from './webhook-kit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => void vi.useRealTimers());

describe.each(['service', 'standard'] as const)('by the %s signature', (style) => {
  test('a delivery of the service is accepted in every form of body and headers', async () => {
    const headers = only(signed(), style);
    const lower = Object.fromEntries(new Headers(headers));
    const bytes = new TextEncoder().encode(BODY);
    const within = new Uint8Array([1, ...bytes, 2]).subarray(1, -1);
    for (const body of [BODY, Buffer.from(BODY), bytes, bytes.buffer, within]) {
      for (const form of [headers, lower, new Headers(headers), mapValues(headers, (value) => [value])]) {
        expect(await verify(body, form)).toEqual(EVENT);
      }
    }
  });

  test('another secret, another body and another signature are refused', async () => {
    const headers = only(signed(), style);
    expect(await refused(BODY, headers, OTHER)).toMatchObject({ code: 'WRONG_SECRET' });
    expect(await refused(BODY.replace('19.99', '19.98'), headers)).toMatchObject({ code: 'WRONG_SECRET' });
    expect(await refused(BODY, only(signed(`${BODY} `), style))).toMatchObject({ code: 'WRONG_SECRET' });
  });

  test('one of several secrets must match', async () => {
    const headers = only(signed(), style);
    expect(await verify(BODY, headers, [OTHER, SECRET])).toEqual(EVENT);
    expect(await refused(BODY, headers, [OTHER, OTHER])).toMatchObject({ code: 'WRONG_SECRET' });
    expect(await refused(BODY, headers, [])).toMatchObject({ code: 'INVALID_SECRET' });
  });
});

test('during a rotation the new secret matches webhook-signature, the old one both signatures', async () => {
  const headers = signed(BODY, [SECRET, OTHER]);
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  for (const secret of [SECRET, OTHER]) {
    expect(await verify(BODY, headers, secret)).toEqual(EVENT);
    expect(await verify(BODY, only(headers, 'standard'), secret)).toEqual(EVENT);
  }
  expect(await verify(BODY, only(headers, 'service'), SECRET)).toEqual(EVENT);
  expect((await refused(BODY, only(headers, 'service'), OTHER)).message).toMatch(
    /rotation.*uses the old secret/,
  );
});

test('signatures of other kinds are ignored', async () => {
  const headers = signed();
  const signature = headers['webhook-signature'] ?? '';
  for (const list of [`v1a,AAAA ${signature}`, `v1,!!! ${signature}`, `v1,AAAA ${signature} v2,BBBB`]) {
    expect(await verify(BODY, { ...headers, 'webhook-signature': list })).toEqual(EVENT);
  }
  for (const list of ['v1a,AAAA', 'v1,!!!', 'v1', signature.replace('v1,', '')]) {
    expect((await refused(BODY, { ...headers, 'webhook-signature': list })).code).toBe('INVALID_HEADER');
  }
});

test('a header with many signatures is verified at bounded cost', async () => {
  const digests = vi.spyOn(globalThis.crypto.subtle, 'verify');
  onTestFinished(() => digests.mockRestore());
  const headers = signed();
  const wrong = `v1,${Buffer.alloc(32).toString('base64')}`;
  const full = (entry: string) => ({ ...headers, 'webhook-signature': Array(2000).fill(entry).join(' ') });
  expect((await refused(BODY, full('v1,AAAA'))).code).toBe('INVALID_HEADER');
  expect(digests).not.toHaveBeenCalled();
  expect((await refused(BODY, full(wrong))).code).toBe('WRONG_SECRET');
  expect(digests.mock.calls.length).toBeLessThan(20);
  const several = [wrong, wrong, headers['webhook-signature']].join(' ');
  expect(await verify(BODY, { ...headers, 'webhook-signature': several })).toEqual(EVENT);
});

test('a webhook outside the time tolerance is refused', async () => {
  const headers = signed();
  const after = (seconds: number) => vi.setSystemTime(NOW + seconds * 1000);
  for (const seconds of [-300, -1, 0, 299, 300]) {
    after(seconds);
    expect(await verify()).toEqual(EVENT);
  }
  after(301);
  const old = await refused();
  expect(old.code).toBe('TIMESTAMP_TOO_OLD');
  expect(old.message).toContain('Sent at 2026-01-31T12:00:00.000Z');
  expect(old.message).toContain('received at 2026-01-31T12:05:01.000Z');
  after(-301);
  const early = await refused();
  expect([early.code, early.message]).toEqual(['TIMESTAMP_TOO_NEW', expect.stringMatching(/NTP/)]);
  after(11);
  expect((await refused(BODY, headers, SECRET, { toleranceSeconds: 10 })).code).toBe('TIMESTAMP_TOO_OLD');
  expect((await refused(BODY, headers, SECRET, { toleranceSeconds: Number.NaN })).code).toMatch(/^TIMESTAMP/);
  after(9_999);
  expect(await verify(BODY, headers, SECRET, { toleranceSeconds: 10_000 })).toEqual(EVENT);
});

test('the timestamp and the id are signed', async () => {
  const headers = signed();
  const later = { ...headers, 'webhook-timestamp': String(NOW / 1000 + 60) };
  expect((await refused(BODY, later)).code).toBe('WRONG_SECRET');
  expect((await refused(BODY, { ...headers, 'webhook-id': 'evt_2' })).code).toBe('WRONG_SECRET');
  for (const timestamp of ['soon', '-1', '1.5', '1e9', '9'.repeat(30)]) {
    expect((await refused(BODY, { ...headers, 'webhook-timestamp': timestamp })).code).toBe('INVALID_HEADER');
  }
});

test('headers that are missing are named', async () => {
  const { 'webhook-timestamp': _, ...partial } = only(signed(), 'standard');
  expect(await refused(BODY, partial)).toMatchObject({
    code: 'MISSING_HEADER',
    message: expect.stringMatching(/lacks webhook-timestamp,/),
  });
  expect((await refused(BODY, {})).message).toMatch(/carries no signature: neither X-Service-Signature nor/);
  expect((await refused(BODY, new Headers())).code).toBe('MISSING_HEADER');
  // An incomplete set of one style does not prevent the other.
  expect(await verify(BODY, { ...partial, ...only(signed(), 'service') })).toEqual(EVENT);
});

test('a malformed signature header is reported as such', async () => {
  const hex = signed()['X-Service-Signature'] ?? '';
  for (const bad of [
    hex.toUpperCase(),
    hex.replace('sha256=', ''),
    `${hex}00`,
    `${hex}, ${hex}`,
    'sha1=abc',
  ]) {
    expect((await refused(BODY, { 'X-Service-Signature': bad })).code, bad).toBe('INVALID_HEADER');
  }
});

test('an unset secret and unset headers are reported as such', async () => {
  const unset = undefined as unknown as string;
  expect(await thrown(verifyWebhook(BODY, signed(), unset))).toMatchObject({ code: 'INVALID_SECRET' });
  for (const malformed of ['', 'whsec_', 'key_1', SECRET.slice('whsec_'.length)]) {
    expect((await refused(BODY, only(signed(), 'service'), malformed)).code, malformed).toBe(
      'INVALID_SECRET',
    );
  }
  const none = undefined as unknown as WebhookHeaders;
  expect(await thrown(verifyWebhook(BODY, none, SECRET))).toMatchObject({ code: 'MISSING_HEADER' });
  expect(await verify(BODY, signed(), ` ${SECRET}\n`)).toEqual(EVENT);
});

test('no message contains the secret', async () => {
  for (const headers of [{}, signed(), { 'X-Service-Signature': 'x' }]) {
    expect((await refused(BODY, headers, OTHER)).message).not.toContain(OTHER.slice(6, 20));
  }
});

test('a genuine event of an unknown kind is reported as such', async () => {
  const body = JSON.stringify({ ...EVENT, event: 'payment.examined' });
  expect(await refused(body, signed(body))).toMatchObject({
    code: 'UNKNOWN_EVENT',
    message: expect.stringContaining('"payment.examined"'),
  });
});

test('every kind of the contract is known', async () => {
  for (const kind of EVENT_KINDS) {
    const body = JSON.stringify({ ...EVENT, event: kind });
    expect((await verify(body, signed(body))).event).toBe(kind);
  }
});

test('a changed byte is refused', async () => {
  const bytes = Buffer.from(BODY);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ flip;
      expect((await refused(changed)).name).toBe('WebhookVerificationError');
      expect((await refused(changed, only(signed(), 'service'))).name).toBe('WebhookVerificationError');
    }),
    { numRuns: 100 },
  );
});

test('every refusal of sent data is a WebhookVerificationError', async () => {
  const name = fc.constantFrom(
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'x-service-signature',
    'get',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), fc.uint8Array()),
      fc.dictionary(name, fc.oneof(fc.string(), fc.array(fc.string()))),
      async (body, headers) => {
        expect((await refused(body, headers)).name).toBe('WebhookVerificationError');
      },
    ),
    { numRuns: 200 },
  );
});

function mapValues<T>(record: Record<string, string>, to: (value: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));
}
