import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import type { CanonicalCustomer } from '../../payments/init-order.ts';
import { RECEIPT_FLAGS, type ReceiptFlag } from '../../payments/store.ts';
import { pageOf } from '../rpc.ts';
import { type CasePlace, type CaseRow, caseRows, countOpen } from './store.ts';

const DAY_MS = 86_400_000;
const COUNT_MAX = 1000;

/** A page of cases: open ones oldest first, settled ones latest settled first. `viewer` is null for operators. */
export async function listCases(
  deps: Pick<Deps, 'db' | 'clock'>,
  viewer: Id<'mer'> | null,
  query: {
    state: 'open' | 'settled';
    flag?: ReceiptFlag | undefined;
    ofMerchant?: Id<'mer'> | undefined;
    olderThanDays?: number | undefined;
    limit: number;
    cursor?: string | null | undefined;
  },
) {
  const { olderThanDays, limit } = query;
  const found = await caseRows(deps.db.read, {
    viewer,
    merchantId: query.ofMerchant ?? null,
    flag: query.flag ?? null,
    settled: query.state === 'settled',
    recordedBefore: olderThanDays === undefined ? null : deps.clock.now() - olderThanDays * DAY_MS,
    after: placeOf(query.cursor ?? null),
    limit: limit + 1,
  });
  const { page, nextCursor } = pageOf(found, limit, (row) => `${row.settled_at ?? 0}.${row.id}`);
  return { rows: page.map((row) => caseView(viewer === null ? row : withoutHold(row))), nextCursor };
}

/** The number of open cases of a merchant; of all when it is null. */
export async function countCases(deps: Pick<Deps, 'db'>, viewer: Id<'mer'> | null) {
  return await countOpen(deps.db.read, viewer, null, COUNT_MAX);
}

/** The open cases by kind. A case of two kinds is in both. */
export async function countKinds(deps: Pick<Deps, 'db'>, viewer: Id<'mer'> | null) {
  const kinds = [];
  for (const flag of RECEIPT_FLAGS) {
    const { count, cents, oldestAt } = await countOpen(deps.db.read, viewer, flag, COUNT_MAX);
    if (count > 0) kinds.push({ flag, count, cents, oldestAt, more: count === COUNT_MAX });
  }
  return kinds;
}

/** Returns the place that a cursor names; null for the start. Throws OperatorError when it names none. */
function placeOf(cursor: string | null): CasePlace | null {
  if (cursor === null) return null;
  const [, settledAt, id] = /^(\d{1,15})\.(rcp_[0-9a-z]{1,40})$/.exec(cursor) ?? [];
  if (id === undefined) throw new OperatorError('the cursor is invalid; start again without it');
  return { settledAt: Number(settledAt), id: id as Id<'rcp'> };
}

/** Merchants see a held transaction as it was before the hold. */
export function withoutHold(row: CaseRow): CaseRow {
  return { ...row, held: 0 };
}

/** A case as an inbox shows it. Instants in UTC milliseconds. */
export function caseView(row: CaseRow) {
  const { merchant_id: merchantId, merchant_name: merchantName } = row;
  return {
    receiptId: row.id,
    amountCents: row.amount_cents,
    flags: RECEIPT_FLAGS.filter((flag) => row[flag] === 1),
    method: row.method,
    entity: row.entity,
    reference: row.reference,
    paidAt: row.paid_at,
    recordedAt: row.recorded_at,
    settlement: row.settlement,
    settledAt: row.settled_at,
    returnedCents: row.returned_cents,
    transaction: transactionOf(row),
    customer: customerOf(row),
    merchant: merchantId === null || merchantName === null ? null : { id: merchantId, name: merchantName },
  };
}

/** How the customer can be reached. */
function customerOf({ customer }: CaseRow) {
  if (customer === null) return null;
  const { name, email, phone } = JSON.parse(customer) as CanonicalCustomer;
  return { name: name ?? null, email: email ?? null, phone: phone ?? null };
}

function transactionOf(row: CaseRow) {
  const { transaction_id: id, order_id: orderId, due_cents: amountCents, status } = row;
  if (id === null || orderId === null || amountCents === null || status === null) return null;
  return { id, orderId, amountCents, status, held: row.held === 1 };
}
