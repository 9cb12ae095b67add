import {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
} from '../../src/client/webhooks.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { newWebhookSecret } from '../../src/merchants/secrets.ts';
import type { SigningSecrets } from '../../src/webhooks/signature.ts';
import { signedHeaders } from '../support/signed-headers.ts';
import { thrown } from './support.ts';

export const SECRET = newWebhookSecret(systemRandom);
export const OTHER = newWebhookSecret(systemRandom);
export const NOW = Date.UTC(2026, 0, 31, 12);
export const EVENT: WebhookEvent = {
  event: 'payment.success',
  timestamp: '2026-01-31T11:59:59.000Z',
  data: {
    id: 'tx_1',
    externalOrderId: 'ENCOMENDA/1 «Açúcar» 🍬',
    amount: 19.99,
    currency: 'EUR',
    paymentMethod: 'MBWAY',
    status: 'paid',
    paidAt: '2026-01-31T11:59:58.000Z',
  },
};
export const BODY = JSON.stringify(EVENT);

/** The headers that the service sends with a body. */
export const signed = (body = BODY, secrets: SigningSecrets = [SECRET]) =>
  signedHeaders(body, secrets, { now: NOW });

/** The headers of one kind of signature. */
export const only = (headers: Record<string, string>, style: 'service' | 'standard') =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) =>
      style === 'service' ? name.startsWith('X-') : name.startsWith('webhook-'),
    ),
  );

export const verify = (
  body: unknown = BODY,
  headers: WebhookHeaders = signed(),
  secret: string | string[] = SECRET,
  options: VerifyWebhookOptions = {},
) => verifyWebhook(body as string, headers, secret, options);

export const refused = async (...call: Parameters<typeof verify>) => {
  const error = await thrown(verify(...call));
  return { name: error.name, code: (error as { code?: string }).code, message: error.message };
};
