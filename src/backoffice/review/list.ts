import type { PaymentMethod } from '../../db/tables/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import { type HeldTotals, heldRows, heldTotals } from './store.ts';

/** Beyond this the totals say "at least". */
const TOTALS_ROWS_MAX = 10_000;

export interface HeldSale {
  transactionId: string;
  merchant: { id: string; name: string };
  orderId: string;
  amountCents: Cents;
  method: PaymentMethod | null;
  /** The bank's time of payment, UTC milliseconds. */
  paidAt: number;
  /** What the merchant reads meanwhile. */
  shownAs: string;
}

/** A page of settled sales that wait for release, the oldest first. */
export async function listHeld(
  deps: Pick<Deps, 'db'>,
  query: { ofMerchant?: Id<'mer'> | undefined; limit: number; cursor?: string | null | undefined },
): Promise<{ rows: HeldSale[]; nextCursor: string | null }> {
  const found = await heldRows(deps.db.read, {
    merchantId: query.ofMerchant ?? null,
    after: (query.cursor ?? null) as Id<'tx'> | null,
    limit: query.limit + 1,
  });
  const page = found.slice(0, query.limit);
  const rows = page.map((row) => ({
    transactionId: row.id,
    merchant: { id: row.merchant_id, name: row.merchant_name },
    orderId: row.order_id,
    amountCents: row.amount_cents,
    method: row.paid_method,
    paidAt: row.paid_at ?? row.created_at,
    shownAs: row.status,
  }));
  return { rows, nextCursor: found.length > query.limit ? (page.at(-1)?.id ?? null) : null };
}

/** What is held in all and of each merchant; `complete` is false when there is more than was counted. */
export async function totalHeld(
  deps: Pick<Deps, 'db'>,
): Promise<{ count: number; amountCents: number; merchants: HeldTotals[]; complete: boolean }> {
  const merchants = await heldTotals(deps.db.read, TOTALS_ROWS_MAX);
  const count = merchants.reduce((sum, merchant) => sum + merchant.count, 0);
  return {
    count,
    amountCents: merchants.reduce((sum, merchant) => sum + merchant.amountCents, 0),
    merchants,
    complete: count < TOTALS_ROWS_MAX,
  };
}
