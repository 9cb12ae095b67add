import { randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../../db/database.ts';
import { lockMeta, readMeta } from '../../db/meta.ts';
import { SCHEMA_VERSION } from '../../db/migrate.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { COPIED_TABLES } from './copied-tables.ts';
import { type CopyState, readCopyState, readMoved, writeCopyState, writeMoved } from './move.ts';
import type { Source } from './source-store.ts';
import { isEmpty } from './store.ts';

/** The facts of an unused database. */
const INITIAL_KEYS = ['schema_version', 'schema_known_min'];

/**
 * Begins a move, or continues an interrupted one. Marks the source before the first row is read, so that no service starts on
 * either database. Throws OperatorError.
 */
export async function beginMove(source: Source, target: Database, to: string): Promise<CopyState> {
  await requireSchema(source.db);
  const moved = await readMoved(source.db);
  const state = await readCopyState(target.read);
  if (moved?.complete && state === null) {
    throw new OperatorError(`--from: this installation was moved to ${moved.to} already`);
  }
  if (moved !== null && moved.to !== to) {
    throw new OperatorError(
      `--from: this installation is being moved to ${moved.to}; finish that, or undo it with "copy --from URL --undo"`,
    );
  }
  if (state !== null && state.token !== moved?.token) {
    throw new OperatorError('--to: the database holds a part of another copy; create a new one');
  }
  const token = moved?.token ?? randomUUID();
  if (moved === null) {
    if (!(await isNew(target.read))) throw notEmpty();
    await source.write((tx) => writeMoved(tx, { token, to, complete: false }));
  }
  if (await source.isServed()) {
    if (moved === null) await source.write((tx) => writeMoved(tx, null));
    throw new OperatorError('--from: the service is running on it; stop all its processes first');
  }
  return state ?? (await beginTarget(target, token));
}

async function beginTarget(target: Database, token: string): Promise<CopyState> {
  const state: CopyState = { token, tables: {} };
  await target.unit(async (tx) => {
    // A service that starts on it at this moment takes the same lock.
    await lockMeta(tx);
    if (!(await isNew(tx))) throw notEmpty();
    await writeCopyState(tx, state);
  });
  return state;
}

/** Throws OperatorError for a target that serves as an installation. Its schema may be older than this program. */
export async function refuseInstallation(target: Queryable): Promise<void> {
  if ((await readCopyState(target)) === null && (await hasFacts(target))) throw notEmpty();
}

async function hasFacts(db: Queryable): Promise<boolean> {
  const keys = await db.selectFrom('meta').select('key').execute();
  return keys.some(({ key }) => !INITIAL_KEYS.includes(key));
}

async function isNew(db: Queryable): Promise<boolean> {
  if (await hasFacts(db)) return false;
  for (const table of COPIED_TABLES) if (!(await isEmpty(db, table))) return false;
  return true;
}

function notEmpty(): OperatorError {
  return new OperatorError('--to: the database is not empty; create a new one; the copy creates its tables');
}

async function requireSchema(db: Queryable): Promise<void> {
  const version = Number(
    await readMeta(db, 'schema_version').catch(() => {
      throw new OperatorError('--from: this is not a database of the service');
    }),
  );
  if (version < SCHEMA_VERSION) {
    throw new OperatorError(
      `--from: the database has schema ${version}, this program ${SCHEMA_VERSION}; run "migrate" on it first`,
    );
  }
  if (version > SCHEMA_VERSION) {
    throw new OperatorError(
      `--from: the database has schema ${version}, this program knows ${SCHEMA_VERSION}; copy it with the version of the service that it is used with`,
    );
  }
}
