import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemRandom } from '../../src/kernel/random.ts';
import { newWebhookSecret } from '../../src/merchants/secrets.ts';
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
