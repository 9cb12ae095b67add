import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { ofMerchant } from '../db/of-merchant.ts';
import type { Id } from '../kernel/ids.ts';

/** Erases the endpoint's responses to a transaction's deliveries. Resolves to whether a delivery is still due. */
export async function eraseResponses(
  tx: Tx,
  transaction: { id: Id<'tx'>; merchant_id: Id<'mer'> },
): Promise<boolean> {
  await tx
    .updateTable('delivery_attempts')
    .set({ response: null })
    .where('delivery_id', 'in', (eb) =>
      eb
        .selectFrom('deliveries')
        .select('deliveries.id')
        .where('deliveries.transaction_id', '=', transaction.id)
        .where(ofMerchant(tx, transaction.merchant_id, 'deliveries.merchant_id')),
    )
    .where('response', 'is not', null)
    .execute();
  const due = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('transaction_id', '=', transaction.id)
    .where(ofMerchant(tx, transaction.merchant_id))
    // A literal, because a partial index covers due deliveries only.
    .where('state', '=', sql.lit('due' as const))
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}
