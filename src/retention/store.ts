import type { Tx } from '../db/database.ts';
import type { RetentionKey } from '../db/meta.ts';
import { hasRowLocks } from '../db/row-locks.ts';
import { type Id, idFloor } from '../kernel/ids.ts';

/**
 * Looked at by one statement: small enough that a step can stop in time. The keys of callbacks and answers are not in the
 * order of their age, so that each row is on a page of its own, which in a file larger than the memory is read from the disk:
 * 200 callbacks took 7 to 27 ms, where 50 deliveries took 0.2.
 */
const DELIVERIES_LOOKED_AT = 50;
const LOOKED_AT = 20;
/** Where nobody waits for a unit, what counts is the trip to the server. */
const LOOKED_AT_ELSEWHERE = 200;

/** What one batch did: the rows that went, and the id to go on after; null when nothing old is left beyond it. */
export interface Batch {
  rows: number;
  after: string | null;
}

/**
 * Forgets the attempts of deliveries that ended at `before` or earlier, all attempts of a delivery together. Ids sort by time, so that
 * the key of the table leads to the oldest. A delivery that is still due keeps its attempts, however old they are.
 */
export async function pruneDeliveryAttempts(tx: Tx, before: number, after: string): Promise<Batch> {
  const old = await tx
    .selectFrom('delivery_attempts')
    .select('delivery_id')
    .distinct()
    .where('delivery_id', '>', after as Id<'dlv'>)
    .where('delivery_id', '<', idFloor('dlv', before))
    .orderBy('delivery_id')
    .limit(DELIVERIES_LOOKED_AT)
    .execute();
  if (old.length === 0) return { rows: 0, after: null };
  const ids = old.map((row) => row.delivery_id);
  const ended = tx
    .selectFrom('deliveries')
    .select('id')
    .where('id', 'in', ids)
    .where('state', '!=', 'due')
    .where('finished_at', '<=', before);
  const { numDeletedRows } = await tx
    .deleteFrom('delivery_attempts')
    .where('delivery_id', 'in', ended)
    .executeTakeFirst();
  return {
    rows: Number(numDeletedRows),
    after: ids.length < DELIVERIES_LOOKED_AT ? null : (ids.at(-1) ?? null),
  };
}

/** Forgets the answers kept under idempotency keys at `before` or earlier. */
export async function pruneAnswers(tx: Tx, before: number): Promise<Batch> {
  const old = tx
    .selectFrom('idempotency')
    .select(['merchant_id', 'key'])
    .where('created_at', '<=', before)
    .orderBy('created_at')
    .limit(lookedAt(tx));
  const { numDeletedRows } = await tx
    .deleteFrom('idempotency')
    .where(({ eb, refTuple }) => eb(refTuple('merchant_id', 'key'), 'in', old.$asTuple('merchant_id', 'key')))
    // Said again: a key that was used anew meanwhile is new.
    .where('created_at', '<=', before)
    .executeTakeFirst();
  const rows = Number(numDeletedRows);
  return { rows, after: rows < lookedAt(tx) ? null : '' };
}

/** Forgets what the bank called back at `before` or earlier and nothing waits for any more. */
export async function pruneHints(tx: Tx, before: number, after: string): Promise<Batch> {
  const old = await tx
    .selectFrom('bank_hints')
    .select('id')
    .where('id', '>', after as Id<'hnt'>)
    .where('id', '<', idFloor('hnt', before))
    .orderBy('id')
    .limit(lookedAt(tx))
    .execute();
  if (old.length === 0) return { rows: 0, after: null };
  const ids = old.map((row) => row.id);
  const { numDeletedRows } = await tx
    .deleteFrom('bank_hints')
    .where('id', 'in', ids)
    .where('check_at', 'is', null)
    // One that came again lives on from then.
    .where('received_at', '<=', before)
    .executeTakeFirst();
  return { rows: Number(numDeletedRows), after: ids.length < lookedAt(tx) ? null : (ids.at(-1) ?? null) };
}

function lookedAt(tx: Tx): number {
  return hasRowLocks(tx) ? LOOKED_AT_ELSEWHERE : LOOKED_AT;
}

/** Moves the place on, from none at all when `from` is null, unless another process has; false when it has. */
export async function movePlace(
  tx: Tx,
  key: RetentionKey,
  from: string | null,
  to: string,
): Promise<boolean> {
  if (from === null) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('meta')
      .values({ key, value: to })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }
  const { numUpdatedRows } = await tx
    .updateTable('meta')
    .set({ value: to })
    .where('key', '=', key)
    .where('value', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
