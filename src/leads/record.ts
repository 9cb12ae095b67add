import type { Queryable, Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import type { Cents } from '../kernel/money.ts';
import { emailKey, phoneKey } from '../kernel/person-keys.ts';
import type { Person } from '../kernel/scrub.ts';
import {
  addPaid,
  erasedIdentity,
  findLead,
  REPLACED,
  type SeenRow,
  setCampaign,
  upsertLead,
} from './store.ts';

// For the statement that writes leads and transactions together.
export { upsertRecords } from './store.ts';

/** An order as the register sees it; items and tracking parameters as JSON. */
export type SeenLead = Pick<SeenRow, 'merchant_id' | 'items' | 'tracking' | 'campaign' | 'asked_cents'> & {
  customer: Person | null;
};

/**
 * Returns the lead row of one order. The merchant's customer is identified by the e-mail address, else the phone number; null
 * without both.
 */
export function leadOf(deps: Pick<Deps, 'clock' | 'ids'>, { customer, ...order }: SeenLead): SeenRow | null {
  const email = textOrNull(customer?.email);
  const phone = textOrNull(customer?.phone);
  const identity = leadIdentity(email, phone);
  if (identity === null) return null;
  const now = deps.clock.now();
  const name = textOrNull(customer?.name);
  const seen = { first_seen_at: now, last_seen_at: now, orders_count: 1 };
  return { id: deps.ids('led'), identity, email, phone, name, ...seen, ...order };
}

/** Inserts the lead, or adds the order to it. Resolves to its id. */
export async function recordLead(tx: Tx, lead: SeenRow): Promise<Id<'led'>> {
  const [known] = await upsertLead(tx, lead);
  if (known === undefined) throw new Error('a lead was neither inserted nor updated');
  const { campaign } = lead;
  if (campaign !== null && campaign !== known.campaign) await setCampaign(tx, { ...known, campaign });
  return known.id;
}

/** Adds up the orders of each lead, because one statement can change a lead only once. */
export function distinctLeads(orders: readonly SeenRow[]): SeenRow[] {
  const keyOf = ({ merchant_id, identity }: SeenRow) => `${merchant_id} ${identity}`;
  return [...Map.groupBy(orders, keyOf).values()].map((own) => own.reduce(withOrder));
}

function withOrder(lead: SeenRow, order: SeenRow): SeenRow {
  const sum = {
    ...lead,
    orders_count: lead.orders_count + order.orders_count,
    asked_cents: lead.asked_cents + order.asked_cents,
  };
  for (const name of REPLACED) sum[name] = order[name] ?? lead[name];
  return sum;
}

/** Counts one order of the lead as paid, in the transaction that marks it as paid. */
export async function recordLeadPaid(
  tx: Tx,
  { merchant_id, amount_cents }: { merchant_id: Id<'mer'>; amount_cents: Cents },
  id: Id<'led'>,
): Promise<void> {
  const [counted] = await addPaid(tx, { id, merchant_id, amount_cents });
  if (counted === undefined) throw new Error(`lead ${id} does not exist`);
}

/** Whether the person of an order was erased; false without a lead. */
export async function isErased(
  db: Queryable,
  { lead_id: id, merchant_id }: { lead_id: Id<'led'> | null; merchant_id: Id<'mer'> },
): Promise<boolean> {
  return id !== null && (await findLead(db, id, merchant_id))?.identity === erasedIdentity(id);
}

/** The key of a customer in the lead register: the normalised e-mail address, else the phone number, else null. */
function leadIdentity(email: string | null, phone: string | null): string | null {
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
