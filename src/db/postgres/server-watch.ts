import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { errorCode } from '../../kernel/errors.ts';
import { isUnreachable, POOLER_LOST, UnresponsiveServer } from './failures.ts';
import { nameOfConnection } from './hosts.ts';

/** The server is probed after this long without an answer while work waits for it. */
const UNRESPONSIVE_MS = 1500;
const PROBE_AGAIN_MS = 500;

/**
 * Ends the server's connections with these names that wait for a query, and returns their names: each lost the query or its
 * answer, and its transaction may hold locks. Skips a name that several connections have: a pooler's idle connection keeps its
 * last client's name.
 */
const END_LOST = `select application_name as name, pg_terminate_backend(pid) from pg_stat_activity one
  where application_name = any($1) and usename = current_user and state like 'idle%'
    and state_change < clock_timestamp() - interval '${UNRESPONSIVE_MS} milliseconds'
    and not exists (select 1 from pg_stat_activity other
      where other.application_name = one.application_name and other.pid <> one.pid)`;

/**
 * Ends a query whose client stopped waiting: it may wait for a table's lock for hours, and each further call would add a connection.
 * A commit that waits for a standby continues.
 */
const END_ABANDONED = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = $1 and usename = current_user and state = 'active' and wait_event is distinct from 'SyncRep'`;

/** Whether an error shows that nothing answers, not even a pooler. */
const isSilent = (error: unknown) => isUnreachable(error) && errorCode(error) !== POOLER_LOST;

interface Waiting {
  /** `performance.now()` when it began. */
  since: number;
  /** The connection of a query. */
  client: pg.PoolClient | undefined;
  reject(error: unknown): void;
}

interface RunOptions<T> {
  client?: pg.PoolClient;
  discard?(late: T): void;
}

/**
 * Detects a server that no longer answers although its connections are open, as in a network partition. It then rejects waiting
 * and new work until a probe on a new connection succeeds. While the server answers, it rejects a query only if its connection is
 * half-open, that is, the server is not executing it. A long query continues.
 */
export class ServerWatch {
  readonly #probe: pg.Pool;
  readonly #waiting = new Set<Waiting>();
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

  /** Takes a connection from the pool; discards connections older than the last outage. */
  async connect(pool: pg.Pool): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.run(() => pool.connect(), { discard: (late) => late.release(true) });
      const outages = this.#firstUsed.get(client) ?? this.#outages;
      this.#firstUsed.set(client, outages);
      if (outages === this.#outages) return client;
      client.release(true);
    }
  }

  /** Runs a query of `client`, or other work whose result is not an answer of the server; `discard` receives a late result. */
  run<T>(work: () => Promise<T>, { client, discard }: RunOptions<T> = {}): Promise<T> {
    if (this.#isDown) return Promise.reject(new UnresponsiveServer());
    if (this.#waiting.size === 0) this.#answeredAt = performance.now();
    return new Promise<T>((resolve, reject) => {
      const waiting = { since: performance.now(), client, reject };
      this.#waiting.add(waiting);
      if (this.#timer === null) this.#checkIn(UNRESPONSIVE_MS);
      work().then(
        (value) => {
          if (discard === undefined) this.#answeredAt = performance.now();
          if (this.#waiting.delete(waiting)) resolve(value);
          else discard?.(value);
        },
        (error: unknown) => {
          if (!isSilent(error)) this.#answeredAt = performance.now();
          this.#waiting.delete(waiting);
          reject(error);
        },
      );
    });
  }

  /** Ends the query of a client that timed out. Never rejects: without an answer of the server, the query stays. */
  async endAbandoned(client: pg.ClientBase): Promise<void> {
    await this.#probe.query(END_ABANDONED, [nameOfConnection(client)]).catch(() => {});
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
    const remainingMs = this.#answeredAt + UNRESPONSIVE_MS - performance.now();
    if (this.#isDown || (this.#waiting.size > 0 && remainingMs <= 0) || this.#unresponsive().length > 0)
      await this.#ask();
    this.#timer = null;
    if (this.#isClosed) return;
    if (this.#isDown) this.#checkIn(PROBE_AGAIN_MS);
    else if (this.#waiting.size > 0) this.#checkIn(Math.max(remainingMs, PROBE_AGAIN_MS));
  }

  /** Queries that have waited longer than `UNRESPONSIVE_MS`. */
  #unresponsive(): Waiting[] {
    const latest = performance.now() - UNRESPONSIVE_MS;
    return [...this.#waiting].filter(({ since, client }) => client !== undefined && since <= latest);
  }

  /** Rejects the queries of half-open connections. The promise rejects when the server does not answer. */
  async #endLost(): Promise<void> {
    const probe = await this.#probe.connect();
    try {
      await probe.query('select 1');
      if (this.#unresponsive().length === 0) return;
      // The server or this process may have been paused: it first executes the queries or reads the answers.
      await delay(PROBE_AGAIN_MS);
      const unresponsive = new Map(
        this.#unresponsive().map((waiting) => [waiting.client && nameOfConnection(waiting.client), waiting]),
      );
      if (unresponsive.size === 0) return;
      const { rows } = await probe.query<{ name: string }>(END_LOST, [[...unresponsive.keys()]]);
      // The cause of one broken connection may have broken all.
      if (rows.length > 0) this.#outages++;
      for (const { name } of rows) {
        const waiting = unresponsive.get(name);
        if (waiting !== undefined && this.#waiting.delete(waiting))
          waiting.reject(new Error('Connection terminated: it was half-open'));
      }
    } finally {
      probe.release(true);
    }
  }

  async #ask(): Promise<void> {
    const askedAt = performance.now();
    const error = await this.#endLost().then(
      () => null,
      (reason: unknown) => reason,
    );
    // A busy process may read the answers to other work before the answer to the probe.
    if (!isSilent(error) || (!this.#isDown && this.#answeredAt > askedAt)) {
      this.#isDown = false;
      this.#answeredAt = performance.now();
      return;
    }
    if (!this.#isDown) this.#outages++;
    this.#isDown = true;
    for (const { reject } of this.#waiting) reject(new UnresponsiveServer());
    this.#waiting.clear();
  }
}
