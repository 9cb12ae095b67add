import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open.ts';
import { copyDatabase, type Progress } from '../installation/copy/copy.ts';
import { readMoved, writeMoved } from '../installation/copy/move.ts';
import { nameOf, openSource, type Source } from '../installation/copy/source.ts';
import { systemClock } from '../kernel/clock.ts';
import { OperatorError } from '../kernel/errors.ts';
import { releaseClaims } from '../webhooks/delivery/store.ts';
import type { Answer, RunAlone } from './command.ts';

const PROGRESS_MS = 1000;
const URL_FORM = /^(sqlite:.|postgres(ql)?:\/\/)/;

const NOTE =
  'Now set SERVICE_DATABASE_URL to it and keep SERVICE_SECRET_KEY (or the secret.key beside the old file): the secrets inside are sealed by it. The old database is closed.';
const UNDO_NOTE =
  'It can be served again. Never serve what it was copied to as well: the same money would be recorded and told twice.';

export const copy: RunAlone = async (input, { report }) => {
  const from = readUrl('from', input.required('from'));
  if (input.on('undo')) return await undo(from);
  const to = readUrl('to', input.required('to'));
  const source = await open('--from', () => openSource(from));
  try {
    const target = await open('--to', () => openDatabase(to));
    try {
      return await move(source, target, { from: nameOf(from), to: nameOf(to) }, report);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

async function move(
  source: Source,
  target: Database,
  names: { from: string; to: string },
  report: (line: string) => void,
): Promise<Answer> {
  const tables = await copyDatabase(source, target, {
    to: names.to,
    onProgress: progressLines(report),
    async finish(tx) {
      // Whoever had claimed or swept is gone: nothing waits for its lease.
      await releaseClaims(tx, systemClock.now());
      await tx.updateTable('bank_accounts').set({ sweep_until: null }).execute();
    },
  });
  return { value: { ...names, rows: tables.reduce((sum, { rows }) => sum + rows, 0), tables }, note: NOTE };
}

async function undo(from: string): Promise<Answer> {
  const source = await open('--from', () => openSource(from));
  try {
    const moved = await readMoved(source.db);
    if (moved === null) throw new OperatorError('--from: this installation is not being moved, nor was it');
    await source.write((tx) => writeMoved(tx, null));
    return { value: { from: nameOf(from), notMovedTo: moved.to }, note: UNDO_NOTE };
  } finally {
    await source.close();
  }
}

function readUrl(name: string, value: string): string {
  if (URL_FORM.test(value)) return value;
  // The value is not repeated: it may hold a password.
  throw new OperatorError(`--${name} must be sqlite:FILE or postgres://USER:PASSWORD@HOST:PORT/DATABASE`);
}

/** The engines speak of the setting that names their database; here it is an option. */
async function open<T>(option: string, opening: () => Promise<T>): Promise<T> {
  try {
    return await opening();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(error.message.replace('SERVICE_DATABASE_URL', option));
  }
}

function progressLines(report: (line: string) => void): (progress: Progress) => void {
  let told = Number.NEGATIVE_INFINITY;
  return ({ doing, table, rows, of }) => {
    const now = systemClock.now();
    if (now - told < PROGRESS_MS) return;
    told = now;
    report(`${doing} ${table}: ${rows} of ${of} rows`);
  };
}
