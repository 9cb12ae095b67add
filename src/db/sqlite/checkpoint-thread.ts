import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import type { CheckpointAnswer, CheckpointOrder, CheckpointRequest } from './checkpoints.ts';

/** A checkpoint is repeated while the log grows, until the uncopied pages are few enough for the writer to wait for, */
const LEFT_PAGES = 64;
/** or after this many passes, or when the log is twice as long as its limit. */
const PASSES_MAX = 3;

interface Log {
  /** Pages in the log at the start of the checkpoint. */
  log: number;
  /** Pages of the log that are in the database file. */
  checkpointed: number;
}

const port = parentPort;
if (port === null) throw new Error('this file must be run as a worker thread by checkpoints.ts');
const { file, pages } = workerData as CheckpointOrder;
const handle = new Sqlite(file, { fileMustExist: true });
handle.pragma('synchronous = FULL');
/** The length of the log at its last complete checkpoint. */
let copied = 0;

port.on('message', (request: CheckpointRequest) => {
  if (request === 'end') {
    handle.close();
    port.close();
    return;
  }
  port.postMessage(answer(request));
});

function answer(request: 'check' | 'finish'): CheckpointAnswer {
  try {
    if (request === 'finish') checkpoint('PASSIVE');
    else if (isLong()) copyMost();
    else return 'done';
    const { log, checkpointed } = checkpoint('NOOP');
    if (log !== checkpointed && request === 'check') return 'unfinished';
    copied = log;
  } catch {
    // Commits report a full or broken disk; the next check tries again.
  }
  return 'done';
}

/** Counted from the last complete checkpoint, because a long read keeps the log from restarting. */
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
  if (log === undefined) throw new Error('wal_checkpoint returned no row');
  return log;
}
