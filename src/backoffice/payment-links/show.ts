import { findLink, type LinkRow, linkPage, paidOrders, salesOf } from '../../checkout/link-store.ts';
import { type SoldLink, soldLink, withSales } from '../../checkout/links.ts';
import { boundedCount, COUNTED_MAX } from '../../db/count-rows.ts';
import type { Id } from '../../kernel/ids.ts';
import type { AtMerchant, BackofficeContext } from '../context.ts';
import { BackofficeError } from '../errors.ts';
import { type PageInput, pageOf } from '../rpc.ts';
import { receiptsOfPage } from '../transactions/store.ts';
import { isRefunded } from '../transactions/view.ts';

type LinkContext = AtMerchant & Pick<BackofficeContext, 'deps'>;

const PAID_SHOWN_MAX = 50;

/** One page of the merchant's payment links, newest first. */
export async function listPaymentLinks({ deps, merchantId }: LinkContext, { limit, cursor }: PageInput) {
  const place = { place: cursor ?? null, limit: limit + 1, newestFirst: true };
  const found = await linkPage(deps.db.read, merchantId, place);
  const { page, nextCursor } = pageOf(found, limit, ({ id }) => id);
  return { rows: (await withSales(deps, page)).map(shownLink), nextCursor };
}

/**
 * The number of the merchant's payment links, and the sum paid with them. With `more` there are others, which were not counted.
 */
export async function totalOfLinks({ deps, merchantId }: LinkContext) {
  const { read } = deps.db;
  const found = await linkPage(read, merchantId, { place: null, limit: COUNTED_MAX + 1, newestFirst: true });
  const sales = await salesOf(read, found);
  const cents = [...sales.values()].reduce((sum, sale) => sum + sale.cents, 0);
  return { ...boundedCount(found.length), cents };
}

/** A payment link with its newest paid orders. Throws NOT_FOUND. */
export async function showPaymentLink(ctx: LinkContext, id: Id<'lnk'>) {
  const row = await requireLink(ctx, id);
  const { read } = ctx.deps.db;
  const orders = await paidOrders(read, id, PAID_SHOWN_MAX + 1);
  const ids = orders.map(({ transactionId }) => transactionId);
  const receipts = await receiptsOfPage(read, ids, { unheld: false });
  const byOrder = Map.groupBy(receipts, (receipt) => receipt.transaction_id);
  return {
    link: shownLink(await soldLink(ctx.deps, row)),
    paid: orders.slice(0, PAID_SHOWN_MAX).map((order) => ({
      ...order,
      paidAt: Number(order.paidAt),
      refunded: isRefunded(order.amountCents, byOrder.get(order.transactionId) ?? []),
    })),
    more: orders.length > PAID_SHOWN_MAX,
  };
}

/** The merchant's own link. Throws NOT_FOUND. */
export async function requireLink({ deps, merchantId }: LinkContext, id: Id<'lnk'>): Promise<LinkRow> {
  const row = await findLink(deps.db.read, id);
  if (row?.merchant_id === merchantId) return row;
  throw new BackofficeError('NOT_FOUND', 'The merchant has no such payment link.');
}

function shownLink(link: SoldLink) {
  return {
    linkId: link.id,
    title: link.title,
    url: link.url,
    active: link.active,
    uses: link.uses_count,
    paidCount: link.sales.count,
    paidCents: link.sales.cents,
    amountCents: link.amount_cents,
    minCents: link.min_cents,
    maxCents: link.max_cents,
    orderPrefix: link.order_prefix,
    usesMax: link.uses_max,
    createdAt: link.created_at,
    expiresAt: link.expires_at,
    closedAt: link.closed_at,
  };
}
