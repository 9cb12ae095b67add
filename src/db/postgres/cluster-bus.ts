import { randomInt } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Attendance, Neighbours, Topic } from '../cluster-bus.ts';
import type { Tables } from '../tables/tables.ts';
import { CHANNEL, PRESENCE, StandingConnection } from './listener-connection.ts';

/** Calls that come together are told together; whoever called has taken by then what it can take itself. */
const TELL_AFTER_MS = 25;
const MARK_MAX = 2 ** 31 - 1;
const MARK_LENGTH = 7;

/** The processes that share one PostgreSQL database: LISTEN and NOTIFY, and a session's lock for each that is there. */
export class PostgresNeighbours implements Neighbours {
  readonly #db: Kysely<Tables>;
  readonly #line: StandingConnection;
  readonly #self = String(randomInt(MARK_MAX));
  readonly #hearing = new Map<Topic, Set<() => void>>();
  readonly #toTell = new Set<Topic>();
  #timer: NodeJS.Timeout | null = null;
  #telling: Promise<void> = Promise.resolve();

  /** `directUrl` leads to the server itself, not to a pooler that lends connections by the transaction. */
  constructor(db: Kysely<Tables>, directUrl: string) {
    this.#db = db;
    this.#line = new StandingConnection(directUrl, (payload) => this.#heard(payload));
  }

  attend(): Attendance {
    const number = randomInt(1, MARK_MAX);
    const mark = number.toString(36).padStart(MARK_LENGTH, '0');
    const line = this.#line;
    const ready = line.keep(number);
    return {
      get mark() {
        return line.holds(number) ? mark : null;
      },
      ready,
      leave: () => line.drop(number),
    };
  }

  hear(topic: Topic, wake: () => void): () => void {
    const wakes = this.#hearing.get(topic) ?? new Set();
    this.#hearing.set(topic, wakes);
    wakes.add(wake);
    void this.#line.open();
    return () => wakes.delete(wake);
  }

  tell(topic: Topic): void {
    this.#toTell.add(topic);
    this.#timer ??= setTimeout(() => this.#tellNow(), TELL_AFTER_MS);
  }

  async departed(marks: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ number: number }>`
      select objid as number from pg_locks
      where locktype = 'advisory' and classid = ${sql.lit(PRESENCE)} and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())`.execute(this.#db);
    const there = new Set(rows.map(({ number }) => Number(number)));
    return marks.filter((mark) => !there.has(Number.parseInt(mark, 36)));
  }

  /** Tells what is still to be told, and leaves. */
  async close(): Promise<void> {
    if (this.#timer !== null) this.#tellNow();
    await this.#telling;
    await this.#line.close();
  }

  #tellNow(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const topic of this.#toTell) {
      // Outside any unit: a commit that notifies takes a lock which all such commits of the database share.
      const told = sql`select pg_notify(${CHANNEL}, ${`${this.#self} ${topic}`})`.execute(this.#db);
      // Who did not hear finds it within half a second.
      this.#telling = Promise.all([this.#telling, told]).then(
        () => {},
        () => {},
      );
    }
    this.#toTell.clear();
  }

  #heard(payload: string): void {
    const [sender, topic] = payload.split(' ');
    if (sender === this.#self) return;
    for (const wake of this.#hearing.get(topic as Topic) ?? []) wake();
  }
}
