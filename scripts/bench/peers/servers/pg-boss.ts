import { Pool } from 'undici';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { exchange } from '../../../../src/webhooks/transport/exchange.ts';
import type { Transport } from '../../../../src/webhooks/transport/transport.ts';
import { signedHeaders } from '../../delivery/request.ts';
import type { Batch } from '../../delivery/senders.ts';
import { answerQuestions } from '../../questions.ts';
import { type Claimed, type Outcome, openQueue } from './queue.ts';

/**
 * The peer `pg-boss`: a queue of deliveries on PostgreSQL with the guarantees of the service's outbox. Takes BENCH_DATABASE, BENCH_URL,
 * BENCH_CA and BENCH_SECRET.
 */
const env = process.env;
const url = env.BENCH_URL ?? '';
/** As many requests in flight as the service sends to a responsive endpoint. */
const CONNECTIONS = 96;
/** The number of concurrent transactions; each records a batch of outcomes and claims the next jobs. */
const TURNS_MAX = 2;
/** A transaction waits for this many outcomes or free connections, but no longer than TURN_WAIT_MS_MAX. */
const TURN_JOBS_MIN = Math.ceil(CONNECTIONS * 0.75);
const TURN_WAIT_MS_MAX = 3;
/** Batch sizes are multiples of this, which limits the number of distinct statements on PostgreSQL. */
const FETCH_STEP = 8;

const merchant = { url, secret: env.BENCH_SECRET ?? '' };
const queue = await openQueue(env.BENCH_DATABASE ?? '', merchant, TURNS_MAX + 1);
const connect = { ca: env.BENCH_CA ?? '' };
const pool = new Pool(new URL(url).origin, { connections: CONNECTIONS, pipelining: 1, connect });
/** Posts as the service does, over keep-alive connections to the sink. */
const transport: Transport = {
  post(_owner, request, handler) {
    const path = new URL(request.url).pathname;
    pool.dispatch({ method: 'POST', path, headers: request.headers, body: request.body }, handler);
  },
  destroy: () => pool.destroy(),
};

/** Sends the `count` queued jobs. */
class Drain {
  readonly #completed = Promise.withResolvers<void>();
  readonly #count: number;
  #outcomes: Outcome[] = [];
  #sending = 0;
  #requested = 0;
  #fetched = 0;
  #recorded = 0;
  #turns = 0;
  #overdue = false;

  constructor(count: number) {
    this.#count = count;
    this.#pump();
  }

  /** Resolves when all are completed. */
  get completed(): Promise<void> {
    return this.#completed.promise;
  }

  #pump(): void {
    while (this.#turns < TURNS_MAX && this.#isTurnDue()) void this.#turn().catch(this.#completed.reject);
  }

  #wanted(): number {
    const remaining = this.#count - this.#fetched - this.#requested;
    const free = CONNECTIONS - this.#sending - this.#requested;
    return free < remaining ? free - (free % FETCH_STEP) : remaining;
  }

  #isTurnDue(): boolean {
    const jobs = Math.max(this.#wanted(), this.#outcomes.length);
    return jobs >= TURN_JOBS_MIN || (jobs > 0 && (this.#sending === 0 || this.#overdue));
  }

  async #turn(): Promise<void> {
    const wanted = this.#wanted();
    const outcomes = this.#outcomes;
    this.#outcomes = [];
    this.#overdue = false;
    this.#turns += 1;
    this.#requested += wanted;
    const claimed = await queue.turn(outcomes, wanted);
    this.#turns -= 1;
    this.#requested -= wanted;
    this.#fetched += claimed.length;
    this.#recorded += outcomes.length;
    for (const each of claimed) void this.#send(each).catch(this.#completed.reject);
    if (this.#recorded === this.#count) this.#completed.resolve();
    else this.#pump();
  }

  async #send({ job, url, secret }: Claimed): Promise<void> {
    this.#sending += 1;
    const request = { url, headers: signedHeaders(job.data, secret), body: job.data.body };
    const answer = await exchange({ clock: systemClock, transport }, '', request);
    if (answer.status !== 200) throw new Error(`the sink answered ${answer.status}`);
    this.#sending -= 1;
    this.#outcomes.push({ job, answer });
    if (this.#outcomes.length === 1)
      setTimeout(() => {
        this.#overdue = this.#outcomes.length > 0;
        this.#pump();
      }, TURN_WAIT_MS_MAX);
    this.#pump();
  }
}

answerQuestions(({ ask, first, count }: Batch) =>
  ask === 'fill' ? queue.fill(first, count) : new Drain(count).completed,
);
