import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import type { Cents } from '../kernel/money.ts';
import { nameKey, phoneKey } from '../kernel/person-keys.ts';
import { leadIdentity } from './identity.ts';
import { upsertLead } from './store.ts';

/** What an init tells about the person who buys. */
export interface SeenLead {
  merchantId: Id<'mer'>;
  customer: {
    name?: string | null | undefined;
    email?: string | null | undefined;
    phone?: string | null | undefined;
  } | null;
  /** The order's items, and the tracking parameters that came with it, as JSON; null, and never empty, when there are none. */
  items: string | null;
  tracking: string | null;
  campaign: string | null;
  /** The transaction's amount, counted as asked for. */
  amount: Cents;
}

/**
 * Notes one init in the register, in the caller's unit: makes the merchant's lead for this e-mail (else phone), or
 * adds the order to the lead there is. Resolves to its id, or to null when the customer gave neither.
 */
export async function recordLead(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids'>,
  lead: SeenLead,
): Promise<Id<'led'> | null> {
  const email = textOrNull(lead.customer?.email);
  const phone = textOrNull(lead.customer?.phone);
  const identity = leadIdentity(email, phone);
  if (identity === null) return null;
  const now = deps.clock.now();
  const name = textOrNull(lead.customer?.name);
  return upsertLead(tx, {
    id: deps.ids('led'),
    merchant_id: lead.merchantId,
    identity,
    email,
    phone,
    name,
    first_seen_at: now,
    last_seen_at: now,
    asked_cents: lead.amount,
    items: lead.items,
    tracking: lead.tracking,
    phone_key: phoneKey(phone ?? '') || null,
    name_key: nameKey(name ?? '') || null,
    campaign: lead.campaign,
  });
}

function textOrNull(text: string | null | undefined): string | null {
  // What a person types has no NUL, and not every engine can store one.
  const trimmed = text?.replaceAll('\0', '').trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
