import type { Queryable, Tx } from '../../db/database.ts';
import { readMeta, writeMeta } from '../../db/meta.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Place } from './batches.ts';
import type { Sums } from './sums.ts';

/** Kept in a database whose installation is being moved, or was. */
export interface Moved {
  /** Of this move and no other; the target knows it. */
  token: string;
  /** The target, as people are told of it. */
  to: string;
  complete: boolean;
}

/** Kept in the target until it is complete: how far the copy is. */
export interface CopyState {
  token: string;
  /** What is copied so far, by table, with the key of the last row; null when the table is complete. */
  tables: Record<string, Sums & { after: Place | null; complete: boolean }>;
}

export async function readMoved(db: Queryable): Promise<Moved | null> {
  return parsed(await readMeta(db, 'moved'));
}

export async function writeMoved(tx: Tx, moved: Moved | null): Promise<void> {
  if (moved === null) await tx.deleteFrom('meta').where('key', '=', 'moved').execute();
  else await writeMeta(tx, 'moved', JSON.stringify(moved));
}

export async function readCopyState(db: Queryable): Promise<CopyState | null> {
  return parsed(await readMeta(db, 'copy'));
}

export async function writeCopyState(tx: Tx, state: CopyState): Promise<void> {
  await writeMeta(tx, 'copy', JSON.stringify(state));
}

function parsed<T>(json: string | null): T | null {
  return json === null ? null : (JSON.parse(json) as T);
}

/** Throws OperatorError when the installation of this database lives elsewhere, or has not arrived yet: two would pay and tell twice. */
export async function refuseMoved(db: Queryable): Promise<void> {
  const moved = await readMoved(db);
  if (moved !== null) {
    throw new OperatorError(
      moved.complete
        ? `SERVICE_DATABASE_URL: this installation was moved to ${moved.to}; use that database, or take the move back with "copy --from URL --undo"`
        : `SERVICE_DATABASE_URL: this installation is being moved to ${moved.to}; finish that with "copy", or give it up with "copy --from URL --undo"`,
    );
  }
  if ((await readMeta(db, 'copy')) !== null) {
    throw new OperatorError(
      'SERVICE_DATABASE_URL: this database is a copy that is not complete; finish it with "copy", or make a new database',
    );
  }
}
