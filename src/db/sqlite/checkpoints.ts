import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The thread checks the length of the log after this many commits. */
const CHECK_AFTER_COMMITS = 8;
/** How long the writer waits for the last pages of a checkpoint. */
const HOLD_MS_MAX = 500;
const PAGE_BYTES = 4096;

/** The file of the thread's database, and the length of the log at which it runs a checkpoint. */
export interface CheckpointOrder {
  readonly file: string;
  readonly pages: number;
}

/** Requests to the thread: check the log; finish the checkpoint while the writer waits; end. */
export type CheckpointRequest = 'check' | 'finish' | 'end';

/** Answers of the thread: nothing to do, or a checkpoint has copied all but the newest pages. */
export type CheckpointAnswer = 'done' | 'unfinished';

/**
 * Runs WAL checkpoints of a SQLite database on a worker thread, which keeps them out of the p99 of payments. Most pages are
 * copied while transactions continue; for the last pages the writer waits between two commits, because only a completely copied
 * log is reused from its beginning instead of growing. When the thread fails, the writer runs the checkpoints itself.
 */
export class Checkpoints {
  readonly #order: CheckpointOrder;
  readonly #logBytes: () => number;
  readonly #failed: (error: Error) => void;
  #thread: Worker | null = null;
  #commits = 0;
  #state: 'idle' | 'checking' | 'unfinished' | 'finishing' | 'closed' = 'idle';
  #answered: () => void = () => {};

  /** `failed` is called once, when the thread stops working. */
  constructor(order: CheckpointOrder, logBytes: () => number, failed: (error: Error) => void) {
    this.#order = order;
    this.#logBytes = logBytes;
    this.#failed = failed;
  }

  /** Called after each commit; never throws. Starts the thread only when the log is long, because the thread takes memory. */
  committed(): void {
    this.#commits++;
    if (this.#state !== 'idle' || this.#commits < CHECK_AFTER_COMMITS) return;
    this.#commits = 0;
    this.#state = 'checking';
    this.#request('check');
  }

  /** Called before each commit: null, or a promise to wait for before writing. Never rejects. */
  hold(): Promise<void> | null {
    if (this.#state !== 'unfinished') return null;
    this.#state = 'finishing';
    return this.#finish();
  }

  /** Resolves when the thread has closed the file. */
  async close(): Promise<void> {
    this.#state = 'closed';
    const thread = this.#thread;
    if (thread === null) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.ref();
    this.#request('end');
    await ended;
  }

  async #finish(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answered = resolve;
    this.#request('finish');
    const timer = setTimeout(resolve, HOLD_MS_MAX);
    await promise;
    clearTimeout(timer);
  }

  #request(request: CheckpointRequest): void {
    try {
      if (this.#thread === null && this.#logBytes() < this.#order.pages * PAGE_BYTES) {
        this.#state = 'idle';
        return;
      }
      this.#thread ??= this.#start();
      this.#thread.postMessage(request);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #start(): Worker {
    // TypeScript in the repository, JavaScript in the package.
    const script = new URL(`./checkpoint-thread${extname(import.meta.url)}`, import.meta.url);
    // Without the flags of this process, which may apply only to its script.
    const thread = new Worker(script, { workerData: this.#order, execArgv: [] });
    thread.on('message', (answer: CheckpointAnswer) => {
      if (this.#state !== 'closed') this.#state = answer === 'done' ? 'idle' : answer;
      this.#answered();
      // Not before: a process that ends while the thread loads the driver may be aborted.
      if (this.#state !== 'closed') thread.unref();
    });
    thread.on('error', (error) => this.#fail(error));
    thread.on('exit', (code) => {
      this.#thread = null;
      this.#fail(new Error(`its thread ended with code ${code}`));
    });
    return thread;
  }

  #fail(error: Error): void {
    const known = this.#state === 'closed';
    this.#state = 'closed';
    this.#answered();
    if (!known) this.#failed(error);
  }
}
