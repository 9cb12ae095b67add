import type { WebhookEvent } from './contract.ts';
import { asWritten, bytesOf, reserialised } from './raw-body.ts';
import {
  fromBase64,
  readSignatureHeaders,
  type SignatureHeaders,
  type WebhookHeaders,
} from './signature-headers.ts';
import { webCrypto } from './web-crypto.ts';
import { WebhookVerificationError } from './webhook-error.ts';

export type { WebhookEvent } from './contract.ts';
export type { WebhookHeaders } from './signature-headers.ts';
export { type WebhookErrorCode, WebhookVerificationError } from './webhook-error.ts';

export interface VerifyWebhookOptions {
  /** The tolerance between the timestamp and this machine's clock, in seconds. Default: 300. */
  toleranceSeconds?: number | undefined;
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

const KINDS: Readonly<Record<WebhookEvent['event'], true>> = {
  'payment.success': true,
  'payment.failed': true,
  'payment.cancelled': true,
  'payment.refunded': true,
  'webhook.test': true,
};

/**
 * Verifies that a webhook is genuine and resolves to its event. `rawBody` is the body as it arrived; `secret` is the complete
 * webhook secret (`whsec_…`), or several of which one must match. Verifies the Standard Webhooks headers with their timestamp
 * when they are present, else `X-Service-Signature`, which has none: deduplicate on `data.id` together with `event`. Throws
 * WebhookVerificationError, whose `code` and message say why.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  // An unset environment variable is undefined despite its type.
  const secrets = (typeof secret === 'object' && secret !== null ? secret : [secret]).map(checkedSecret);
  if (secrets.length === 0) throw invalidSecret();
  const body = bytesOf(rawBody);
  const signed = readSignatureHeaders(headers);
  if (!(await hasMatch(signed, body, secrets))) throw await mismatch(signed, body, secrets);
  if (signed.style === 'standard') {
    checkTime(signed.seconds, Date.now() / 1000, options.toleranceSeconds ?? TOLERANCE_SECONDS);
  }
  return eventOf(body);
}

/** Returns whether any signature matches any secret. All are tried; the platform compares in constant time. */
async function hasMatch(
  signed: SignatureHeaders,
  body: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<boolean> {
  const { subtle } = await webCrypto();
  const message = signed.style === 'standard' ? joined(`${signed.id}.${signed.timestamp}.`, body) : body;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  let found = false;
  for (const secret of secrets) {
    const key = await subtle.importKey('raw', keyOf(signed.style, secret), algorithm, false, ['verify']);
    for (const signature of signed.signatures) {
      const genuine = await subtle.verify('HMAC', key, signature, message);
      found ||= genuine;
    }
  }
  return found;
}

/** X-Service-Signature is keyed with the text of the secret, webhook-signature with the bytes that its base64 encodes. */
function keyOf(style: SignatureHeaders['style'], secret: string): Uint8Array<ArrayBuffer> {
  if (style === 'service') return new TextEncoder().encode(secret);
  const key = fromBase64(secret.slice(PREFIX.length));
  if (key === null || key.length === 0) throw invalidSecret();
  return key;
}

function joined(text: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(text);
  const joint = new Uint8Array(head.length + bytes.length);
  joint.set(head);
  joint.set(bytes, head.length);
  return joint;
}

/** Returns the error for signatures without a match, after trying the body in the service's serialisation. */
async function mismatch(
  signed: SignatureHeaders,
  body: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<WebhookVerificationError> {
  const written = asWritten(body);
  if (written !== null && (await hasMatch(signed, written, secrets))) return reserialised();
  const rotation =
    signed.style === 'service'
      ? ' For 24 hours after a rotation, X-Service-Signature uses the old secret and webhook-signature contains both signatures.'
      : '';
  return new WebhookVerificationError(
    'WRONG_SECRET',
    `No signature of this webhook matches this secret. Copy the complete secret, including ${PREFIX}, from the webhook settings of the same merchant on the same server.${rotation} If the secret is correct, the webhook is not genuine.`,
  );
}

function checkTime(sentSeconds: number, nowSeconds: number, toleranceSeconds: number): void {
  const age = nowSeconds - sentSeconds;
  // Written so that NaN is refused.
  if (Math.abs(age) <= toleranceSeconds) return;
  const times = `Sent at ${instant(sentSeconds)}, received at ${instant(nowSeconds)} by this machine's clock; the tolerance is ${toleranceSeconds} s.`;
  if (age > 0) {
    throw new WebhookVerificationError(
      'TIMESTAMP_TOO_OLD',
      `The webhook is genuine, but too old. ${times} An earlier delivery was replayed or delayed in a queue, or this clock is fast.`,
    );
  }
  throw new WebhookVerificationError(
    'TIMESTAMP_TOO_NEW',
    `The webhook is genuine, but from the future. ${times} This clock is probably slow: synchronise it (NTP).`,
  );
}

function instant(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds} s` : date.toISOString();
}

function eventOf(body: Uint8Array): WebhookEvent {
  // The service wrote this body: only the kind of event can be unknown.
  const event: WebhookEvent = JSON.parse(new TextDecoder().decode(body));
  if (Object.hasOwn(KINDS, event.event)) return event;
  throw new WebhookVerificationError(
    'UNKNOWN_EVENT',
    `The webhook is genuine, but this version does not know its event ${JSON.stringify(event.event)}. Answer 200 and update the package.`,
  );
}

function checkedSecret(secret: unknown): string {
  const text = typeof secret === 'string' ? secret.trim() : '';
  if (!text.startsWith(PREFIX) || text.length === PREFIX.length) throw invalidSecret();
  return text;
}

function invalidSecret(): WebhookVerificationError {
  return new WebhookVerificationError(
    'INVALID_SECRET',
    `The secret must be the complete webhook secret from the webhook settings, starting with ${PREFIX}. Check that its variable is set and is not the API key.`,
  );
}
