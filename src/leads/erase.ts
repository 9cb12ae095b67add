import { recordAudit } from '../audit/store.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { stepErasure } from './erasure-steps.ts';
import {
  blankLead,
  type ErasureState,
  erasureState,
  findErasure,
  findLead,
  insertErasure,
  updateErasure,
} from './erasure-store.ts';
import type { Person } from './scrub.ts';

/** How long the steps made here may take before the background goes on with what is left. */
const LEASE_MS = 60_000;
/** Steps made before the answer; the rest is the background's. */
const STEPS_INLINE_MAX = 20;

export type EraseDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>;

/** How far an erasure is. `waiting`: all is blanked, and blanked again once payments under way are over. */
export interface ErasureView {
  leadId: Id<'led'>;
  state: ErasureState;
  startedAt: number;
  /** Transactions blanked, and those that are not yet. */
  transactionsDone: number;
  transactionsLeft: number;
}

/**
 * Erases a person from the books of one merchant: the lead at once, then its transactions in bounded steps, the first
 * of them here and the rest in the background. Amounts, states and ids stay, and payments under way go on. Once begun
 * it cannot be undone; again, it tells how far it is. Throws OperatorError when there is no such lead.
 */
export async function eraseLead(deps: EraseDeps, leadId: Id<'led'>): Promise<ErasureView> {
  const person = await deps.db.unit((tx) => begin(tx, deps, leadId));
  if (person !== null) {
    for (let steps = 0; steps < STEPS_INLINE_MAX; steps++) {
      if (!(await stepErasure(deps, leadId, person))) break;
    }
    // What is left is due at once, for whoever goes on with it.
    await deps.db.unit(async (tx) => {
      const erasure = await findErasure(tx, leadId);
      if (erasure !== undefined && erasure.cursor !== null && erasure.finished_at === null) {
        await updateErasure(tx, leadId, { due_at: deps.clock.now() });
      }
    });
  }
  return viewErasure(deps, leadId);
}

/** How far the erasure of a lead is. Throws OperatorError when it was never begun. */
export async function viewErasure(deps: Pick<Deps, 'db'>, leadId: Id<'led'>): Promise<ErasureView> {
  const erasure = await findErasure(deps.db.read, leadId);
  if (erasure === undefined) throw new OperatorError(`the lead ${leadId} has not been erased`);
  return {
    leadId,
    state: erasureState(erasure),
    startedAt: Number(erasure.started_at),
    transactionsDone: erasure.done_count,
    transactionsLeft: erasure.left_count,
  };
}

/** Blanks the lead, so that no further order joins it, and plans the rest. Null when that was done before. */
async function begin(tx: Tx, deps: EraseDeps, leadId: Id<'led'>): Promise<Person | null> {
  const lead = await findLead(tx, leadId);
  if (lead === undefined) throw new OperatorError(`there is no lead ${leadId}`);
  if (!(await blankLead(tx, leadId))) return null;
  const now = deps.clock.now();
  await insertErasure(tx, {
    lead_id: leadId,
    merchant_id: lead.merchant_id,
    started_at: now,
    cursor: '',
    left_count: lead.orders_count,
    done_count: 0,
    due_at: now + LEASE_MS,
    finished_at: null,
  });
  await recordAudit(tx, deps, {
    action: 'lead.erased',
    merchantId: lead.merchant_id,
    target: leadId,
    details: { orders: lead.orders_count, paid: lead.paid_count },
  });
  return { name: lead.name, email: lead.email, phone: lead.phone };
}
