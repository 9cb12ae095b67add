import { linkTitles } from '../../checkout/link-store.ts';
import type { Queryable } from '../../db/database.ts';
import { storedJson } from '../../kernel/json.ts';
import { ORDER_FLAGS } from '../../kernel/payment-enums.ts';
import type { CanonicalCustomer } from '../../payments/init-order.ts';
import { shownAttempt } from '../../payments/status.ts';
import { merchantsById } from '../merchants/store.ts';
import type { Reader } from '../transaction/redaction.ts';
import { attemptsOfPage, type ListAttempt, type ListReceipt, type ListRow, receiptsOfPage } from './store.ts';

export type ListedTransaction = Awaited<ReturnType<typeof viewRows>>[number];

/** The rows of a page, with the merchant's name for operators. To its merchant a held transaction is pending, as in the API. */
export async function viewRows(db: Queryable, rows: readonly ListRow[], reader: Reader) {
  const ids = rows.map(({ id }) => id);
  const attempts = Map.groupBy(await attemptsOfPage(db, ids), (row) => row.transaction_id);
  const shown = { unheld: reader === 'merchant' };
  const receipts = Map.groupBy(await receiptsOfPage(db, ids, shown), (row) => row.transaction_id);
  const merchantIds = reader === 'operator' ? rows.map((row) => row.merchant_id) : [];
  const merchants = await merchantsById(db, merchantIds);
  const titles = await linkTitles(
    db,
    rows.flatMap((row) => row.session_id ?? []),
  );
  return rows.map((row) => {
    const received = receipts.get(row.id) ?? [];
    const open = received.filter(({ settlement }) => settlement === null);
    const flags = ORDER_FLAGS.filter((flag) => open.some((receipt) => receipt[flag] === 1));
    const merchantName = merchants.get(row.merchant_id)?.name ?? null;
    const linkTitle = row.session_id === null ? null : (titles.get(row.session_id) ?? null);
    const refunded = row.status === 'paid' && isRefunded(row.amount_cents, received);
    return { ...viewRow(row, attempts.get(row.id) ?? [], flags, reader), refunded, merchantName, linkTitle };
  });
}

/** Whether refunds, made or requested, leave a paid order less than its amount: its status stays paid. */
export function isRefunded(amountCents: number, received: readonly ListReceipt[]): boolean {
  const sum = (of: (receipt: ListReceipt) => number) => received.reduce((total, row) => total + of(row), 0);
  const refunded = sum((receipt) => receipt.refund_cents + (receipt.returned_cents ?? 0));
  return refunded > 0 && sum((receipt) => receipt.amount_cents) - refunded < amountCents;
}

/** Amounts in cents, instants in UTC milliseconds. */
function viewRow(
  row: ListRow,
  newestFirst: readonly ListAttempt[],
  attention: (typeof ORDER_FLAGS)[number][],
  reader: Reader,
) {
  const shown = shownAttempt(row, newestFirst.toReversed());
  const customer = storedJson<CanonicalCustomer>(row.customer);
  const isPaid = row.status === 'paid';
  return {
    transactionId: row.id as string,
    merchantId: row.merchant_id as string,
    orderId: row.order_id,
    amountCents: row.amount_cents,
    status: row.status,
    held: row.held === 1 && reader === 'operator',
    method: isPaid ? row.paid_method : (shown?.method ?? null),
    createdAt: row.created_at,
    paidAt: isPaid ? row.paid_at : null,
    customerName: customer?.name ?? null,
    customerEmail: customer?.email ?? null,
    phoneNumber: shown?.phone_number ?? null,
    entity: shown?.entity ?? null,
    reference: shown?.reference ?? null,
    attention,
  };
}
