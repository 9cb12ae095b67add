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

/** Sends the `count` queued jobs. Resolves when all are completed. */
function drain(count: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let outcomes: Outcome[] = [];
  let sending = 0;
  let requested = 0;
  let fetched = 0;
  let recorded = 0;
  let turns = 0;
  let isOverdue = false;

  function pump(): void {
    while (turns < TURNS_MAX && isTurnDue()) void turn().catch(reject);
  }

  function wantedJobs(): number {
    const remaining = count - fetched - requested;
    const free = CONNECTIONS - sending - requested;
    return free < remaining ? free - (free % FETCH_STEP) : remaining;
  }

  function isTurnDue(): boolean {
    const jobs = Math.max(wantedJobs(), outcomes.length);
    return jobs >= TURN_JOBS_MIN || (jobs > 0 && (sending === 0 || isOverdue));
  }

  async function turn(): Promise<void> {
    const wanted = wantedJobs();
    const ended = outcomes;
    outcomes = [];
    isOverdue = false;
    turns += 1;
    requested += wanted;
    const claimed = await queue.turn(ended, wanted);
    turns -= 1;
    requested -= wanted;
    fetched += claimed.length;
    recorded += ended.length;
    for (const each of claimed) void send(each).catch(reject);
    if (recorded === count) resolve();
    else pump();
  }

  async function send({ job, url, secret }: Claimed): Promise<void> {
    sending += 1;
    const request = { url, headers: signedHeaders(job.data, secret), body: job.data.body };
    const answer = await exchange({ clock: systemClock, transport }, '', request);
    if (answer.status !== 200) throw new Error(`the sink answered ${answer.status}`);
    sending -= 1;
    outcomes.push({ job, answer });
    if (outcomes.length === 1)
      setTimeout(() => {
        isOverdue = outcomes.length > 0;
        pump();
      }, TURN_WAIT_MS_MAX);
    pump();
  }

  pump();
  return promise;
}

answerQuestions(({ ask, first, count }: Batch) => (ask === 'fill' ? queue.fill(first, count) : drain(count)));
