import { sql } from 'kysely';
import type { Database, Queryable, Tx } from '../../db/database.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { countRows, placeOf, readBatch, weigh, writeBatch } from './batches.ts';
import { beginMove } from './begin.ts';
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts';
import { type CopyState, readMoved, writeCopyState, writeMoved } from './move.ts';
import type { Source } from './source.ts';
import { addRows, NO_SUMS, type Sums, sameSums } from './sums.ts';

/** A batch is one unit: it begins small and grows or shrinks towards its weight. */
const BATCH_ROWS = { first: 200, min: 10, max: 5000 };
const BATCH_CHARACTERS = 1_000_000;

/** Of the installation, and not of the database that it lives in. */
const STAYS = ['schema_version', 'schema_known_min', 'moved', 'copy'] as const;

export interface Progress {
  doing: 'copying' | 'comparing';
  table: string;
  rows: number;
  of: number;
}

export interface CopyOptions {
  /** How the target is named to people. */
  to: string;
  onProgress(progress: Progress): void;
  /** Runs in the unit that completes the target, when every row is the same: for what must not arrive as it was. */
  finish(tx: Tx): Promise<void>;
}

export interface CopiedRows {
  table: string;
  rows: number;
  /** Sum of the table's columns of money; left out where it has none. */
  cents?: number;
}

/**
 * Copies every row of `source` into `target`, batch by batch with its place in one unit, so that a copy that was cut goes on
 * with the next row. Then reads all of the target and compares numbers, sums of money and hashes; only when they agree is
 * the target complete and the source closed for good. Throws OperatorError.
 */
export async function copyDatabase(
  source: Source,
  target: Database,
  options: CopyOptions,
): Promise<CopiedRows[]> {
  let state = await beginMove(source, target, options.to);
  for (const table of COPIED_TABLES) state = await copyTable(source, target, table, state, options);
  for (const table of COPIED_TABLES) await compareTable(target, table, sumsOf(state, table), options);
  await complete(source, target, options);
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
  for (let limit = BATCH_ROWS.first; !place.complete; ) {
    const rows = await readBatch(source.db, table, place.after, limit);
    const last = rows.at(-1);
    place = {
      ...addRows(table, place, rows),
      after: last === undefined ? place.after : placeOf(table, last),
      complete: rows.length < limit,
    };
    state = { ...state, tables: { ...state.tables, [table.name]: place } };
    const next = state;
    await target.unit(async (tx) => {
      await writeBatch(tx, table, rows);
      await writeCopyState(tx, next);
    });
    limit = nextLimit(limit, weigh(rows));
    onProgress({ doing: 'copying', table: table.name, rows: place.rows, of });
  }
  return state;
}

function nextLimit(limit: number, weight: number): number {
  const wanted = Math.floor((limit * BATCH_CHARACTERS) / Math.max(1, weight));
  // Not at one bound: rows of one table differ.
  return Math.min(BATCH_ROWS.max, limit * 4, Math.max(BATCH_ROWS.min, wanted));
}

/** Throws OperatorError when the target's rows do not come to what was read from the source. */
async function compareTable(
  target: Database,
  table: CopiedTable,
  wanted: Sums,
  { onProgress }: CopyOptions,
): Promise<void> {
  let found = NO_SUMS;
  let after = null;
  for (let limit = BATCH_ROWS.first, more = true; more; ) {
    const rows = await readBatch(target.read, table, after, limit);
    found = addRows(table, found, rows);
    const last = rows.at(-1);
    more = last !== undefined && rows.length === limit;
    if (last !== undefined) after = placeOf(table, last);
    limit = nextLimit(limit, weigh(rows));
    onProgress({ doing: 'comparing', table: table.name, rows: found.rows, of: wanted.rows });
  }
  if (sameSums(wanted, found)) return;
  throw new OperatorError(
    `--to: ${table.name} differs: ${tell(found)} in place of ${tell(wanted)}; give the move up with "copy --from URL --undo" and begin again with a new database`,
  );
}

function tell({ rows, cents, checksum }: Sums): string {
  return `${rows} rows, ${cents} cents, checksum ${checksum.toString(16)}`;
}

async function complete(source: Source, target: Database, { finish }: CopyOptions): Promise<void> {
  const moved = await readMoved(source.db);
  // The source first: a cut in between leaves no database that can be served, and the next run ends what is left.
  if (moved !== null) await source.write((tx) => writeMoved(tx, { ...moved, complete: true }));
  const facts = await source.db.selectFrom('meta').selectAll().where('key', 'not in', STAYS).execute();
  await target.unit(async (tx) => {
    await finish(tx);
    if (facts.length > 0) await tx.insertInto('meta').values(facts).execute();
    await tx.deleteFrom('meta').where('key', '=', 'copy').execute();
  });
  if (target.engine === 'postgres') await analyse(target.read);
}

/** The planner knows nothing of tables that were just filled, until the server looks at them by itself, minutes later. */
async function analyse(db: Queryable): Promise<void> {
  for (const { name } of COPIED_TABLES) await sql`analyze ${sql.table(name)}`.execute(db).catch(() => {});
}
