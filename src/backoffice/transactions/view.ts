import type { Queryable } from '../../db/database.ts';
import type { CanonicalCustomer } from '../../payments/init-order.ts';
import { shownAttempt } from '../../payments/status.ts';
import type { Reader } from '../transaction/sight.ts';
import type { AttentionFlag, ListedTransaction } from './contract.ts';
import { attemptsOfPage, type ListAttempt, type ListRow, openFlags } from './store.ts';

const FLAGS: readonly AttentionFlag[] = ['late', 'duplicate', 'under', 'over'];
/** Attempts, or receipts, of all rows of one page. */
const OF_PAGE_MAX = 2000;

/** The rows as the reader may know them: a payment that is held looks pending to its merchant, as through its API. */
export async function listed(
  db: Queryable,
  rows: readonly ListRow[],
  reader: Reader,
): Promise<ListedTransaction[]> {
  const ids = rows.map(({ id }) => id);
  const attempts = Map.groupBy(await attemptsOfPage(db, ids, OF_PAGE_MAX), (row) => row.transaction_id);
  const receipts = Map.groupBy(await openFlags(db, ids, OF_PAGE_MAX), (row) => row.transaction_id);
  return rows.map((row) => {
    const open = row.held === 1 && reader === 'merchant' ? [] : (receipts.get(row.id) ?? []);
    const flags = FLAGS.filter((flag) => open.some((receipt) => receipt[flag] === 1));
    return view(row, attempts.get(row.id) ?? [], flags, reader);
  });
}

function view(
  row: ListRow,
  newestFirst: readonly ListAttempt[],
  attention: AttentionFlag[],
  reader: Reader,
): ListedTransaction {
  const shown = shownAttempt(row, newestFirst.toReversed());
  const customer = row.customer === null ? null : (JSON.parse(row.customer) as CanonicalCustomer);
  const paid = row.status === 'paid';
  return {
    transactionId: row.id,
    merchantId: row.merchant_id,
    orderId: row.order_id,
    amountCents: Number(row.amount_cents),
    status: row.status,
    held: row.held === 1 && reader === 'operator',
    method: paid ? row.paid_method : (shown?.method ?? null),
    createdAt: Number(row.created_at),
    paidAt: paid && row.paid_at !== null ? Number(row.paid_at) : null,
    customerName: customer?.name ?? null,
    customerEmail: customer?.email ?? null,
    phoneNumber: shown?.phone_number ?? null,
    entity: shown?.entity ?? null,
    reference: shown?.reference ?? null,
    attention,
  };
}
