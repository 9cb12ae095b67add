import type { Queryable } from '../../db/database.ts';
import type { TransactionStatus } from '../../db/tables/tables.ts';
import { type Id, idFloor } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import { type ReceiptFlags, type Settlement, settleReceipt } from '../../payments/transaction.ts';
import {
  accountOwner,
  type CandidateRow,
  type CaseRow,
  candidateRows,
  transactionsNearby,
  transactionsOfReference,
  transactionsOfRequest,
} from './store.ts';

const DAY_MS = 86_400_000;
/** A reference is usually paid within days, a push within minutes. */
const LOOK_BACK_MS = 4 * DAY_MS;
/** Clocks differ a little. */
const SLACK_MS = 60_000;
const LOOKED_THROUGH_MAX = 5000;
const CANDIDATES_MAX = 10;

/** Why a transaction may be the one, the surest first. */
export type Likeness = 'request' | 'reference' | 'amount';

/** A transaction that unmatched money may be assigned to, and what would come of it. */
export interface Candidate {
  transactionId: string;
  merchant: { id: string; name: string };
  orderId: string;
  amountCents: Cents;
  status: TransactionStatus;
  held: boolean;
  createdAt: number;
  likeness: Likeness | null;
  /** What assigning would do: `paid` sends payment.success, `held` waits for the release, `none` leaves it as it is. */
  settlement: Settlement;
  flags: ReceiptFlags;
}

/** Where unmatched money may belong: by the bank's own ids, by the digits of a reference, by amount and time. */
export async function candidatesOf(db: Queryable, receipt: CaseRow): Promise<Candidate[]> {
  const owner = await accountOwner(db, receipt.account_id);
  const { request_id: requestId, entity, reference } = receipt;
  const found = new Map<Id<'tx'>, Likeness>();
  const add = (ids: readonly Id<'tx'>[], likeness: Likeness) => {
    for (const id of ids) if (!found.has(id)) found.set(id, likeness);
  };
  if (requestId !== null) add(await transactionsOfRequest(db, requestId), 'request');
  if (entity !== null && reference !== null) {
    add(await transactionsOfReference(db, { entity, reference }, owner, CANDIDATES_MAX), 'reference');
  }
  add(
    await transactionsNearby(db, {
      from: idFloor('tx', receipt.paid_at - LOOK_BACK_MS),
      to: idFloor('tx', receipt.paid_at + SLACK_MS),
      owner,
      amount: receipt.amount_cents,
      lookedThroughMax: LOOKED_THROUGH_MAX,
      limit: CANDIDATES_MAX,
    }),
    'amount',
  );
  const ids = [...found.keys()].slice(0, CANDIDATES_MAX);
  const rows = new Map((await candidateRows(db, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = rows.get(id);
    return row === undefined ? [] : [candidate(row, receipt, found.get(id) ?? null)];
  });
}

/** What assigning the receipt to this one transaction would do; null when there is none of this id. */
export async function previewOf(db: Queryable, receipt: CaseRow, id: Id<'tx'>): Promise<Candidate | null> {
  const [row] = await candidateRows(db, [id]);
  return row === undefined ? null : candidate(row, receipt, null);
}

function candidate(row: CandidateRow, receipt: CaseRow, likeness: Likeness | null): Candidate {
  const state = { status: row.status, held: row.held === 1, amount: row.amount_cents };
  return {
    transactionId: row.id,
    merchant: { id: row.merchant_id, name: row.merchant_name },
    orderId: row.order_id,
    amountCents: row.amount_cents,
    status: row.status,
    held: row.held === 1,
    createdAt: row.created_at,
    likeness,
    ...settleReceipt(state, receipt.amount_cents, row.merchant_hold === 1),
  };
}
