import { recordAudit } from '../audit/store.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { isErased, recordLead, recordLeadPaid } from '../leads/record.ts';
import { blankLead, erasureState, findLead } from '../leads/store.ts';
import { assignLead } from '../payments/erasure-store.ts';
import { wasSessionPaid } from '../payments/session-store.ts';
import { lockTransaction } from '../payments/store.ts';
import { refreshSearch } from '../search/indexer.ts';
import { eraseBatch, stepErasure } from './step.ts';
import { findErasure, insertErasure, updateErasure } from './store.ts';

/** How long the caller has for its own steps before the periodic job takes over. */
const LEASE_MS = 60_000;
/** Steps run before the call returns; the periodic job runs the rest. */
const STEPS_INLINE_MAX = 20;

/**
 * Erases a person from one merchant's records: the lead immediately, its transactions in bounded steps. A transaction without a
 * lead is erased under one of its own, with the others of its checkout session. Amounts, states and ids stay, and open payments
 * continue. An erasure cannot be undone; a repeated call returns its progress. Throws OperatorError when there is no such lead, or
 * when the transaction has one.
 */
export async function eraseLead(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>,
  id: Id<'led'> | Id<'tx'>,
) {
  const { leadId, begun } = await deps.db.unit(async (tx) => {
    const leadId = isTransaction(id) ? await leadOfTransaction(tx, deps, id) : id;
    return { leadId, begun: await begin(tx, deps, leadId) };
  });
  if (begun !== null) {
    const { key, person } = begun;
    for (let steps = 0; steps < STEPS_INLINE_MAX; steps++) {
      if (!(await stepErasure(deps, key, person))) break;
    }
    await deps.db.unit(async (tx) => {
      const erasure = await findErasure(tx, leadId, key.merchant_id);
      if (erasure !== undefined && erasure.cursor !== null && erasure.finished_at === null) {
        await updateErasure(tx, key, { due_at: deps.clock.now() });
      }
    });
  }
  await deps.db.emptyLog();
  return viewErasure(deps, leadId);
}

/** Returns the progress of an erasure. Throws OperatorError when none was started. */
export async function viewErasure(deps: Pick<Deps, 'db'>, leadId: Id<'led'>) {
  const erasure = await findErasure(deps.db.read, leadId);
  if (erasure === undefined) throw new OperatorError(`the lead ${leadId} has not been erased`);
  return {
    leadId,
    state: erasureState(erasure),
    startedAt: erasure.started_at,
    transactionsDone: erasure.done_count,
    transactionsLeft: erasure.left_count,
  };
}

const isTransaction = (id: Id<'led'> | Id<'tx'>): id is Id<'tx'> => id.startsWith('tx_');

/** Creates the lead of an order that has none, for its erasure. Throws OperatorError when its lead is not erased. */
async function leadOfTransaction(tx: Tx, deps: Pick<Deps, 'ids'>, id: Id<'tx'>): Promise<Id<'led'>> {
  const transaction = await lockTransaction(tx, id);
  if (transaction === undefined) throw new OperatorError(`there is no transaction ${id}`);
  const { lead_id: known, merchant_id, created_at: at, amount_cents } = transaction;
  if (known !== null) {
    if (await isErased(tx, transaction)) return known;
    throw new OperatorError(
      `the transaction ${id} belongs to a lead, whose orders are erased together: run "lead erase ${known}"`,
    );
  }
  const person = { email: null, phone: null, name: null, items: null, tracking: null, campaign: null };
  const order = { first_seen_at: at, last_seen_at: at, orders_count: 1, asked_cents: amount_cents };
  const leadId = deps.ids('led');
  await recordLead(tx, { id: leadId, merchant_id, identity: `transaction:${id}`, ...person, ...order });
  await assignLead(tx, transaction, leadId);
  // Locks the session, after its transactions as everywhere.
  const isPaid = (await wasSessionPaid(tx, transaction)) || transaction.status === 'paid';
  if (isPaid) await recordLeadPaid(tx, transaction, leadId);
  // The next transaction, if a shopper made it before the session was locked.
  await assignLead(tx, transaction, leadId);
  return leadId;
}

/**
 * Erases the lead, so that no further order is added to it, with its first transactions: a crash would lose its name, which a note
 * on them can quote. Null when it is already erased.
 */
async function begin(tx: Tx, deps: Pick<Deps, 'clock' | 'ids' | 'actor'>, leadId: Id<'led'>) {
  const lead = await findLead(tx, leadId);
  if (lead === undefined) throw new OperatorError(`there is no lead ${leadId}`);
  if (!(await blankLead(tx, lead))) return null;
  await refreshSearch(tx, 'led', [leadId]);
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
  const key = { lead_id: leadId, merchant_id: lead.merchant_id };
  const person = { name: lead.name, email: lead.email, phone: lead.phone };
  await eraseBatch(tx, deps, key, person);
  return { key, person };
}
