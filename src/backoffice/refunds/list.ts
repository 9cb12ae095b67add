import { boundedCount, COUNTED_MAX } from '../../db/count-rows.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { readIban } from '../../payments/refunds/iban.ts';
import { type PageInput, pageOf } from '../rpc.ts';
import { type ListedRow, type RefundFilter, refundRows, sumRefunds } from './store.ts';

const IBAN_SHOWN = 4;

type RefundSearch = Omit<RefundFilter, 'viewer'>;

/** A page of refunds. `viewer` is null for operators. */
export async function listRefunds(
  deps: Pick<Deps, 'db' | 'box'>,
  viewer: Id<'mer'> | null,
  { limit, cursor, ...search }: RefundSearch & PageInput,
) {
  const place = { after: cursor ?? null, limit: limit + 1 };
  const found = await refundRows(deps.db.read, { ...search, viewer }, place);
  const { page, nextCursor } = pageOf(found, limit, ({ id }) => id);
  return { rows: page.map((row) => refundLine(deps, row)), nextCursor };
}

/** The number and sum of the refunds that match the filters. With `more` there are others, which were not counted. */
export async function sumOfRefunds(deps: Pick<Deps, 'db'>, viewer: Id<'mer'> | null, search: RefundSearch) {
  const { count, cents } = await sumRefunds(deps.db.read, { ...search, viewer }, COUNTED_MAX + 1);
  return { ...boundedCount(count), cents };
}

/** A refund as a list shows it. Instants in UTC milliseconds. */
export function refundLine({ box }: Pick<Deps, 'box'>, row: ListedRow) {
  const { merchant_id: merchantId, merchant_name: merchantName, transaction_id: transactionId } = row;
  return {
    refundId: row.id,
    receiptId: row.receipt_id,
    amountCents: row.amount_cents,
    state: row.state,
    /** Whether a person makes it by bank transfer. */
    transfer: row.request_id === null,
    reason: row.reason,
    /** The last 4 characters. */
    iban: readIban(box, row)?.slice(-IBAN_SHOWN) ?? null,
    name: row.name,
    createdAt: row.created_at,
    exportedAt: row.exported_at,
    transaction:
      transactionId === null
        ? null
        : { id: transactionId, orderId: row.order_id ?? transactionId, linkTitle: row.link_title },
    merchant: merchantId === null || merchantName === null ? null : { id: merchantId, name: merchantName },
  };
}
