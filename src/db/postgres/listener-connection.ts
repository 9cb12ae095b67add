import type pg from 'pg';
import { connectionClass } from './hosts.ts';
import { KEEP_ALIVE_AFTER_MS } from './pool.ts';

export const CHANNEL = 'payment_collection';
/** The first key of the advisory locks that running processes hold; arbitrary, and must never change. */
export const PRESENCE_LOCK = 720_651_934;

const CONNECT_TIMEOUT_MS = 6000;
/** How long the connection waits for its own notification: a transaction-mode pooler accepts LISTEN and delivers nothing. */
const ECHO_TIMEOUT_MS = 2000;
const CHECK_MS = 5000;
const RECONNECT_MS = 500;
const RECONNECT_NO_ECHO_MS = 60_000;

const END_HOLDERS = `select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and classid = $1 and objid = $2 and objsubid = 2 and granted`;

/**
 * The one dedicated connection of a process: it listens, and holds advisory locks. After a failure it reconnects and takes its
 * locks again.
 */
export class ListenerConnection {
  readonly #Client: typeof pg.Client;
  readonly #receive: (payload: string) => void;
  readonly #onChange: () => void;
  readonly #wanted = new Set<number>();
  readonly #held = new Set<number>();
  readonly #locking = new Map<number, Promise<void>>();
  #client: pg.Client | null = null;
  #opening: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  /** `onChange` is called when the connection is lost, and again once it listens. */
  constructor(url: string, receive: (payload: string) => void, onChange: () => void) {
    this.#Client = connectionClass(url);
    this.#receive = receive;
    this.#onChange = onChange;
  }

  /** Whether this connection holds the lock at the moment. */
  holdsLock(lock: number): boolean {
    return this.#held.has(lock);
  }

  /** Holds the lock from now on. Resolves when it is held, or after the first failure. */
  async keepLock(lock: number): Promise<void> {
    this.#wanted.add(lock);
    await this.open();
    await this.#lock(lock).catch(() => {});
  }

  async dropLock(lock: number): Promise<void> {
    this.#wanted.delete(lock);
    if (!this.#held.delete(lock)) return;
    await this.#client?.query('select pg_advisory_unlock($1, $2)', [PRESENCE_LOCK, lock]).catch(() => {});
  }

  /** Connects, unless it is connected. Never rejects: after a failure it reconnects later. */
  open(): Promise<void> {
    if (this.#closed || this.#client !== null) return Promise.resolve();
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#opening;
    this.#held.clear();
    await this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const client = new this.#Client({
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      fallback_application_name: 'payment-collection-service listener',
    });
    client.on('end', () => this.#disconnected(client));
    try {
      await client.connect();
      if (!(await receivesOwnNotification(client))) {
        await client.end();
        this.#reconnect(RECONNECT_NO_ECHO_MS);
        return;
      }
      client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
      this.#client = client;
      for (const lock of this.#wanted) await this.#lock(lock);
      this.#checkLater(client);
      this.#onChange();
    } catch {
      this.#client = null;
      this.#held.clear();
      client.end().catch(() => {});
      this.#reconnect(RECONNECT_MS);
    }
  }

  /** Never requests a lock twice concurrently: the server counts session locks, so one unlock would release only one of two. */
  #lock(lock: number): Promise<void> {
    const locking =
      this.#locking.get(lock) ?? this.#requestLock(lock).finally(() => this.#locking.delete(lock));
    this.#locking.set(lock, locking);
    return locking;
  }

  async #requestLock(lock: number): Promise<void> {
    const client = this.#client;
    if (client === null || this.#held.has(lock)) return;
    const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as held', [PRESENCE_LOCK, lock]);
    if (this.#client !== client) return;
    if (rows[0]?.held !== true) {
      // Only an earlier session of this process can hold the lock; the server has not noticed its end.
      await client.query(END_HOLDERS, [PRESENCE_LOCK, lock]);
      throw new Error('an earlier session of this process held its lock');
    }
    this.#held.add(lock);
    // `dropLock` was called during the query.
    if (!this.#wanted.has(lock)) await this.dropLock(lock);
  }

  /** Asks the server at intervals, because a connection that only listens does not notice that it is half-open. */
  #checkLater(client: pg.Client): void {
    const timer = setTimeout(() => {
      if (this.#client !== client) return;
      client.query('select 1').then(
        () => this.#checkLater(client),
        () => {
          this.#disconnected(client);
          client.end().catch(() => {});
        },
      );
    }, CHECK_MS);
    timer.unref();
  }

  #disconnected(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#held.clear();
    this.#reconnect(RECONNECT_MS);
    if (!this.#closed) this.#onChange();
  }

  #reconnect(afterMs: number): void {
    if (this.#closed || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.open();
    }, afterMs);
    this.#timer.unref();
  }
}

async function receivesOwnNotification(client: pg.Client): Promise<boolean> {
  await client.query(`listen ${CHANNEL}`);
  return await new Promise<boolean>((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), ECHO_TIMEOUT_MS);
    client.once('notification', () => {
      clearTimeout(timer);
      resolve(true);
    });
    client.query('select pg_notify($1, $2)', [CHANNEL, 'echo']).catch(reject);
  });
}
