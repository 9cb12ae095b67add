import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { createMerchant } from '../../merchants/create-merchant.ts';
import { typedEmail } from '../people/email.ts';
import { addInvite } from '../team/invite.ts';

/**
 * Creates a merchant and invites its owner in one transaction. Returns the API key, the webhook secret and the path of
 * the invitation, which are shown only once.
 */
export async function createMerchantWithOwner(
  deps: Pick<Deps, 'db' | 'clock' | 'random' | 'ids' | 'box' | 'settings' | 'actor'>,
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
  const email = ownerEmail === undefined ? null : typedEmail(ownerEmail, 'ownerEmail');
  let invitation: string | null = null;
  const invite = async (tx: Tx, merchantId: Id<'mer'>) => {
    if (email === null) return;
    ({ link: invitation } = await addInvite(tx, deps, merchantId, { email, role: 'owner' }));
  };
  const created = await createMerchant(deps, { name: input.name, domains, webhookUrl }, invite);
  return { ...created, invitation: invitation as string | null };
}
