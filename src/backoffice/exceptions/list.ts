import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { RECEIPT_FLAGS, type ReceiptFlag } from '../../payments/store.ts';
import { pageOf } from '../rpc.ts';
import { type CaseRow, caseRows, countOpen } from './store.ts';

const DAY_MS = 86_400_000;
const COUNT_MAX = 1000;

/** A page of cases, open ones oldest first, settled ones newest first. `viewer` is null for operators. */
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
    after: (query.cursor ?? null) as Id<'rcp'> | null,
    limit: limit + 1,
  });
  const { page, nextCursor } = pageOf(found, limit, (row) => row.id);
  return { rows: page.map((row) => caseView(viewer === null ? row : withoutHold(row))), nextCursor };
}

/** The number of open cases of a merchant. */
export async function countCases(deps: Pick<Deps, 'db'>, merchantId: Id<'mer'>) {
  return await countOpen(deps.db.read, merchantId, null, COUNT_MAX);
}

/** The number of open cases of all merchants, in total and by flag. */
export async function countAcross(deps: Pick<Deps, 'db'>) {
  const all = await countOpen(deps.db.read, null, null, COUNT_MAX);
  const byFlag: Record<ReceiptFlag, number> = { late: 0, duplicate: 0, under: 0, over: 0, unmatched: 0 };
  if (all.count === 0) return { ...all, byFlag };
  for (const flag of RECEIPT_FLAGS) {
    byFlag[flag] = (await countOpen(deps.db.read, null, flag, COUNT_MAX)).count;
  }
  return { ...all, byFlag };
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
    merchant: merchantId === null || merchantName === null ? null : { id: merchantId, name: merchantName },
  };
}

function transactionOf(row: CaseRow) {
  const { transaction_id: id, order_id: orderId, due_cents: amountCents, status } = row;
  if (id === null || orderId === null || amountCents === null || status === null) return null;
  return { id, orderId, amountCents, status, held: row.held === 1 };
}
