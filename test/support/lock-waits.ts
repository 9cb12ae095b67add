import { sql } from 'kysely';
import type { Database, Tx } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import { until } from './until.ts';

/** Whether a statement, or at least this many, waits for a lock in this PostgreSQL database. */
export async function isAnyWaiting({ read }: Database, count = 1): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(read);
  return rows.length >= count;
}

/** Runs `work` in a transaction that stays open. Resolves to a function that commits it. */
export async function holdTransaction(
  db: Pick<Database, 'unit'>,
  work: (tx: Tx) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const [worked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const unit = db.unit(async (tx) => {
    await work(tx);
    worked.resolve();
    await ended.promise;
  });
  await Promise.race([worked.promise, unit]);
  return () => {
    ended.resolve();
    return unit;
  };
}

/** Runs `first` in a transaction that commits once `second` waits for it or has ended. Throws what either throws. */
export async function race(
  deps: Deps,
  first: (by: Deps) => Promise<unknown>,
  second: (by: Deps) => Promise<unknown>,
): Promise<void> {
  const [written, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const unit: Deps['db']['unit'] = (work) =>
    deps.db.unit(async (tx) => {
      const value = await work(tx);
      written.resolve();
      await ended.promise;
      return value;
    });
  const one = first({ ...deps, db: Object.create(deps.db, { unit: { value: unit } }) });
  await Promise.race([written.promise, one]);
  let isDone = false;
  const two = second(deps).finally(() => {
    isDone = true;
  });
  two.catch(() => {});
  await until(async () => isDone || isAnyWaiting(deps.db));
  ended.resolve();
  await one;
  await two;
}
