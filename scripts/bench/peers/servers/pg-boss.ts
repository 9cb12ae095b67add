import { type Claimed, type Outcome, openOutbox } from './boss/outbox.ts';
import { createPost } from './boss/post.ts';

/**
 * The peer `pg-boss`: a queue of deliveries on PostgreSQL that keeps what the service's outbox keeps. An attempt's row is committed
 * before its request leaves; its outcome (status, duration, start of the answer) is written with the completion of the job; the
 * merchant's URL, toggle and sealed secret are read by the commit that claims; the events of a transaction go out one after
 * the other, a failed one's retries included. Takes BENCH_DATABASE, BENCH_URL, BENCH_CA, BENCH_SECRET, BENCH_CONNECTIONS and
 * BENCH_DRIVEN.
 *
 * One transaction ends a batch and claims the next, by pg-boss's own calls on a connection that it is lent, as its documentation
 * shows. It claims as many as connections are free, as the service does, so that settings which change hold for whatever
 * leaves from then on.
 *
 * With BENCH_DRIVEN = 1 it is the fastest that was found, for comparison: another way to the server put under pg-boss (each
 * statement planned once, and sent before the one ahead of it is answered), and one batch fetched ahead of the connections; settings
 * are read again when an attempt leaves noticeably later.
 *
 * Deliveries per second on 2 cores, driven but where it says otherwise; what is compared comes from one run, and 1,500 either way
 * are no difference:
 * - not driven: nothing ahead 7,000 (turns of 8 jobs or more 6,400, of 16 7,100, of 24 7,000; three turns at a time 5,200), one batch ahead 10,000
 * - fetched ahead by 512, neither attempts, settings nor order kept (not this work): 17,100
 * - the queue's own order (`key_strict_fifo`), which looks at every queued job for each fetch: 3,100; a table beside the queue: 13,100
 * - no job fetched ahead: 7,800; one batch: 9,700
 * - one transaction at a time, of any size: 13,200; of 16 jobs or more: 14,300; two at a time, of 24 or more: 15,800
 * - statements planned anew each time: 10,500 instead of 13,100; each sent when the one before was answered: 9,200;
 *   both, as pg-boss's own connections do it: 9,000
 * - room for the outcome on an attempt's page: 13,100 instead of 11,600
 * - no difference: ids in the order of time, the queue in a partition of its own, completed by id alone instead of by attempt,
 *   lanes not locked, policy `standard` instead of `exclusive` (which says that a transaction's earlier event is unfinished)
 * - not this work either: no row before the request but one afterwards: 13,500 instead of 12,200; jobs deleted instead of
 *   completed, so that nothing shows what was delivered: 14,500 instead of 11,100
 */
const env = process.env;
const url = env.BENCH_URL ?? '';
const connections = Number(env.BENCH_CONNECTIONS);
const driven = env.BENCH_DRIVEN === '1';
/** Jobs that are fetched before a connection is free for them. */
const AHEAD_MAX = driven ? connections : 0;
/** Settings that are older when their attempt is sent are read again: behind an endpoint that hangs, for instance. */
const SETTINGS_MS_MAX = 50;
const TURNS_MAX = 2;
/** A turn waits for so many outcomes or places, and for no longer than this. */
const TURN_JOBS_MIN = Math.ceil(connections * 0.75);
const TURN_WAIT_MS_MAX = 3;
/** Few sizes of batches: each is a statement of its own to PostgreSQL. */
const FETCH_STEP = 8;

const outbox = await openOutbox(
  env.BENCH_DATABASE ?? '',
  { url, secret: env.BENCH_SECRET ?? '' },
  { max: TURNS_MAX + 1, driven },
);
const post = createPost(url, env.BENCH_CA ?? '', connections);

/** Sends what is queued, `count` jobs. */
class Drain {
  /** Resolves when all are completed. */
  readonly completed: Promise<void>;
  readonly #count: number;
  readonly #ready: Claimed[] = [];
  #ended: Outcome[] = [];
  #busy = 0;
  #asked = 0;
  #fetched = 0;
  #recorded = 0;
  #turns = 0;
  #late = false;
  #end: () => void = () => {};
  #fail: (error: unknown) => void = () => {};

  constructor(count: number) {
    this.#count = count;
    this.completed = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
    this.#pump();
  }

  #pump(): void {
    while (this.#busy < connections && this.#ready.length > 0) {
      const claimed = this.#ready.shift();
      if (claimed !== undefined) void this.#send(claimed).catch(this.#fail);
    }
    while (this.#turns < TURNS_MAX && this.#isWorthATurn()) void this.#turn().catch(this.#fail);
  }

  #wanted(): number {
    const { length } = this.#ready;
    const left = this.#count - this.#fetched - this.#asked;
    const places = connections + AHEAD_MAX - this.#busy - length - this.#asked;
    return places < left ? places - (places % FETCH_STEP) : left;
  }

  #isWorthATurn(): boolean {
    const jobs = Math.max(this.#wanted(), this.#ended.length);
    const isIdle = this.#busy + this.#ready.length === 0;
    return jobs >= TURN_JOBS_MIN || (jobs > 0 && (isIdle || this.#late));
  }

  async #turn(): Promise<void> {
    const want = this.#wanted();
    const outcomes = this.#ended;
    this.#ended = [];
    this.#late = false;
    this.#turns += 1;
    this.#asked += want;
    const claimed = await outbox.turn(outcomes, want);
    this.#turns -= 1;
    this.#asked -= want;
    this.#fetched += claimed.length;
    this.#recorded += outcomes.length;
    this.#ready.push(...claimed);
    if (this.#recorded === this.#count) this.#end();
    else this.#pump();
  }

  async #send(claimed: Claimed): Promise<void> {
    this.#busy += 1;
    const { url: to, enabled, sealed } = await present(claimed);
    if (to === null || !enabled) throw new Error('the merchant takes no deliveries');
    const { job } = claimed;
    const answer = await post(to, outbox.openSecret(sealed), job.data);
    if (answer.status !== 200) throw new Error(`the sink answered ${answer.status}`);
    this.#busy -= 1;
    this.#ended.push({ job, answer });
    if (this.#ended.length === 1) setTimeout(() => this.#hurry(), TURN_WAIT_MS_MAX);
    this.#pump();
  }

  #hurry(): void {
    this.#late = this.#ended.length > 0;
    this.#pump();
  }
}

/** The settings that hold for an attempt that is sent now. */
async function present({ job, settings, readAt }: Claimed) {
  if (Date.now() - readAt <= SETTINGS_MS_MAX) return settings;
  return (await outbox.readSettings(job.data.merchantId)) ?? { url: null, enabled: false, sealed: '' };
}

type Question = { ask: 'fill'; first: number; count: number } | { ask: 'drain'; count: number };

process.on('message', (question: Question) => {
  const done =
    question.ask === 'fill'
      ? outbox.fill(question.first, question.count)
      : new Drain(question.count).completed;
  void done.then(() => process.send?.('done'));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
