import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WebhookEvent } from '../../src/client/webhooks.ts';
import { exampleEventBody } from '../../src/docs/openapi/examples.ts';
import { EVENT_KINDS } from '../../src/kernel/payment-enums.ts';
import { BODY, EVENT, NOW, OTHER, only, refused, signed, verify } from './webhook-kit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => void vi.useRealTimers());

describe.each(['service', 'standard'] as const)('by the %s signature', (style) => {
  test('a body that was parsed and serialised again is reported as such', async () => {
    const headers = only(signed(), style);
    const { event, timestamp, data } = EVENT;
    for (const body of [
      JSON.stringify(EVENT, null, 2),
      JSON.stringify({ data, timestamp, event }),
      JSON.stringify({ event, timestamp, data: Object.fromEntries(Object.entries(data).reverse()) }),
      BODY.replaceAll('/', '\\/'),
      BODY.replaceAll(/[^\x20-\x7e]/gu, (char) =>
        [...Array(char.length).keys()]
          .map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`)
          .join(''),
      ),
      `\uFEFF${BODY}`,
      `${BODY}\r\n`,
    ]) {
      const { code, message } = await refused(body, headers);
      expect(code).toBe('BODY_NOT_RAW');
      expect(message).toMatch(
        /The signature matches the content of the body.*serialised again.*express\.raw/,
      );
    }
    // Serialised exactly as the service does it.
    expect(await verify(JSON.stringify(JSON.parse(BODY)), headers)).toEqual(EVENT);
    expect((await refused(JSON.stringify(EVENT, null, 1), headers, OTHER)).code).toBe('WRONG_SECRET');
    expect((await refused('not json', headers)).code).toBe('WRONG_SECRET');
  });

  test.each(EVENT_KINDS)('a body of %s in another layout or order is reported as such', async (kind) => {
    const written = exampleEventBody(kind);
    const event: WebhookEvent = JSON.parse(written);
    const data = Object.fromEntries(Object.entries(event.data).reverse());
    for (const body of [
      JSON.stringify(event, null, 2),
      JSON.stringify({ data, timestamp: event.timestamp, event: event.event }),
    ]) {
      expect((await refused(body, only(signed(written), style))).code).toBe('BODY_NOT_RAW');
    }
  });
});

test('a parsed object instead of the raw body is reported as such', async () => {
  for (const [body, message] of [
    [EVENT, /The body is a parsed object.*express\.raw/],
    [Buffer.from(BODY).toJSON(), /a parsed object/],
    [undefined, /No body was given/],
    [42, /is a number/],
    ['', /empty.*read already/],
    [new Uint8Array(), /empty/],
  ] as const) {
    expect(await refused(body ?? null)).toMatchObject({
      code: 'BODY_NOT_RAW',
      message: expect.stringMatching(message),
    });
  }
});
