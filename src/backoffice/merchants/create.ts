import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { WebhookUrlRefused } from '../../kernel/webhook-url.ts';
import { createMerchant } from '../../merchants/create-merchant.ts';
import { DomainRefused } from '../../merchants/store-domain.ts';
import { BackofficeError } from '../errors.ts';
import { typedEmail } from '../people/email.ts';
import { addInvite } from '../team/invite.ts';

export interface MerchantWithOwner {
  name: string;
  domains: readonly string[];
  webhookUrl?: string | undefined;
  /** Who is invited as owner; nobody when it is left out. */
  ownerEmail?: string | undefined;
}

/** A new merchant as it is handed over: the only time that key and secret are told without being asked for. */
export interface HandOver {
  merchantId: Id<'mer'>;
  apiKey: string;
  webhookSecret: string;
  /** Path of the owner's invitation, good for 24 h and once; null when nobody was invited. */
  invitation: string | null;
}

/** Makes a merchant and invites its owner, both or neither. Throws BackofficeError that names the field at fault. */
export async function createMerchantWithOwner(
  deps: Pick<Deps, 'db' | 'clock' | 'random' | 'ids' | 'box' | 'settings' | 'actor'>,
  input: MerchantWithOwner,
): Promise<HandOver> {
  const webhookUrl = input.webhookUrl?.trim() || undefined;
  const ownerEmail = input.ownerEmail?.trim() || undefined;
  const domains = input.domains.map((domain) => domain.trim()).filter((domain) => domain !== '');
  const owner = ownerEmail === undefined ? null : typedEmail(ownerEmail, 'ownerEmail');
  let invitation: string | null = null;
  const invite = async (tx: Tx, merchantId: Id<'mer'>) => {
    if (owner === null) return;
    ({ link: invitation } = await addInvite(tx, deps, merchantId, { email: owner, role: 'owner' }));
  };
  // One unit: key and secret are told once, and would be lost with the answer if the invitation failed after them.
  const made = await createMerchant(deps, { name: input.name, domains, webhookUrl }, invite).catch(refused);
  return { ...made, invitation };
}

function refused(error: unknown): never {
  if (error instanceof DomainRefused) {
    throw new BackofficeError('BAD_REQUEST', error.message, {
      reason: `domain_${error.fault}`,
      values: { domain: error.typed },
      fields: ['domains'],
    });
  }
  if (error instanceof WebhookUrlRefused) {
    throw new BackofficeError('BAD_REQUEST', error.message, {
      reason: `url_${error.fault}`,
      fields: ['webhookUrl'],
    });
  }
  throw error;
}
