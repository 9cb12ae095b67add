import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemRandom } from '../../src/kernel/random.ts';
import { newWebhookSecret } from '../../src/merchants/secrets.ts';
import { ATTEMPTS_MAX, nextAttemptAt, SENDS_MAX } from '../../src/webhooks/delivery/schedule.ts';
import { signHeaders } from '../../src/webhooks/signature.ts';

const message = (body: string, secrets: { current: string; previous?: string }, now = 1_700_000_000_999) =>
  signHeaders({ body, kind: 'payment.success', eventId: 'evt_1', deliveryId: 'dlv_1', now, secrets });

/** What a receiver computes from the raw bytes, with nothing of ours. */
const hexMac = (body: Buffer, secret: string) =>
  createHmac('sha256', Buffer.from(secret)).update(body).digest('hex');
const standardMac = (body: Buffer, secret: string, timestamp: string) =>
  createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(Buffer.concat([Buffer.from(`evt_1.${timestamp}.`), body]))
    .digest('base64');

test('a secret is whsec_ and 32 random bytes in base64', () => {
  const secrets = new Set(Array.from({ length: 100 }, () => newWebhookSecret(systemRandom)));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});

test('both signatures verify over the raw bytes of any body, and fail for any other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, other) => {
      const body = JSON.stringify({ text });
      const secret = newWebhookSecret(systemRandom);
      const headers = message(body, { current: secret });
      const bytes = Buffer.from(body);
      expect(headers['X-Service-Signature']).toBe(`sha256=${hexMac(bytes, secret)}`);
      expect(headers['webhook-signature']).toBe(`v1,${standardMac(bytes, secret, '1700000000')}`);
      if (other !== text) {
        const forged = Buffer.from(JSON.stringify({ text: other }));
        expect(headers['X-Service-Signature']).not.toBe(`sha256=${hexMac(forged, secret)}`);
      }
    }),
  );
});

test('during a rotation one header keeps the old secret and the other has both signatures, the old one first', () => {
  const current = newWebhookSecret(systemRandom);
  const previous = newWebhookSecret(systemRandom);
  const headers = message('{}', { current, previous });
  const body = Buffer.from('{}');
  expect(headers['X-Service-Signature']).toBe(`sha256=${hexMac(body, previous)}`);
  expect(headers['webhook-signature']?.split(' ')).toEqual([
    `v1,${standardMac(body, previous, '1700000000')}`,
    `v1,${standardMac(body, current, '1700000000')}`,
  ]);
});

test('a delivery has at most four failures with a known outcome and five requests', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }), (interruptions) => {
      let now = 0;
      let sent = 0;
      let interrupted = 0;
      const waits: number[] = [];
      for (const isInterrupted of interruptions) {
        if (sent >= SENDS_MAX) break;
        sent++;
        if (isInterrupted) {
          interrupted++;
          continue;
        }
        now += 3000;
        const next = nextAttemptAt(sent, interrupted, now);
        if (next === null) break;
        waits.push(next - now);
        now = next;
      }
      expect(sent).toBeLessThanOrEqual(SENDS_MAX);
      expect(sent - interrupted).toBeLessThanOrEqual(ATTEMPTS_MAX);
      expect([200, 1000, 5000].slice(0, waits.length)).toEqual(waits);
      if (interrupted === 0) expect(waits).toEqual([200, 1000, 5000]);
    }),
  );
});
