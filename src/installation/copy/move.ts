import type { Queryable, Tx } from '../../db/database.ts';
import { clearMeta, readMeta, writeMeta } from '../../db/meta.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { storedJson } from '../../kernel/json.ts';
import type { Place } from './store.ts';
import type { Sums } from './sums.ts';

/** Stored in a database whose installation is being or was moved. */
export interface Moved {
  /** Identifies the move in source and target. */
  token: string;
  /** The target's name in messages. */
  to: string;
  complete: boolean;
}

/** The progress of a copy, stored in the target until it is complete. */
export interface CopyState {
  token: string;
  /** The totals copied so far, by table, with the key of the last row. */
  tables: Record<string, Sums & { after: Place | null; complete: boolean }>;
}

export async function readMoved(db: Queryable): Promise<Moved | null> {
  return storedJson(await readMeta(db, 'moved'));
}

export async function writeMoved(tx: Tx, moved: Moved | null): Promise<void> {
  if (moved === null) await clearMeta(tx, 'moved');
  else await writeMeta(tx, 'moved', JSON.stringify(moved));
}

export async function readCopyState(db: Queryable): Promise<CopyState | null> {
  return storedJson(await readMeta(db, 'copy'));
}

export async function writeCopyState(tx: Tx, state: CopyState): Promise<void> {
  await writeMeta(tx, 'copy', JSON.stringify(state));
}

/**
 * Throws OperatorError when the installation was moved away or its copy is incomplete: two services would record the same money.
 */
export async function refuseMoved(db: Queryable): Promise<void> {
  const moved = await readMoved(db);
  if (moved !== null) {
    throw new OperatorError(
      moved.complete
        ? `SERVICE_DATABASE_URL: this installation was moved to ${moved.to}; use that database, or, if no service has run on it, undo the move with "copy --from URL --undo"`
        : `SERVICE_DATABASE_URL: this installation is being moved to ${moved.to}; finish that with "copy", or undo it with "copy --from URL --undo"`,
    );
  }
  if ((await readMeta(db, 'copy')) !== null) {
    throw new OperatorError(
      'SERVICE_DATABASE_URL: this database is a copy that is not complete; finish it with "copy", or create a new database',
    );
  }
}
