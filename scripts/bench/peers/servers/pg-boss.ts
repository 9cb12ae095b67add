import { PgBoss } from 'pg-boss';
import { Pool } from 'undici';
import { type Delivery, nthDelivery, signedHeaders } from '../../deliveries/request.ts';

/**
 * The peer `pg-boss`: a queue of deliveries on PostgreSQL. Tuned: jobs are fetched by the hundreds, ahead of the senders, without
 * polling pauses; connections never wait for a batch to end; what was sent is completed by the hundreds. Takes BENCH_DATABASE,
 * BENCH_URL, BENCH_CA, BENCH_SECRET and BENCH_CONNECTIONS.
 */
const env = process.env;
const QUEUE = 'deliveries';
const FETCH_JOBS = 512;
const INSERT_JOBS = 2000;
const connections = Number(env.BENCH_CONNECTIONS);
const { origin, pathname } = new URL(env.BENCH_URL ?? '');
const pool = new Pool(origin, { connections, pipelining: 1, connect: { ca: env.BENCH_CA ?? '' } });
const boss = new PgBoss({
  connectionString: env.BENCH_DATABASE ?? '',
  max: 10,
  supervise: false,
  schedule: false,
});
boss.on('error', (error) => {
  throw error;
});
await boss.start();
// What a failed delivery would ask for; none fails here.
await boss.createQueue(QUEUE, { retryLimit: 3, retryDelay: 1, expireInSeconds: 60 });

async function fill(first: number, count: number): Promise<void> {
  for (let at = first; at < first + count; at += INSERT_JOBS) {
    const length = Math.min(INSERT_JOBS, first + count - at);
    const jobs = Array.from({ length }, (_, i) => ({ data: nthDelivery(at + i) }));
    await boss.insert(QUEUE, jobs);
  }
}

interface Job {
  readonly id: string;
  readonly data: Delivery;
}

/** Sends what is queued, `count` jobs; resolves when all are completed. */
async function drain(count: number): Promise<void> {
  const waiting: Job[] = [];
  let sent: string[] = [];
  let fetched = 0;
  let completed = 0;
  let fetching: Promise<void> | null = null;
  let completing: Promise<void> | null = null;
  const fetchMore = () => {
    if (waiting.length >= FETCH_JOBS || fetched >= count) return null;
    fetching ??= boss.fetch<Delivery>(QUEUE, { batchSize: FETCH_JOBS }).then((jobs) => {
      fetching = null;
      fetched += jobs.length;
      waiting.push(...jobs);
    });
    return fetching;
  };
  const completeAll = async () => {
    while (sent.length > 0) {
      const ids = sent;
      sent = [];
      await boss.complete(QUEUE, ids);
      completed += ids.length;
    }
    completing = null;
  };
  const lane = async () => {
    for (;;) {
      const more = fetchMore();
      const job = waiting.shift();
      if (job !== undefined) {
        await post(job.data);
        sent.push(job.id);
        completing ??= completeAll();
      } else if (more !== null) await more;
      else return;
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  while (completing !== null) await completing;
  if (completed !== count) throw new Error(`${completed} of ${count} jobs were completed`);
}

async function post(delivery: Delivery): Promise<void> {
  const headers = signedHeaders(delivery, env.BENCH_SECRET ?? '');
  const answer = await pool.request({ method: 'POST', path: pathname, headers, body: delivery.body });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`the sink answered ${answer.statusCode}`);
}

type Question = { ask: 'fill'; first: number; count: number } | { ask: 'drain'; count: number };

process.on('message', (question: Question) => {
  const done = question.ask === 'fill' ? fill(question.first, question.count) : drain(question.count);
  void done.then(() => process.send?.('done'));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
