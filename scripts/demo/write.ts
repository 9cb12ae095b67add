import Sqlite from 'better-sqlite3';
import type { Insertable } from 'kysely';
import type { Tables } from '../../src/db/tables/tables.ts';
import { lisbonDay } from '../../src/kernel/lisbon.ts';

const ROWS_A_TURN = 4000;
const PAID =
  "select min(created_at) from events e where e.merchant_id = merchants.id and kind = 'payment.success'";
/** When a shop called the API: with each init and each method step. */
const CALLS =
  'select merchant_id, created_at from transactions union all select merchant_id, created_at from attempts';
const DERIVED = [
  `update merchants set first_paid_at = (${PAID})`,
  'insert into event_counters (merchant_id, last_sequence) select merchant_id, max(sequence) from events group by 1',
  `insert into daily_totals (merchant_id, day, created_count, created_cents, ended_count, ended_cents)
   select merchant_id, day, sum(created), sum(created * cents), sum(ended), sum(ended * cents) from (
     select merchant_id, lisbon_day(created_at) as day, amount_cents as cents, 1 as created, 0 as ended from transactions
     union all select t.merchant_id, lisbon_day(min(e.created_at)), t.amount_cents, 0, 1
       from transactions t join events e on e.transaction_id = t.id group by t.id)
   group by 1, 2`,
  `insert into daily_method_totals (merchant_id, day, method, attempts_count, paid_count, paid_cents)
   select merchant_id, day, method, sum(attempt), sum(1 - attempt), sum((1 - attempt) * cents) from (
     select merchant_id, lisbon_day(created_at) as day, method, 1 as attempt, 0 as cents from attempts
     union all select t.merchant_id, lisbon_day(e.created_at), t.paid_method, 0, t.amount_cents
       from events e join transactions t on t.id = e.transaction_id where e.kind = 'payment.success')
   group by 1, 2, 3`,
  `update leads set (paid_count, paid_cents) = (
     select count(*), coalesce(sum(amount_cents), 0) from transactions t where t.lead_id = leads.id and status = 'paid')`,
];
const KEY_USE = `update api_keys set last_used_at = (select max(created_at) from (${CALLS}) c where c.merchant_id = api_keys.merchant_id
  and c.created_at >= api_keys.created_at and c.created_at < coalesce(api_keys.expires_at, 9e15))`;

/** Inserts many rows without waiting for the disk. */
export class Writer {
  readonly #file: Sqlite.Database;

  constructor(file: string) {
    this.#file = new Sqlite(file);
    this.#file.pragma('journal_mode = WAL');
    this.#file.pragma('synchronous = OFF');
    this.#file.pragma('foreign_keys = ON');
  }

  /** Inserts rows with equal columns; reports progress every few thousand rows. */
  insert<K extends keyof Tables & string>(
    table: K,
    rows: readonly Insertable<Tables[K]>[],
    progress: (done: number) => void = () => {},
  ): void {
    const [first] = rows;
    if (first === undefined) return;
    const columns = Object.keys(first);
    const statement = this.#file.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((name) => `@${name}`).join(', ')})`,
    );
    const insertAll = this.#file.transaction((some: readonly object[]) => {
      for (const row of some) statement.run(row);
    });
    for (let from = 0; from < rows.length; from += ROWS_A_TURN) {
      const some = rows.slice(from, from + ROWS_A_TURN);
      insertAll(some);
      progress(some.length);
    }
  }

  /** Derives the totals, counters and times that the service maintains. */
  derive(): void {
    this.#file.function('lisbon_day', { deterministic: true }, (at) => lisbonDay(Number(at)));
    for (const statement of DERIVED) this.#file.exec(statement);
  }

  /** Collects statistics for the query planner, empties the log and closes the file. */
  close(): void {
    this.#file.exec('analyze');
    this.#file.pragma('wal_checkpoint(TRUNCATE)');
    this.#file.close();
  }
}

/** Sets when each API key was last used. Runs after keys were rolled. */
export function setKeyUse(file: string): void {
  const handle = new Sqlite(file);
  handle.exec(KEY_USE);
  handle.close();
}
