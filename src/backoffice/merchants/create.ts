import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { checkWebhookUrl } from '../../kernel/webhook-url.ts';
import { createMerchant, isMerchantName, NAME_LENGTH_MAX } from '../../merchants/create-merchant.ts';
import { registerableDomain } from '../../merchants/store-domain.ts';
import { checkFields, refused } from '../errors.ts';
import { typedEmail } from '../people/email.ts';
import { addInvite } from '../team/invite.ts';

/**
 * Creates a merchant and invites its owner in one transaction. Returns the API key, the webhook secret and the path of
 * the invitation, which are shown only once.
 */
export async function createMerchantWithOwner(
  deps: Pick<Deps, 'db' | 'clock' | 'random' | 'ids' | 'box' | 'settings' | 'actor' | 'queueMail'>,
  input: {
    name: string;
    domains: readonly string[];
    webhookUrl?: string | undefined;
    ownerEmail?: string | undefined;
  },
) {
  const webhookUrl = input.webhookUrl?.trim() || undefined;
  const ownerEmail = input.ownerEmail?.trim() || undefined;
  const domains = input.domains.map((domain) => domain.trim()).filter((domain) => domain !== '');
  const { webhookAllowPrivateNetworks: allowPrivateNetworks } = deps.settings;
  checkFields([
    ['name', () => requireName(input.name)],
    ...(domains.length === 0 ? [''] : domains).map(
      (domain) => ['domains', () => registerableDomain(domain)] as const,
    ),
    ['webhookUrl', () => webhookUrl !== undefined && checkWebhookUrl(webhookUrl, { allowPrivateNetworks })],
    ['ownerEmail', () => ownerEmail !== undefined && typedEmail(ownerEmail, 'ownerEmail')],
  ]);
  const email = ownerEmail === undefined ? null : typedEmail(ownerEmail, 'ownerEmail');
  let invitation: string | null = null;
  const invite = async (tx: Tx, merchantId: Id<'mer'>) => {
    if (email === null) return;
    ({ link: invitation } = await addInvite(tx, deps, merchantId, { email, role: 'owner' }));
  };
  const created = await createMerchant(deps, { name: input.name, domains, webhookUrl }, invite);
  return { ...created, invitation: invitation as string | null };
}

function requireName(text: string): void {
  if (isMerchantName(text.trim())) return;
  const max = NAME_LENGTH_MAX;
  const sentence = `The name must have 1 to ${max} characters and no control characters.`;
  throw refused('name_length', sentence, { values: { max } });
}
