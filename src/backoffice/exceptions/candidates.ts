import { HAS_PAYMENT_IDS } from '../../banks/port.ts';
import type { Queryable } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/errors.ts';
import { type Id, idFloor } from '../../kernel/ids.ts';
import { hasSettledOther } from '../../payments/session-store.ts';
import { paidAgain, receiptDecision } from '../../payments/transaction.ts';
import { notFound } from '../errors.ts';
import {
  type CaseRow,
  candidateRows,
  caseRow,
  type FullCaseRow,
  transactionsNearby,
  transactionsOfReference,
  transactionsOfRequest,
} from './store.ts';

/** References are usually paid within days. */
const SEARCH_MS = 4 * DAY_MS;
/** The bank's clock can differ. */
const SLACK_MS = 60_000;
const EXAMINED_MAX = 5000;
const CANDIDATES_MAX = 10;

/** Why a transaction is proposed, most certain first. */
type Likeness = 'request' | 'reference' | 'amount';

/** Transactions that unmatched money may belong to: by the bank's ids, by reference, and by amount and time. */
export async function candidatesOf(db: Queryable, receipt: FullCaseRow): Promise<Candidate[]> {
  const { request_id: requestId, entity, reference, account_owner: owner, acquirer } = receipt;
  const isOfRequest = acquirer === null || !HAS_PAYMENT_IDS[acquirer];
  const found = new Map<Id<'tx'>, Likeness>();
  const add = (ids: readonly Id<'tx'>[], likeness: Likeness) => {
    for (const id of ids) if (!found.has(id)) found.set(id, likeness);
  };
  if (requestId !== null && isOfRequest) add(await transactionsOfRequest(db, requestId), 'request');
  if (entity !== null && reference !== null) {
    add(await transactionsOfReference(db, { entity, reference }, owner, CANDIDATES_MAX), 'reference');
  }
  add(
    await transactionsNearby(db, {
      from: idFloor('tx', receipt.paid_at - SEARCH_MS),
      to: idFloor('tx', receipt.paid_at + SLACK_MS),
      owner,
      amount: receipt.amount_cents,
      examinedMax: EXAMINED_MAX,
      limit: CANDIDATES_MAX,
    }),
    'amount',
  );
  const ids = [...found.keys()].slice(0, CANDIDATES_MAX);
  const rows = new Map((await candidateRows(db, ids)).map((row) => [row.transactionId, row]));
  const candidates = ids.flatMap((id) => {
    const row = rows.get(id);
    return row === undefined ? [] : [candidate(db, row, receipt, found.get(id) ?? null)];
  });
  return await Promise.all(candidates);
}

/** The effect of assigning a receipt to a transaction. Throws NOT_FOUND, or Refusal without such a transaction. */
export async function previewAssign(
  { db }: Pick<Deps, 'db'>,
  { receiptId, transactionId }: { receiptId: Id<'rcp'>; transactionId: Id<'tx'> },
): Promise<Candidate> {
  const receipt = await caseRow(db.read, receiptId, { viewer: null });
  if (receipt === undefined) throw notFound();
  const [row] = await candidateRows(db.read, [transactionId]);
  if (row === undefined) {
    throw new Refusal('case_no_transaction', `there is no transaction ${transactionId}`, {
      transactionId,
    });
  }
  return await candidate(db.read, row, receipt, null);
}

type Candidate = Awaited<ReturnType<typeof candidate>>;

/** A transaction that a receipt can be assigned to, and the result: `paid`, `held`, or `none` for no change. */
async function candidate(
  db: Queryable,
  { merchant_id, session_id, name, hold, held, ...row }: Awaited<ReturnType<typeof candidateRows>>[number],
  receipt: CaseRow,
  likeness: Likeness | null,
) {
  const state = { status: row.status, held, amount_cents: row.amountCents };
  const decision = receiptDecision(state, receipt.amount_cents, hold === 1);
  const isAgain = await hasSettledOther(db, { id: row.transactionId, session_id, merchant_id });
  return {
    ...row,
    held: held === 1,
    merchant: { id: merchant_id, name },
    likeness,
    ...(isAgain && decision.settlement !== 'none' ? paidAgain(decision) : decision),
  };
}
