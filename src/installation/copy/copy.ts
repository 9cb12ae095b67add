import type { Database, Queryable, Tx } from '../../db/database.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { beginMove } from './begin.ts';
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts';
import { type CopyState, readMoved, writeCopyState, writeMoved } from './move.ts';
import type { Source } from './source-store.ts';
import {
  analyse,
  copyFacts,
  countRows,
  type Place,
  placeOf,
  readBatch,
  readFacts,
  weigh,
  writeBatch,
} from './store.ts';
import { addRows, NO_SUMS, type Sums, sameSums } from './sums.ts';

/** One batch is one transaction; its number of rows adapts to their size. */
const BATCH_ROWS = { first: 200, min: 10, max: 5000 };
const BATCH_CHARACTERS = 1_000_000;

interface CopyOptions {
  /** The target's name in messages. */
  to: string;
  onProgress(progress: { doing: 'copying' | 'comparing'; table: string; rows: number; of: number }): void;
  /** Runs in the transaction that completes the target, for changes that the move requires. */
  finish(tx: Tx): Promise<void>;
}

/**
 * Copies every row of `source` into `target`, each batch with its position in one transaction, so that an interrupted copy
 * continues with the next row. Then compares row counts, sums and checksums of the target; only when they agree is the target
 * complete and the source closed. Throws OperatorError.
 */
export async function copyDatabase(source: Source, target: Database, options: CopyOptions) {
  let state = await beginMove(source, target, options.to);
  for (const table of COPIED_TABLES) state = await copyTable(source, target, table, state, options);
  for (const table of COPIED_TABLES) await compareTable(target, table, sumsOf(state, table), options);
  await complete(source, target, state.token, options);
  return COPIED_TABLES.map((table) => {
    const { rows, cents } = sumsOf(state, table);
    return { table: table.name, rows, ...(table.cents && { cents }) };
  });
}

function sumsOf(state: CopyState, { name }: CopiedTable): Sums {
  return state.tables[name] ?? NO_SUMS;
}

async function copyTable(
  source: Source,
  target: Database,
  table: CopiedTable,
  begun: CopyState,
  { onProgress }: CopyOptions,
): Promise<CopyState> {
  let state = begun;
  let place = state.tables[table.name] ?? { ...NO_SUMS, after: null, complete: false };
  if (place.complete) return state;
  const of = await countRows(source.db, table);
  for await (const { rows, after, complete } of batchesOf(source.db, table, place.after)) {
    place = { ...addRows(table, place, rows), after, complete };
    state = { ...state, tables: { ...state.tables, [table.name]: place } };
    const next = state;
    await target.unit(async (tx) => {
      await writeBatch(tx, table, rows);
      await writeCopyState(tx, next);
    });
    onProgress({ doing: 'copying', table: table.name, rows: place.rows, of });
  }
  return state;
}

/** Reads the rows of a table after the place `from` in batches of about the same size; the last batch is `complete`. */
async function* batchesOf(db: Queryable, table: CopiedTable, from: Place | null) {
  let after = from;
  for (let limit = BATCH_ROWS.first, complete = false; !complete; ) {
    const rows = await readBatch(db, table, after, limit);
    const last = rows.at(-1);
    after = last === undefined ? after : placeOf(table, last);
    complete = rows.length < limit;
    yield { rows, after, complete };
    limit = nextLimit(limit, weigh(rows));
  }
}

function nextLimit(limit: number, weight: number): number {
  const wanted = Math.floor((limit * BATCH_CHARACTERS) / Math.max(1, weight));
  return Math.min(BATCH_ROWS.max, limit * 4, Math.max(BATCH_ROWS.min, wanted));
}

/** Throws OperatorError when the target's totals differ from those of the source. */
async function compareTable(target: Database, table: CopiedTable, wanted: Sums, { onProgress }: CopyOptions) {
  let found = NO_SUMS;
  for await (const { rows } of batchesOf(target.read, table, null)) {
    found = addRows(table, found, rows);
    onProgress({ doing: 'comparing', table: table.name, rows: found.rows, of: wanted.rows });
  }
  if (sameSums(wanted, found)) return;
  throw new OperatorError(
    `--to: ${table.name} differs: ${describe(found)} in place of ${describe(wanted)}; undo the move with "copy --from URL --undo" and start again with a new database`,
  );
}

function describe({ rows, cents, checksum }: Sums): string {
  return `${rows} rows, ${cents} cents, checksum ${checksum.toString(16)}`;
}

async function complete(
  source: Source,
  target: Database,
  token: string,
  { finish }: CopyOptions,
): Promise<void> {
  // The source first: after an interruption in between neither database can be served, and the next run completes the move.
  await source.write(async (tx) => {
    const moved = await readMoved(tx);
    if (moved?.token !== token)
      throw new OperatorError(
        '--from: the move was undone while it was being copied, and the copy cannot be used; delete it',
      );
    await writeMoved(tx, { ...moved, complete: true });
  });
  const facts = await readFacts(source.db);
  await target.unit(async (tx) => {
    await finish(tx);
    await copyFacts(tx, facts);
  });
  if (target.engine === 'postgres') await analyse(target.read);
}
