import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import type { CheckpointAnswer, CheckpointAsk, CheckpointOrder } from './checkpoints.ts';

/** While the log is copied it goes on growing. The writer waits for the last pass: it comes when so few pages are left, */
const LEFT_PAGES = 64;
/** or after so many passes, or when the log is twice as long as when the first one began. */
const PASSES_MAX = 3;

interface Log {
  /** Pages in the log, when the checkpoint began. */
  log: number;
  /** Those of them that are in the database file by now. */
  checkpointed: number;
}

const port = parentPort;
if (port === null) throw new Error('this file is run by checkpoints.ts, on a thread of its own');
const { file, pages } = workerData as CheckpointOrder;
const handle = new Sqlite(file, { fileMustExist: true });
handle.pragma('synchronous = FULL');
/** How long the log was when it was last copied whole. */
let copied = 0;

port.on('message', (ask: CheckpointAsk) => {
  if (ask === 'end') {
    handle.close();
    port.close();
    return;
  }
  port.postMessage(answered(ask));
});

function answered(ask: 'look' | 'rest'): CheckpointAnswer {
  try {
    if (ask === 'rest') checkpoint('PASSIVE');
    else if (isLong()) copyMost();
    else return 'done';
    const { log, checkpointed } = checkpoint('NOOP');
    if (log !== checkpointed && ask === 'look') return 'rest left';
    copied = log;
  } catch {
    // A full or broken disk is told of by the commits that fail for it; the next look tries again.
  }
  return 'done';
}

/** Measured from where it was copied last, should somebody who reads for long keep it from starting anew. */
function isLong(): boolean {
  const { log } = checkpoint('NOOP');
  return log - (log < copied ? 0 : copied) >= pages;
}

function copyMost(): void {
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    checkpoint('PASSIVE');
    const { log, checkpointed } = checkpoint('NOOP');
    if (log - checkpointed <= LEFT_PAGES || log >= 2 * pages) return;
  }
}

function checkpoint(mode: 'NOOP' | 'PASSIVE'): Log {
  const [log] = handle.pragma(`wal_checkpoint(${mode})`) as Log[];
  if (log === undefined) throw new Error('SQLite said nothing of its log');
  return log;
}
