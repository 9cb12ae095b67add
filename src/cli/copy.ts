import { releaseAllListReads } from '../banks/store.ts';
import { checkDatabaseUrl } from '../config-addresses.ts';
import { openDatabase } from '../db/open.ts';
import { refuseInstallation } from '../installation/copy/begin.ts';
import { copyDatabase } from '../installation/copy/copy.ts';
import { readMoved, writeMoved } from '../installation/copy/move.ts';
import { nameOf, openSource } from '../installation/copy/source-store.ts';
import { systemClock } from '../kernel/clock.ts';
import { OperatorError } from '../kernel/errors.ts';
import { releaseClaims } from '../webhooks/delivery/store.ts';
import type { Answer, Cli } from './command.ts';
import type { Input } from './input.ts';
import { oncePerSecond } from './paged.ts';

const NOTE =
  'Set SERVICE_DATABASE_URL to the new database now and keep SERVICE_SECRET_KEY (or the secret.key next to the old file), because the secrets are encrypted with it. The old database is closed.';
const UNDO_NOTE =
  'The database can be used again, as it was when it was copied. What a service has recorded in the copy is missing from it, as after a restore. Do not run a service on the copy as well: it would record and announce the same payments twice.';

/** Runs `copy`: moves an installation into another database, or undoes that. */
export async function copy(input: Input, { report }: Cli): Promise<Answer> {
  const from = checkDatabaseUrl('--from', input.required('from'));
  const to = input.on('undo') ? null : checkDatabaseUrl('--to', input.required('to'));
  if (from === to) throw new OperatorError('--to is the database of --from; create a new one');
  const source = await open('--from', () => openSource(from));
  try {
    if (to === null) {
      const moved = await readMoved(source.db);
      if (moved === null) throw new OperatorError('--from: this database was not copied; nothing to undo');
      await source.write((tx) => writeMoved(tx, null));
      return { value: { from: nameOf(from), notMovedTo: moved.to }, note: UNDO_NOTE };
    }
    const target = await open('--to', () => openDatabase(to, { beforeUpgrade: refuseInstallation }));
    try {
      const names = { from: nameOf(from), to: nameOf(to) };
      const tables = await copyDatabase(source, target, {
        to: names.to,
        onProgress: oncePerSecond(({ doing, table, rows, of }) =>
          report(`${doing} ${table}: ${rows} of ${of} rows`),
        ),
        // The processes that held these leases are stopped.
        async finish(tx) {
          await releaseClaims(tx, systemClock.now());
          await releaseAllListReads(tx);
        },
      });
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      return { value: { ...names, rows, tables }, note: NOTE };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Opens a database. Its errors name the option in place of the environment variable. */
async function open<T>(option: string, opening: () => Promise<T>): Promise<T> {
  try {
    return await opening();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(error.message.replace('SERVICE_DATABASE_URL', option));
  }
}
