import { recordAudit } from '../audit/store.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { checkWebhookUrl } from '../kernel/webhook-url.ts';
import { checkDomainsCount } from './domains.ts';
import { newApiKey, newWebhookSecret } from './secrets.ts';
import { insertApiKey, insertDomains, insertMerchant } from './store.ts';
import { registerableDomain } from './store-domain.ts';

export const NAME_LENGTH_MAX = 100;

export interface NewMerchant {
  /** 1 to 100 characters. Customers read it in their MB WAY app. */
  name: string;
  /** At least one, each accepted by `registerableDomain`. */
  domains: readonly string[];
  /** A URL turns the webhook on. */
  webhookUrl?: string | undefined;
}

/**
 * Creates an active merchant with an API key and a webhook secret. `alongside` runs in the same transaction. Throws
 * OperatorError on an invalid value.
 */
export async function createMerchant(
  deps: Pick<Deps, 'db' | 'clock' | 'random' | 'ids' | 'box' | 'settings' | 'actor'>,
  input: NewMerchant,
  alongside?: (tx: Tx, merchantId: Id<'mer'>) => Promise<void>,
): Promise<{ merchantId: Id<'mer'>; apiKey: string; webhookSecret: string }> {
  const name = checkName(input.name);
  const domains = [...new Set(input.domains.map(registerableDomain))];
  if (domains.length === 0)
    throw new OperatorError('a merchant needs at least one store domain; give one such as shop.pt');
  checkDomainsCount(domains.length);
  const webhookUrl =
    input.webhookUrl === undefined
      ? null
      : checkWebhookUrl(input.webhookUrl, {
          allowPrivateNetworks: deps.settings.webhookAllowPrivateNetworks,
        });

  const merchantId = deps.ids('mer');
  const webhookSecret = newWebhookSecret(deps.random);
  const key = newApiKey(deps, merchantId);
  const now = deps.clock.now();
  await deps.db.unit(async (tx) => {
    await insertMerchant(tx, {
      id: merchantId,
      name,
      active: 1,
      hold: 0,
      webhook_url: webhookUrl,
      webhook_enabled: webhookUrl === null ? 0 : 1,
      webhook_secret: deps.box.encrypt(webhookSecret, `merchants.webhook_secret:${merchantId}`),
      created_at: now,
    });
    await insertDomains(tx, merchantId, domains, now);
    await insertApiKey(tx, key.row);
    await recordAudit(tx, deps, {
      action: 'merchant.created',
      merchantId,
      target: merchantId,
      details: { name, domains, webhookUrl },
    });
    await alongside?.(tx, merchantId);
  });
  return { merchantId, apiKey: key.apiKey, webhookSecret };
}

/** Whether a trimmed text can be the name of a merchant. */
export function isMerchantName(name: string): boolean {
  return name !== '' && name.length <= NAME_LENGTH_MAX && !/\p{Cc}/u.test(name);
}

function checkName(text: string): string {
  const name = text.trim();
  if (!isMerchantName(name)) {
    throw new OperatorError(
      `the name of a merchant must have 1 to ${NAME_LENGTH_MAX} characters and no control characters`,
    );
  }
  return name;
}
