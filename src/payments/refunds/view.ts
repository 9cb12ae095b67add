import type { Selectable } from 'kysely';
import type { RefundHistoryTable, RefundState } from '../../db/tables/refunds.ts';
import { REFUND_STATES } from '../../db/tables/refunds.ts';
import type { Deps } from '../../deps.ts';
import type { Acquirer } from '../../kernel/acquirer.ts';
import { isoInstant } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { eurosFromCents } from '../../kernel/money.ts';
import type { Author } from '../exceptions/exception.ts';
import { ibanPlace } from './iban.ts';
import { RefundMissing } from './move.ts';
import { historyOf, type ListedRefundRow, listedRefund, refundPage } from './store.ts';

type ViewDeps = Pick<Deps, 'db' | 'box'>;

export const REFUND_PAGE_MAX = 1000;

/** A refund as a person sees it. Amounts in EUR, instants as on the wire. */
export interface RefundView {
  refundId: Id<'ref'>;
  receiptId: Id<'rcp'>;
  transactionId: Id<'tx'> | null;
  amount: number;
  state: RefundState;
  method: string | null;
  acquirer: Acquirer;
  reason: string | null;
  /** The last 4 characters. */
  iban: string | null;
  name: string | null;
  detail: string | null;
  retryOf: Id<'ref'> | null;
  createdAt: string;
  settledAt: string | null;
  exportedAt: string | null;
}

export interface ShownRefund extends RefundView {
  history: { at: string; state: RefundState; actor: string; note: string | null }[];
}

/** One refund with its journal. Throws RefundMissing, also for another merchant's refund. */
export async function showRefund(deps: ViewDeps, id: string, author: Author): Promise<ShownRefund> {
  const row = await listedRefund(deps.db.read, id);
  if (row === undefined || (author.merchantId !== null && row.merchant_id !== author.merchantId))
    throw new RefundMissing(id);
  return { ...refundView(deps, row), history: (await historyOf(deps.db.read, row.id)).map(historyLine) };
}

/** One page of refunds after the id `after`, oldest first. Throws OperatorError on an unknown state or a limit out of bounds. */
export async function listRefunds(
  deps: ViewDeps,
  page: {
    merchantId?: Id<'mer'> | undefined;
    state?: string | undefined;
    limit: number;
    after?: string | undefined;
  },
): Promise<RefundView[]> {
  const state = page.state === undefined ? null : REFUND_STATES.find((known) => known === page.state);
  if (state === undefined) throw new OperatorError(`--state must be one of ${REFUND_STATES.join(', ')}`);
  if (!Number.isInteger(page.limit) || page.limit < 1 || page.limit > REFUND_PAGE_MAX)
    throw new OperatorError(`--limit must be a whole number from 1 to ${REFUND_PAGE_MAX}`);
  const rows = await refundPage(deps.db.read, {
    ...{ merchantId: page.merchantId ?? null, state, after: page.after ?? '', limit: page.limit },
  });
  return rows.map((row) => refundView(deps, row));
}

function refundView({ box }: ViewDeps, row: ListedRefundRow): RefundView {
  return {
    refundId: row.id,
    receiptId: row.receipt_id,
    transactionId: row.transaction_id,
    amount: eurosFromCents(row.amount_cents),
    state: row.state,
    method: row.method,
    acquirer: row.acquirer,
    reason: row.reason,
    iban: row.iban === null ? null : box.open(row.iban, ibanPlace(row.id)).slice(-4),
    name: row.name,
    detail: row.detail,
    retryOf: row.retry_of,
    createdAt: isoInstant(row.created_at),
    settledAt: optionalInstant(row.settled_at),
    exportedAt: optionalInstant(row.exported_at),
  };
}

function historyLine({
  at,
  state,
  actor,
  note,
}: Selectable<RefundHistoryTable>): ShownRefund['history'][number] {
  return { at: isoInstant(at), state, actor, note };
}

function optionalInstant(instant: number | null): string | null {
  return instant === null ? null : isoInstant(instant);
}
