import { type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../../db/database.ts';
import { queryByIds, queryWithRows } from '../../db/list-queries.ts';
import { ofMerchant } from '../../db/of-merchant.ts';
import { namesOf, recordset, selectRecords } from '../../db/recordset.ts';
import type { DeliveryAttemptTable } from '../../db/tables/webhooks.ts';
import type { Id } from '../../kernel/ids.ts';
import type { OwnDelivery, Sendable } from './store.ts';

type AttemptRow = Selectable<DeliveryAttemptTable>;

const BEGUN_COLUMNS = {
  delivery_id: 'text',
  merchant_id: 'text',
  number: 'bigint',
  started_at: 'bigint',
} as const;
const OUTCOME_COLUMNS = {
  duration_ms: 'bigint',
  status: 'bigint',
  error: 'text',
  error_detail: 'text',
  response: 'text',
} as const;
const ENDED_COLUMNS = {
  delivery_id: 'text',
  merchant_id: 'text',
  number: 'bigint',
  ...OUTCOME_COLUMNS,
} as const;

/** Inserts attempts without an outcome. */
export const beginAttempts = queryWithRows<Pick<AttemptRow, keyof typeof BEGUN_COLUMNS>, unknown>(
  (db, records) =>
    db
      .insertInto('delivery_attempts')
      .columns(namesOf(BEGUN_COLUMNS))
      .expression(selectRecords(db, records, BEGUN_COLUMNS)),
);

export const endAttempts = queryWithRows<Omit<AttemptRow, 'started_at'>, unknown>((db, records) => {
  return db
    .updateTable('delivery_attempts')
    .from(sql<AttemptRow>`(select * from ${recordset(db, records, ENDED_COLUMNS)})`.as<'given'>(sql`given`))
    .set(Object.fromEntries(namesOf(OUTCOME_COLUMNS).map((name) => [name, sql.ref(`given.${name}`)])))
    .whereRef('delivery_attempts.delivery_id', '=', 'given.delivery_id')
    .whereRef('delivery_attempts.number', '=', 'given.number')
    .whereRef('delivery_attempts.merchant_id', '=', 'given.merchant_id');
});

/** Writes why the last attempt of a delivery has no outcome. */
export async function markInterrupted(
  tx: Tx,
  delivery: Pick<Sendable, 'id' | 'merchant_id' | 'attempts_count'>,
  error: string,
): Promise<void> {
  await tx
    .updateTable('delivery_attempts')
    .set({ error })
    .where('delivery_id', '=', delivery.id)
    .where(ofMerchant(tx, delivery.merchant_id))
    .where('number', '=', delivery.attempts_count)
    .where('duration_ms', 'is', null)
    .execute();
}

/** Deletes an attempt that was never sent. */
export async function deleteAttempt(tx: Tx, delivery: OwnDelivery, number: number): Promise<void> {
  await tx
    .deleteFrom('delivery_attempts')
    .where('delivery_id', '=', delivery.id)
    .where(ofMerchant(tx, delivery.merchant_id))
    .where('number', '=', number)
    .execute();
}

/** Counts the attempts of each delivery that have no outcome because of a crash. */
export async function countInterrupted(
  db: Queryable,
  deliveries: readonly OwnDelivery[],
): Promise<ReadonlyMap<Id<'dlv'>, number>> {
  const rows = await interrupted(db, deliveries, {});
  return new Map(rows.map((row) => [row.delivery_id, Number(row.n)]));
}

const interrupted = queryByIds((db, isListed) =>
  db
    .selectFrom('delivery_attempts')
    .select((eb) => ['delivery_id', eb.fn.countAll<number>().as('n')])
    .where(isListed('delivery_id', 'merchant_id'))
    .where('duration_ms', 'is', null)
    .groupBy('delivery_id'),
);
