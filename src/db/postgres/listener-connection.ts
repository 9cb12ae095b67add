import pg from 'pg';

export const CHANNEL = 'payment_collection';
/** The first half of the advisory locks that processes hold while they live; the number is arbitrary and must never change. */
export const PRESENCE = 720_651_934;

const CONNECT_TIMEOUT_MS = 6000;
/** A pooler that lends connections by the transaction accepts LISTEN and delivers nothing. */
const ECHO_TIMEOUT_MS = 2000;
const AGAIN_MS = 500;
const DEAF_AGAIN_MS = 60_000;
const ECHO = 'echo';

/**
 * The one connection that is not lent out by the transaction: it listens, and holds a lock for each number that is kept.
 * When it breaks it is made anew; what the server forgot with it is asked for again.
 */
export class StandingConnection {
  readonly #url: string;
  readonly #heard: (payload: string) => void;
  readonly #numbers = new Set<number>();
  readonly #held = new Set<number>();
  readonly #asked = new Map<number, Promise<void>>();
  #client: pg.Client | null = null;
  #opening: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(url: string, heard: (payload: string) => void) {
    this.#url = url;
    this.#heard = heard;
  }

  /** Whether the lock of `number` is ours at this moment. */
  holds(number: number): boolean {
    return this.#held.has(number);
  }

  /** Holds the lock of `number` from now on. Resolves when it has it, or when it failed once. */
  async keep(number: number): Promise<void> {
    this.#numbers.add(number);
    await this.open();
    await this.#lock(number).catch(() => {});
  }

  async drop(number: number): Promise<void> {
    this.#numbers.delete(number);
    if (!this.#held.delete(number)) return;
    await this.#client?.query('select pg_advisory_unlock($1, $2)', [PRESENCE, number]).catch(() => {});
  }

  /** Connects, unless it is connected. Never rejects: a failure is tried again later. */
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
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      fallback_application_name: 'payment-collection-service listener',
    });
    client.on('error', () => {});
    client.on('end', () => this.#lost(client));
    try {
      await client.connect();
      if (!(await hearsItself(client))) {
        await client.end();
        this.#again(DEAF_AGAIN_MS);
        return;
      }
      client.on('notification', ({ payload }) => this.#heard(payload ?? ''));
      this.#client = client;
      for (const number of this.#numbers) await this.#lock(number);
    } catch {
      this.#client = null;
      client.end().catch(() => {});
      this.#again(AGAIN_MS);
    }
  }

  /** Never asks twice at a time: the server counts, and one unlock would leave the second lock in force. */
  #lock(number: number): Promise<void> {
    const asked = this.#asked.get(number) ?? this.#ask(number).finally(() => this.#asked.delete(number));
    this.#asked.set(number, asked);
    return asked;
  }

  async #ask(number: number): Promise<void> {
    const client = this.#client;
    if (client === null || this.#held.has(number)) return;
    const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as held', [PRESENCE, number]);
    if (rows[0]?.held !== true || this.#client !== client) return;
    this.#held.add(number);
    // It was dropped while the server was asked.
    if (!this.#numbers.has(number)) await this.drop(number);
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#held.clear();
    this.#again(AGAIN_MS);
  }

  #again(afterMs: number): void {
    if (this.#closed || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.open();
    }, afterMs);
    this.#timer.unref();
  }
}

async function hearsItself(client: pg.Client): Promise<boolean> {
  await client.query(`listen ${CHANNEL}`);
  return await new Promise<boolean>((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), ECHO_TIMEOUT_MS);
    client.once('notification', () => {
      clearTimeout(timer);
      resolve(true);
    });
    client.query('select pg_notify($1, $2)', [CHANNEL, ECHO]).catch(reject);
  });
}
