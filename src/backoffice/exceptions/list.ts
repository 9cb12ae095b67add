import { boundedCount, COUNTED_MAX } from '../../db/count-rows.ts';
import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import { RECEIPT_FLAGS } from '../../kernel/payment-enums.ts';
import type { CanonicalCustomer } from '../../payments/init-order.ts';
import type { Scoped } from '../context.ts';
import { type PageInput, pageOf } from '../rpc.ts';
import {
  type CaseFilter,
  type CasePlace,
  type CaseRow,
  type CaseScope,
  caseRows,
  openSums,
  sumCases,
} from './store.ts';

type CaseSearch = Omit<CaseFilter, keyof CaseScope>;

/** The cases of a page. An operator sees the money of held sales on a merchant's page too. */
export function scopeOf({ merchantId, user }: Scoped, ofMerchant?: Id<'mer'>): CaseScope {
  return { viewer: user.operator ? null : merchantId, ofMerchant: merchantId ?? ofMerchant };
}

/** A page of cases: open ones oldest first, settled ones latest settled first. */
export async function listCases(
  deps: Pick<Deps, 'db'>,
  scope: CaseScope,
  { limit, cursor, ...search }: CaseSearch & PageInput,
) {
  const place = { after: placeOf(cursor ?? null), limit: limit + 1 };
  const filter = { ...search, ...scope };
  const { page, nextCursor, sums } = await deps.db.snapshot(async (db) => {
    const found = await caseRows(db, filter, place);
    const cut = pageOf(found, limit, (row) => `${row.settled_at ?? 0}.${row.id}`);
    const ids = cut.page.flatMap((row) => row.transaction_id ?? []);
    return { ...cut, sums: await openSums(db, [...new Set(ids)], scope.viewer) };
  });
  const rows = page.map((row) => {
    const received = row.transaction_id === null ? null : (sums.get(row.transaction_id) ?? null);
    return caseView(scope.viewer === null ? row : withoutHold(row), received ?? (0 as Cents));
  });
  return { rows, nextCursor };
}

/** The number and sum of the cases that match the filters. With `more` there are others, which were not counted. */
export async function sumOfCases(deps: Pick<Deps, 'db'>, scope: CaseScope, search: CaseSearch) {
  const { count, cents } = await sumCases(deps.db.read, { ...search, ...scope }, COUNTED_MAX + 1);
  return { ...boundedCount(count), cents };
}

/** The number of open cases. With `more` there are others, which were not counted. */
export async function countCases(deps: Pick<Deps, 'db'>, scope: CaseScope) {
  const { count } = await sumCases(deps.db.read, { ...scope, state: 'open' }, COUNTED_MAX + 1);
  return boundedCount(count);
}

/** The open cases by kind. A case of two kinds is in both. */
export async function countKinds(deps: Pick<Deps, 'db'>, scope: CaseScope) {
  const kinds = [];
  for (const flag of RECEIPT_FLAGS) {
    const filter = { ...scope, state: 'open', flag } as const;
    const { count, cents, oldestAt } = await sumCases(deps.db.read, filter, COUNTED_MAX);
    if (count > 0) kinds.push({ flag, count, cents, oldestAt, more: count === COUNTED_MAX });
  }
  return kinds;
}

/** Returns the position that a cursor names; null for the start. Throws OperatorError on an invalid cursor. */
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

/** A case as an inbox shows it; `receivedCents` is the sum of its transaction's open receipts. Instants in UTC milliseconds. */
export function caseView(row: CaseRow, receivedCents: Cents) {
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
    receivedCents,
    missingCents: missingOf(row, receivedCents),
    transaction: transactionOf(row),
    customer: customerOf(row),
    merchant: merchantId === null || merchantName === null ? null : { id: merchantId, name: merchantName },
  };
}

/**
 * The amount by which all part payments of the transaction together fall short; null unless the case is an open part payment of a
 * transaction that is neither paid nor held.
 */
function missingOf(
  { settlement, under, status, held, due_cents: due }: CaseRow,
  received: Cents,
): Cents | null {
  const isShort = settlement === null && under === 1 && status !== 'paid' && held === 0;
  return isShort && due !== null ? (Math.max(0, due - received) as Cents) : null;
}

function customerOf({ customer }: CaseRow) {
  if (customer === null) return null;
  const { name, email, phone } = JSON.parse(customer) as CanonicalCustomer;
  return { name: name ?? null, email: email ?? null, phone: phone ?? null };
}

function transactionOf(row: CaseRow) {
  const { transaction_id: id, order_id: orderId, due_cents: amountCents, status } = row;
  if (id === null || orderId === null || amountCents === null || status === null) return null;
  return { id, orderId, linkTitle: row.link_title, amountCents, status, held: row.held === 1 };
}
