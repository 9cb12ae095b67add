import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { Id } from '../kernel/ids.ts';

/** Erases the endpoint's responses to a transaction's deliveries. Resolves to whether a delivery is still due. */
export async function eraseResponses(tx: Tx, transactionId: Id<'tx'>): Promise<boolean> {
  await tx
    .updateTable('delivery_attempts')
    .set({ response: null })
    .where('delivery_id', 'in', (eb) =>
      eb
        .selectFrom('deliveries')
        .select('deliveries.id')
        .where('deliveries.transaction_id', '=', transactionId),
    )
    .where('response', 'is not', null)
    .execute();
  const due = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('transaction_id', '=', transactionId)
    // A literal, because a partial index covers due deliveries only.
    .where('state', '=', sql.lit('due' as const))
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}
