import type pg from 'pg';
import { isUnreachable, UnresponsiveServer } from './failures.ts';

/** Without an answer for this long while work waits for the server, it is probed. */
const SILENT_MS = 1500;
const PROBE_AGAIN_MS = 500;

/**
 * Notices a server that no longer answers although its connections are open, as in a network partition. Waiting work is then
 * rejected, and new work at once, until a new connection is answered. A long query goes on while the server answers.
 */
export class ServerWatch {
  readonly #probe: pg.Pool;
  readonly #waiting = new Set<(error: unknown) => void>();
  readonly #firstUsed = new WeakMap<pg.PoolClient, number>();
  #answeredAt = 0;
  #outages = 0;
  #isDown = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | null = null;

  /** `probe` makes a new connection for each query. */
  constructor(probe: pg.Pool) {
    this.#probe = probe;
  }

  /** Takes a connection of the pool, none that is older than the last outage. */
  async connect(pool: pg.Pool): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.run(
        () => pool.connect(),
        (late) => late.release(true),
      );
      const outages = this.#firstUsed.get(client) ?? this.#outages;
      this.#firstUsed.set(client, outages);
      if (outages === this.#outages) return client;
      client.release(true);
    }
  }

  /** Runs a query. With `discard`, runs work whose end is no answer of the server, and which gets the result that comes too late. */
  run<T>(work: () => Promise<T>, discard?: (late: T) => void): Promise<T> {
    if (this.#isDown) return Promise.reject(new UnresponsiveServer());
    if (this.#waiting.size === 0) this.#answeredAt = performance.now();
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(reject);
      if (this.#timer === null) this.#checkIn(SILENT_MS);
      work().then(
        (value) => {
          if (discard === undefined) this.#answeredAt = performance.now();
          if (this.#waiting.delete(reject)) resolve(value);
          else discard?.(value);
        },
        (error: unknown) => {
          if (!isUnreachable(error)) this.#answeredAt = performance.now();
          this.#waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#probe.end();
  }

  #checkIn(ms: number): void {
    this.#timer = setTimeout(() => void this.#check(), ms);
    this.#timer.unref();
  }

  async #check(): Promise<void> {
    const remainingMs = this.#answeredAt + SILENT_MS - performance.now();
    if (this.#isDown || (this.#waiting.size > 0 && remainingMs <= 0)) await this.#ask();
    this.#timer = null;
    if (this.#isClosed) return;
    if (this.#isDown) this.#checkIn(PROBE_AGAIN_MS);
    else if (this.#waiting.size > 0) this.#checkIn(Math.max(remainingMs, PROBE_AGAIN_MS));
  }

  async #ask(): Promise<void> {
    const askedAt = performance.now();
    const error = await this.#probe.query('select 1').then(
      () => null,
      (reason: unknown) => reason,
    );
    // A process that is short of time may read the answer to other work before that to the probe.
    if (!isUnreachable(error) || (!this.#isDown && this.#answeredAt > askedAt)) {
      this.#isDown = false;
      this.#answeredAt = performance.now();
      return;
    }
    if (!this.#isDown) this.#outages++;
    this.#isDown = true;
    for (const reject of this.#waiting) reject(new UnresponsiveServer());
    this.#waiting.clear();
  }
}
