import type { Tx } from '../db/database.ts';
import { hasRowLocks } from '../db/row-locks.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import type { Cents } from '../kernel/money.ts';
import { emailKey, phoneKey } from '../kernel/person-keys.ts';
import type { Person } from '../kernel/scrub.ts';
import { upsertLeads } from './postgres-store.ts';
import { addPaid, type SeenRow, upsertLead } from './store.ts';

/** The customer data of an init call. */
export interface SeenLead {
  merchantId: Id<'mer'>;
  customer: Person | null;
  /** The order's items and tracking parameters as JSON, or null without any. */
  items: string | null;
  tracking: string | null;
  campaign: string | null;
  /** The transaction's amount. */
  amount: Cents;
}

/**
 * Returns the lead row of one order. The merchant's customer is identified by the e-mail address, else the phone number; null
 * without both.
 */
export function leadOf(deps: Pick<Deps, 'clock' | 'ids'>, lead: SeenLead): SeenRow | null {
  const email = textOrNull(lead.customer?.email);
  const phone = textOrNull(lead.customer?.phone);
  const identity = leadIdentity(email, phone);
  if (identity === null) return null;
  const now = deps.clock.now();
  const name = textOrNull(lead.customer?.name);
  return {
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
    campaign: lead.campaign,
  };
}

/** Inserts the leads, or adds the orders to them. Resolves to the ids in the same order. */
export async function recordLeads(tx: Tx, leads: readonly SeenRow[]): Promise<Id<'led'>[]> {
  if (hasRowLocks(tx)) return upsertLeads(tx, leads);
  const ids: Id<'led'>[] = [];
  for (const lead of leads) ids.push(await upsertLead(tx, lead));
  return ids;
}

/** Counts one order of the lead as paid, in the transaction that marks it as paid. */
export async function recordLeadPaid(
  tx: Tx,
  { merchant_id, amount_cents }: { merchant_id: Id<'mer'>; amount_cents: Cents },
  leadId: Id<'led'>,
): Promise<void> {
  const [counted] = await addPaid(tx, { leadId, merchantId: merchant_id, amount: amount_cents });
  if (counted === undefined) throw new Error(`lead ${leadId} does not exist`);
}

/** The key of a customer in the lead register: the normalised e-mail address, else the phone number, else null. */
export function leadIdentity(email: string | null, phone: string | null): string | null {
  const address = emailKey(email ?? '');
  if (address !== '') return `email:${address}`;
  const number = phoneKey(phone ?? '');
  return number === '' ? null : `phone:${number}`;
}

/** PostgreSQL cannot store NUL. */
function textOrNull(text: string | null | undefined): string | null {
  const trimmed = text?.replaceAll('\0', '').trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
