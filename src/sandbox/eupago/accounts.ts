import { z } from 'zod';
import { isServiceCallback } from '../addresses.ts';
import type { SandboxContext } from '../context.ts';

const WEBHOOK_KEY_BYTES = 32;
const URL_LENGTH_MAX = 300;

const key = (name: string) =>
  z.string(`${name} is missing`).regex(/^[!-~]{1,200}$/, `${name} must be printable and without spaces`);

export const accountBody = z.object({
  acquirer: z.literal('eupago', 'acquirer must be "eupago"; ifthenpay registers callbacks by its own call'),
  apiKey: key('apiKey'),
  clientId: key('clientId'),
  clientSecret: key('clientSecret'),
  webhookKey: z
    .string('webhookKey is missing')
    .refine(
      (text) => Buffer.byteLength(text) === WEBHOOK_KEY_BYTES,
      `webhookKey must have ${WEBHOOK_KEY_BYTES} bytes`,
    ),
  callbackUrl: z.string('callbackUrl is missing').max(URL_LENGTH_MAX, 'callbackUrl is too long'),
  encrypt: z.boolean('encrypt must be true or false').default(false),
});

/** Opens an account at EuPago, or changes it. Replaces a manual step in EuPago's back office. Returns the fault, or null. */
export function openAccount(context: SandboxContext, input: z.output<typeof accountBody>): string | null {
  const { apiKey, clientId, clientSecret, webhookKey, callbackUrl, encrypt } = input;
  if (!isServiceCallback('eupago', callbackUrl, context.addresses)) {
    return 'callbackUrl must be the address of the service: /callbacks/eupago at SERVICE_PUBLIC_URL or on this machine';
  }
  const isSaved = context.store.eupago.saveAccount({
    api_key: apiKey,
    client_id: clientId,
    client_secret: clientSecret,
    webhook_key: webhookKey,
    callback_url: callbackUrl,
    encrypts: encrypt ? 1 : 0,
    opened_at: context.clock.now(),
  });
  if (isSaved) context.log('account opened at eupago');
  return isSaved ? null : 'there are too many accounts';
}
