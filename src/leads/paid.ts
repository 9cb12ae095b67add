import type { Tx } from '../db/database.ts';
import type { Id } from '../kernel/ids.ts';
import type { Cents } from '../kernel/money.ts';
import { addPaid } from './store.ts';

/** Counts one order of the lead as paid, in the caller's unit: the one that makes its transaction paid. */
export async function recordLeadPaid(tx: Tx, leadId: Id<'led'>, amount: Cents): Promise<void> {
  const counted = await addPaid(tx, leadId, amount);
  if (counted !== 1) throw new Error(`lead ${leadId} is not in the register`);
}
