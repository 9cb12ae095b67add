import type { Id } from '../../kernel/ids.ts';
import type { FoundLead } from '../../leads/search.ts';
import type { ErasureState } from '../../leads/store.ts';

/** A lead in the operator's list. Amounts in cents, instants in UTC milliseconds. */
export interface ListedLead {
  leadId: Id<'led'>;
  merchantId: Id<'mer'>;
  merchantName: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  campaign: string | null;
  firstSeenAt: number;
  lastSeenAt: number;
  orders: number;
  askedCents: number;
  paidOrders: number;
  paidCents: number;
  /** How far its erasure is; null when nobody asked for one. */
  erasure: ErasureState | null;
}

export function listedLead(row: FoundLead): ListedLead {
  return {
    leadId: row.id,
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
    name: row.name,
    email: row.email,
    phone: row.phone,
    campaign: row.campaign,
    firstSeenAt: Number(row.first_seen_at),
    lastSeenAt: Number(row.last_seen_at),
    orders: row.orders_count,
    askedCents: Number(row.asked_cents),
    paidOrders: row.paid_count,
    paidCents: Number(row.paid_cents),
    erasure: row.erasure,
  };
}
