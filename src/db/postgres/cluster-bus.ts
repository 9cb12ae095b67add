import { randomInt } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { ClusterBus, Presence, Topic } from '../cluster-bus.ts';
import type { Tables } from '../tables/tables.ts';
import { CHANNEL, ListenerConnection, PRESENCE_LOCK } from './listener-connection.ts';

/** How long publications are collected into one message. */
const PUBLISH_AFTER_MS = 25;
const LOCK_NUMBER_MAX = 2 ** 31 - 1;
const INSTANCE_ID_LENGTH = 7;

/** The processes that share one PostgreSQL database: LISTEN and NOTIFY, and one advisory lock per running process. */
export class PostgresClusterBus implements ClusterBus {
  readonly #db: Kysely<Tables>;
  readonly #connection: ListenerConnection;
  readonly #self = String(randomInt(LOCK_NUMBER_MAX));
  readonly #subscribers = new Map<Topic, Set<() => void>>();
  readonly #pending = new Set<Topic>();
  #timer: NodeJS.Timeout | null = null;
  #publishing: Promise<void> = Promise.resolve();

  /** `directUrl` bypasses a transaction-mode pooler. */
  constructor(db: Kysely<Tables>, directUrl: string) {
    this.#db = db;
    this.#connection = new ListenerConnection(
      directUrl,
      (payload) => this.#receive(payload),
      () => this.#wakeAll(),
    );
  }

  join(): Presence {
    const lock = randomInt(1, LOCK_NUMBER_MAX);
    const instanceId = instanceIdOf(lock);
    const connection = this.#connection;
    const ready = connection.keepLock(lock);
    return {
      get instanceId() {
        return connection.holdsLock(lock) ? instanceId : null;
      },
      ready,
      leave: () => connection.dropLock(lock),
    };
  }

  subscribe(topic: Topic, wake: () => void): () => void {
    const subscribers = this.#subscribers.get(topic) ?? new Set();
    this.#subscribers.set(topic, subscribers);
    subscribers.add(wake);
    void this.#connection.open();
    return () => subscribers.delete(wake);
  }

  publish(topic: Topic): void {
    this.#pending.add(topic);
    this.#timer ??= setTimeout(() => this.#publishPending(), PUBLISH_AFTER_MS);
  }

  async running(): Promise<ReadonlySet<string>> {
    const { rows } = await sql<{ number: number }>`
      select objid as number from pg_locks
      where locktype = 'advisory' and classid = ${sql.lit(PRESENCE_LOCK)} and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())`.execute(this.#db);
    return new Set(rows.map(({ number }) => instanceIdOf(Number(number))));
  }

  /** Publishes what is pending, then disconnects. */
  async close(): Promise<void> {
    this.#publishPending();
    await this.#publishing;
    await this.#connection.close();
  }

  #publishPending(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const topic of this.#pending) {
      // Outside any transaction, because a commit with NOTIFY takes a lock shared by all such commits in the database.
      const sent = sql`select pg_notify(${CHANNEL}, ${`${this.#self} ${topic}`})`.execute(this.#db);
      // Without a value, which would keep the results of all earlier publications.
      this.#publishing = Promise.allSettled([this.#publishing, sent]).then(() => {});
    }
    this.#pending.clear();
  }

  #receive(payload: string): void {
    const [sender, topic] = payload.split(' ');
    if (sender === this.#self) return;
    for (const wake of this.#subscribers.get(topic as Topic) ?? []) wake();
  }

  /** Messages may have been missed; while disconnected, the workers poll more often. */
  #wakeAll(): void {
    for (const subscribers of this.#subscribers.values()) for (const wake of subscribers) wake();
  }
}

function instanceIdOf(lock: number): string {
  return lock.toString(36).padStart(INSTANCE_ID_LENGTH, '0');
}
