import { createHmac } from 'node:crypto';
import type { MerchantRow } from '../db/tables/merchants.ts';
import type { EventKind } from '../db/tables/webhooks.ts';
import type { Id } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/secret-box.ts';

const PREFIX = 'whsec_';

/** The secrets that sign now: during the overlap of a rotation the old one, then the new one. */
export type SigningSecrets = readonly [string, ...string[]];

type EncryptedSecrets = Pick<
  MerchantRow,
  'webhook_secret' | 'previous_webhook_secret' | 'previous_secret_until'
>;

/** Returns the secrets that sign a request of a merchant at `now`. Throws when one cannot be decrypted. */
export function signingSecrets(
  box: Pick<SecretBox, 'decryptCached'>,
  merchantId: Id<'mer'>,
  row: EncryptedSecrets,
  now: number,
): SigningSecrets {
  const { previous_webhook_secret: previous, previous_secret_until: until } = row;
  const open = (encrypted: string) => box.decryptCached(encrypted, `merchants.webhook_secret:${merchantId}`);
  const current = open(row.webhook_secret);
  const isOverlap = previous !== null && until !== null && now < until;
  return isOverlap ? [open(previous), current] : [current];
}

export interface Signable {
  /** The exact bytes of the body, as text. */
  body: string;
  kind: EventKind;
  eventId: Id<'evt'>;
  deliveryId: Id<'dlv'>;
  /** When the attempt is made, UTC milliseconds. */
  now: number;
  secrets: SigningSecrets;
}

/**
 * Returns the headers of one attempt. During the overlap of a rotation `X-Service-Signature` uses the old secret and
 * `webhook-signature` carries both signatures, the old one first for receivers that read only the first.
 */
export function signHeaders(message: Signable): Record<string, string> {
  const { body, secrets } = message;
  const timestamp = String(Math.floor(message.now / 1000));
  const signed = `${message.eventId}.${timestamp}.${body}`;
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhook/1.0',
    'X-Service-Signature': serviceSignature(body, secrets[0]),
    'X-Service-Event': message.kind,
    'X-Service-Delivery-Id': message.deliveryId,
    'webhook-id': message.eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => standardSignature(signed, secret)).join(' '),
  };
}

/** `sha256=` and hex; the key is the UTF-8 bytes of the complete secret. */
function serviceSignature(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** `v1,` and base64, as Standard Webhooks specifies; the key is the decoded base64 part of the secret. */
function standardSignature(signed: string, secret: string): string {
  // Node takes several times longer to make a key from a buffer than from text.
  const hmac = createHmac('sha256', secret.slice(PREFIX.length), { encoding: 'base64' });
  return `v1,${hmac.update(signed).digest('base64')}`;
}
