import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { checkWebhookUrl } from '../../kernel/webhook-url.ts';
import { setMerchant } from '../../merchants/set-merchant.ts';
import { mayDeliverTo } from '../../webhooks/transport/guard.ts';
import type { Resolve } from '../../webhooks/transport/resolve.ts';
import { refused } from '../errors.ts';

/** The same message for an unknown host name and for a private address, so that it reveals nothing about networks. */
const UNREACHABLE = 'The endpoint cannot be reached over https. Check the host in the URL, then save again.';

/**
 * Sets the merchant's webhook URL if the URL and the addresses that its host resolves to may receive deliveries. The
 * first URL turns the webhook on.
 */
export async function setWebhookUrl(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'settings' | 'actor'> & { resolve: Resolve },
  merchantId: Id<'mer'>,
  text: string,
): Promise<{ url: string; enabled: boolean }> {
  const options = { allowPrivateNetworks: deps.settings.webhookAllowPrivateNetworks };
  const url = checkWebhookUrl(text, options);
  if (!(await mayDeliverTo(deps.resolve, url, options))) {
    throw refused('url_unreachable', UNREACHABLE, { fields: ['url'] });
  }
  const { webhookEnabled } = await setMerchant(deps, merchantId, {
    webhookUrl: url,
    enableWithFirstUrl: true,
  });
  return { url, enabled: webhookEnabled };
}
