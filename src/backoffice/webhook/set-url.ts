import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { checkWebhookUrl, WebhookUrlRefused } from '../../kernel/webhook-url.ts';
import { setMerchant } from '../../merchants/set-merchant.ts';
import { mayDeliverTo } from '../../webhooks/transport/guard.ts';
import type { Resolve } from '../../webhooks/transport/resolve.ts';
import { BackofficeError } from '../errors.ts';

/** One text for no such name, no answer, and an address that must not be called: told apart, they would map networks. */
const UNREACHABLE =
  'The endpoint could not be reached over https. Check the name in the URL, then save again.';

/**
 * Sets the merchant's webhook URL when deliveries may go there: by its text, and by what its name resolves to now. The first one
 * turns the webhook on. Resolves to the URL as it is kept and to whether events are sent to it now. Throws BackofficeError with a reason that begins with `url_`.
 */
export async function setWebhookUrl(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'settings' | 'actor'> & { resolve: Resolve },
  merchantId: Id<'mer'>,
  text: string,
): Promise<{ url: string; enabled: boolean }> {
  const options = { allowPrivateNetworks: deps.settings.webhookAllowPrivateNetworks };
  const url = checked(text, options);
  if (!(await mayDeliverTo(deps.resolve, url, options))) {
    throw new BackofficeError('BAD_REQUEST', UNREACHABLE, { reason: 'url_unreachable', fields: ['url'] });
  }
  const { webhookEnabled } = await setMerchant(deps, merchantId, {
    webhookUrl: url,
    enableWithFirstUrl: true,
  });
  return { url, enabled: webhookEnabled };
}

function checked(text: string, options: { allowPrivateNetworks: boolean }): string {
  try {
    return checkWebhookUrl(text, options);
  } catch (error) {
    if (!(error instanceof WebhookUrlRefused)) throw error;
    // The operator's sentence may name settings that a merchant does not have.
    const sentence =
      error.fault === 'not_public'
        ? 'The webhook URL names an address that is not public. Use a public host.'
        : error.message;
    throw new BackofficeError('BAD_REQUEST', sentence, { reason: `url_${error.fault}`, fields: ['url'] });
  }
}
