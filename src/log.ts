import { writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Settings } from './config.ts';
import { errorCode } from './kernel/errors.ts';
import { maskLine } from './kernel/mask.ts';

/** How many characters wait for a slow reader; further lines are dropped. */
const WAITING_LENGTH_MAX = 16 * 1024 * 1024;
const RETRY_MS = 100;
const EXIT_TRIES_MAX = 10;
const EMPTY = Buffer.alloc(0);

const standardOutput = appendTo(1);

/**
 * Creates the log: one JSON object per line, on standard output by default. Keys, secrets, phone numbers, e-mail addresses and
 * Authorization values are masked, as members and within texts.
 */
export function createLogger(
  settings: Pick<Settings, 'logLevel'>,
  destination: DestinationStream = standardOutput,
): Logger {
  const options = {
    level: settings.logLevel,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: maskLine },
  };
  return pino(options, destination);
}

/**
 * Returns a destination that appends to a file descriptor. A line is written before the call returns, so that a crash loses none, or
 * waits for a slow reader of a pipe. Lines that cannot be written are dropped, so that a full disk stops only the log. With pino's own
 * destination, it ends the process, and an endless flush then prevents the exit.
 */
function appendTo(fd: number): DestinationStream {
  let waiting = '';
  let batch = EMPTY;
  let isBlocked = false;
  function writeAll(): void {
    isBlocked = false;
    try {
      while (batch.length > 0 || waiting !== '') {
        if (batch.length === 0) {
          batch = Buffer.from(waiting);
          waiting = '';
        }
        batch = batch.subarray(writeSync(fd, batch));
      }
    } catch (error) {
      isBlocked = errorCode(error) === 'EAGAIN';
      if (!isBlocked) batch = EMPTY;
    }
  }
  function retry(): void {
    writeAll();
    if (isBlocked) setTimeout(retry, RETRY_MS);
  }
  process.on('exit', () => {
    writeAll();
    for (let tries = 1; isBlocked && tries < EXIT_TRIES_MAX; tries += 1) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      writeAll();
    }
  });
  return {
    write(line) {
      if (waiting.length < WAITING_LENGTH_MAX) waiting += line;
      if (!isBlocked) retry();
    },
  };
}
