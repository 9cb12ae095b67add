import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** Returns the last sequence number of each of these merchants; a merchant without events is left out. */
export async function lastNumbersOf(
  db: Queryable,
  merchantIds: readonly Id<'mer'>[],
): Promise<Map<Id<'mer'>, number>> {
  const rows = await db
    .selectFrom('event_counters')
    .select(['merchant_id', 'last_sequence'])
    .where('merchant_id', 'in', merchantIds)
    .execute();
  return new Map(rows.map((row) => [row.merchant_id, row.last_sequence]));
}

/** Returns the sequence number of an event: null while it has none, undefined when the merchant has no such event. */
export async function numberOfEvent(
  db: Queryable,
  merchantId: Id<'mer'>,
  eventId: string,
): Promise<number | null | undefined> {
  const row = await db
    .selectFrom('events')
    .select('sequence')
    .where('id', '=', eventId as Id<'evt'>)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return row.sequence;
}

/** Returns the encrypted secrets that sign this merchant's deliveries; undefined when it does not exist. */
export async function encryptedSecretsOf(db: Queryable, merchantId: Id<'mer'>) {
  return await db
    .selectFrom('merchants')
    .select(['webhook_secret', 'previous_webhook_secret', 'previous_secret_until'])
    .where('id', '=', merchantId)
    .executeTakeFirst();
}
