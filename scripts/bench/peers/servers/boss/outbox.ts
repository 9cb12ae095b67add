import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Db, type JobInsert, PgBoss } from 'pg-boss';
import { createSecretBox } from '../../../../../src/kernel/secret-box.ts';
import { type Delivery, nthDelivery } from '../../../deliveries/request.ts';
import type { Answer } from './post.ts';
import { BEGIN_ATTEMPTS, END_ATTEMPTS, LOCK_LANES, READ_SETTINGS, TABLES } from './tables.ts';

const QUEUE = 'deliveries';
const INSERT_JOBS = 2000;
const MERCHANT = 'mer_1';
const SECRETS_KEPT_MAX = 1000;

interface Payload extends Delivery {
  readonly merchantId: string;
  readonly transactionId: string;
}

interface Job {
  readonly id: string;
  readonly retryCount: number;
  readonly data: Payload;
}

export interface Settings {
  readonly url: string | null;
  readonly enabled: boolean;
  readonly sealed: string;
}

/** A job whose attempt is written as begun. */
export interface Claimed {
  readonly job: Job;
  readonly settings: Settings;
  /** When the settings were read. */
  readonly readAt: number;
}

export interface Outcome {
  readonly job: Job;
  readonly answer: Answer;
}

export type Outbox = Awaited<ReturnType<typeof openOutbox>>;

/**
 * The queue, its tables and one merchant, on an empty database. Uses so many connections to it. `driven` puts another way to the
 * server under pg-boss: each statement is planned once, and sent before the one ahead of it is answered.
 */
export async function openOutbox(
  address: string,
  merchant: { url: string; secret: string },
  { max, driven }: { max: number; driven: boolean },
) {
  const pool = new pg.Pool({ connectionString: address, max, pipeline: driven });
  const query = (text: string, values?: unknown[]) => pool.query(text, values);
  const boss = new PgBoss({ db: { executeSql: query }, supervise: false, schedule: false });
  boss.on('error', (error) => {
    throw error;
  });
  await boss.start();
  // Exclusive: a transaction's second event is not queued beside its first, and its writer knows to let it wait. The retries are
  // what a failed delivery would ask for; none fails here.
  const retries = { retryLimit: 3, retryDelay: 1, expireInSeconds: 60 };
  await boss.createQueue(QUEUE, { policy: 'exclusive', partition: true, ...retries });
  await query(TABLES);
  const box = createSecretBox(randomBytes(32), randomBytes);
  const sealed = box.seal(merchant.secret, MERCHANT);
  await query('insert into merchants values ($1, $2, true, $3)', [MERCHANT, merchant.url, sealed]);
  const opened = new Map<string, string>();

  return {
    /** Queues the deliveries from the `first` on, each the first of its transaction, so that none has to wait. */
    async fill(first: number, count: number): Promise<void> {
      for (let at = first; at < first + count; at += INSERT_JOBS) {
        const length = Math.min(INSERT_JOBS, first + count - at);
        await boss.insert(
          QUEUE,
          Array.from({ length }, (_, i) => nthJob(at + i)),
        );
      }
      // What autovacuum does for a queue that has run for a while.
      await query('vacuum analyze');
    },

    /** Writes outcomes and claims up to `want` jobs, in one commit. */
    async turn(outcomes: readonly Outcome[], want: number): Promise<Claimed[]> {
      const client = await pool.connect();
      try {
        const db = driven ? prepared(client) : plain(client);
        // Driven, what does not need an answer is sent before it comes: two ways to the server and back in all.
        const begun = db.executeSql('begin');
        const ended = outcomes.length > 0 && end(boss, db, outcomes);
        const fetching = want > 0 ? boss.fetch<Payload>(QUEUE, { batchSize: want, db }) : [];
        const [jobs] = await Promise.all([fetching, begun, ended]);
        const readAt = Date.now();
        const [settings] = await Promise.all([begin(db, jobs), db.executeSql('commit')]);
        return jobs.flatMap((job) => {
          const found = settings.get(job.data.merchantId);
          return found === undefined ? [] : { job, settings: found, readAt };
        });
      } finally {
        client.release();
      }
    },

    async readSettings(merchantId: string): Promise<Settings | undefined> {
      return byMerchant(await query(READ_SETTINGS, [[merchantId]])).get(merchantId);
    },

    openSecret(text: string): string {
      const known = opened.get(text);
      if (known !== undefined) return known;
      const secret = box.open(text, MERCHANT);
      if (opened.size >= SECRETS_KEPT_MAX) opened.clear();
      opened.set(text, secret);
      return secret;
    },
  };
}

async function begin(db: Db, jobs: readonly Job[]): Promise<Map<string, Settings>> {
  if (jobs.length === 0) return new Map();
  return byMerchant(
    await db.executeSql(BEGIN_ATTEMPTS, [
      jobs.map(({ id }) => id),
      jobs.map(({ retryCount }) => retryCount + 1),
      new Date(),
      [...new Set(jobs.map(({ data }) => data.merchantId))],
    ]),
  );
}

async function end(boss: PgBoss, db: Db, outcomes: readonly Outcome[]): Promise<void> {
  const transactionIds = outcomes.map(({ job }) => job.data.transactionId);
  const [, freed, completed] = await Promise.all([
    db.executeSql(LOCK_LANES, [transactionIds]),
    db.executeSql(END_ATTEMPTS, [
      outcomes.map(({ job }) => job.id),
      outcomes.map(({ job }) => job.retryCount + 1),
      outcomes.map(({ answer }) => answer.durationMs),
      outcomes.map(({ answer }) => answer.status),
      outcomes.map(() => null),
      outcomes.map(({ answer }) => answer.response),
      transactionIds,
    ]),
    // The jobs, not their ids: only the attempt that was fetched is completed.
    boss.complete(
      QUEUE,
      outcomes.map(({ job }) => job),
      null,
      { db },
    ),
  ]);
  // Its declared type says nothing of what it holds.
  const { affected } = completed as { affected: number };
  if (affected !== outcomes.length) throw new Error(`${affected} of ${outcomes.length} jobs were completed`);
  if (freed.rows.length > 0) {
    await boss.insert(
      QUEUE,
      freed.rows.map(({ job }) => job as JobInsert),
      { db },
    );
  }
}

function byMerchant({ rows }: { rows: unknown[] }): Map<string, Settings> {
  return new Map((rows as (Settings & { id: string })[]).map((row) => [row.id, row]));
}

function nthJob(n: number): JobInsert {
  const transactionId = `tx_${n}`;
  // In the order of creation, as a UUID of version 7 is.
  const id = `018f0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
  return {
    id,
    singletonKey: transactionId,
    data: { ...nthDelivery(n), merchantId: MERCHANT, transactionId },
  };
}

const names = new Map<string, string>();

/** The connection as pg-boss wants it, one statement after the other. */
function plain(client: pg.PoolClient): Db {
  let last: Promise<unknown> = Promise.resolve();
  return {
    executeSql(text, values) {
      const query = last.then(() => client.query(text, values));
      last = query;
      return query;
    },
  };
}

/** The same, planning each statement once. */
function prepared(client: pg.PoolClient): Db {
  return {
    executeSql(text, values) {
      const name = names.get(text) ?? `s${names.size}`;
      names.set(text, name);
      return client.query({ name, text, ...(values && { values }) });
    },
  };
}
