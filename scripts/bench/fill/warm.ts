import Sqlite from 'better-sqlite3';
import { BenchError } from '../contest.ts';
import { progress } from '../progress.ts';
import type { Keeper } from './keep.ts';

/**
 * Indexes by what people and banks choose, each with its table and a column: the next entry may belong anywhere in them. They have
 * 3 GB at ten million payments, which a service that runs has in memory; after the database was filled other pages are there. Read
 * from the disk, they took half of the inits 0.4 ms longer, and the slowest hundredth twice as long.
 */
const CHOSEN = [
  ['leads', 'sqlite_autoindex_leads_2', 'identity'],
  ['leads', 'leads_name_key', 'name_key'],
  ['leads', 'leads_phone_key', 'phone_key'],
  ['attempts', 'sqlite_autoindex_attempts_2', 'bank_order_id'],
  ['attempts', 'attempts_request', 'request_id'],
  ['attempts', 'attempts_phone', 'phone_number'],
  ['receipts', 'sqlite_autoindex_receipts_2', 'identity'],
  ['bank_hints', 'sqlite_autoindex_bank_hints_2', 'identity'],
  ['bank_hints', 'bank_hints_order', 'bank_order_id'],
] as const;

/** The system lets go first of what was read only once; read again in use, as here, it stays. */
const TIMES = 2;

/** Reads the pages that a service which has filled this database itself would have in memory, and has them kept. */
export async function warm(file: string, keeper: Keeper): Promise<void> {
  progress('growth: reading the indexes that a service which runs has in memory');
  const handle = new Sqlite(file, { readonly: true });
  for (const [table, index, column] of CHOSEN) {
    // Without a condition SQLite counts in the smallest index of the table, whichever is named.
    const count = `select count(*) from ${table} indexed by ${index} where ${column} is not null`;
    requireIn(index, handle, count);
    for (let time = 0; time < TIMES; time++) {
      handle.prepare(count).get();
      await keeper.keep();
    }
  }
  handle.close();
}

function requireIn(index: string, handle: Sqlite.Database, query: string): void {
  const [step] = handle.prepare<[], { detail: string }>(`explain query plan ${query}`).all();
  if (!step?.detail.split(' ').includes(index)) throw new BenchError(`${query}: reads ${step?.detail}`);
}
