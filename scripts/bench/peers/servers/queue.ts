import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type Db, type JobInsert, PgBoss } from 'pg-boss';
import { createSecretBox } from '../../../../src/kernel/secret-box.ts';
import type { AttemptResult } from '../../../../src/webhooks/transport/exchange.ts';
import { type Delivery, nthDelivery } from '../../delivery/request.ts';

const QUEUE = 'deliveries';
const INSERT_JOBS = 2000;
const MERCHANT = 'mer_1';

type Payload = Delivery & { readonly merchantId: string };

interface Job {
  readonly id: string;
  readonly retryCount: number;
  readonly data: Payload;
}

/** A job whose attempt is recorded as started, with the URL and the secret of its merchant. */
export interface Claimed {
  readonly job: Job;
  readonly url: string;
  readonly secret: string;
}

export interface Outcome {
  readonly job: Job;
  readonly answer: AttemptResult;
}

/** Tables that an application keeps with pg-boss: merchants, one row per attempt, and events that wait for an earlier one. */
const TABLES = `
  create table merchants (
    id text primary key, webhook_url text, webhook_enabled boolean not null, webhook_secret text not null);
  create table attempts (
    job_id uuid, number integer, started_at timestamptz not null,
    duration_ms integer, status integer, error text, response text,
    primary key (job_id, number)) with (fillfactor = 50);
  create table waiting (
    transaction_id text, position integer, job jsonb not null, primary key (transaction_id, position))`;

/** Records that attempts $2 of the jobs $1 start at $3, and reads the settings of the merchants $4. */
const BEGIN_ATTEMPTS = `
  with begun as (
    insert into attempts (job_id, number, started_at)
    select job_id, number, $3 from unnest($1::uuid[], $2::integer[]) as t (job_id, number))
  select id, webhook_url as url, webhook_enabled as enabled, webhook_secret as encrypted from merchants where id = any ($4)`;

/** Serialises the changes of a transaction's queue of events. */
const LOCK_TRANSACTIONS = `
  select pg_advisory_xact_lock(key)
  from (select hashtextextended(id, 0) as key from unnest($1::text[]) as t (id) order by 1) as keys`;

/** Records the outcomes of attempts $2 of the jobs $1, and removes and returns the next waiting event of the transactions $6. */
const END_ATTEMPTS = `
  with ended as (
    update attempts as a
    set duration_ms = o.duration_ms, status = o.status, response = o.response
    from unnest($1::uuid[], $2::integer[], $3::integer[], $4::integer[], $5::text[])
      as o (job_id, number, duration_ms, status, response)
    where a.job_id = o.job_id and a.number = o.number)
  delete from waiting as w
  where transaction_id = any ($6)
    and position = (select min(position) from waiting where transaction_id = w.transaction_id)
  returning job`;

/** Opens the queue, its tables and one merchant on an empty database. */
export async function openQueue(
  url: string,
  merchant: { url: string; secret: string },
  connectionsMax: number,
) {
  const pool = new pg.Pool({ connectionString: url, max: connectionsMax });
  const query = (text: string, values?: unknown[]) => pool.query(text, values);
  const boss = new PgBoss({ db: { executeSql: query }, supervise: false, schedule: false });
  boss.on('error', (error) => {
    throw error;
  });
  await boss.start();
  const retries = { retryLimit: 3, retryDelay: 1, expireInSeconds: 60 };
  // Policy exclusive: the second event of a transaction is not queued while its first is unfinished.
  await boss.createQueue(QUEUE, { policy: 'exclusive', partition: true, ...retries });
  await query(TABLES);
  const box = createSecretBox(randomBytes(32), randomBytes);
  const encrypted = box.encrypt(merchant.secret, MERCHANT);
  await query('insert into merchants values ($1, $2, true, $3)', [MERCHANT, merchant.url, encrypted]);
  const secrets = new Map<string, string>();
  const openSecret = (text: string): string => {
    const secret = secrets.get(text) ?? box.decrypt(text, MERCHANT);
    secrets.set(text, secret);
    return secret;
  };

  return {
    async fill(first: number, count: number): Promise<void> {
      for (let at = first; at < first + count; at += INSERT_JOBS) {
        const length = Math.min(INSERT_JOBS, first + count - at);
        const jobs = Array.from({ length }, (_, i) => nthJob(at + i));
        await boss.insert(QUEUE, jobs);
      }
      // Autovacuum does this for a queue in use.
      await query('vacuum analyze');
    },

    /** Records outcomes and claims up to `wanted` jobs in one transaction. */
    async turn(outcomes: readonly Outcome[], wanted: number): Promise<Claimed[]> {
      const client = await pool.connect();
      const db: Db = { executeSql: (text, values) => client.query(text, values) };
      try {
        await db.executeSql('begin');
        if (outcomes.length > 0) await end(boss, db, outcomes);
        const jobs = wanted > 0 ? await boss.fetch<Payload>(QUEUE, { batchSize: wanted, db }) : [];
        const merchants = jobs.length === 0 ? [] : await begin(db, jobs);
        await db.executeSql('commit');
        const settings = new Map(merchants.map((row) => [row.id, row]));
        return jobs.map((job) => {
          const { url, enabled, encrypted = '' } = settings.get(job.data.merchantId) ?? {};
          if (!url || !enabled) throw new Error('the webhook is off');
          return { job, url, secret: openSecret(encrypted) };
        });
      } finally {
        client.release();
      }
    },
  };
}

/** Returns the settings of the jobs' merchants. */
async function begin(db: Db, jobs: readonly Job[]) {
  const { rows } = await db.executeSql(BEGIN_ATTEMPTS, [
    jobs.map(({ id }) => id),
    jobs.map(({ retryCount }) => retryCount + 1),
    new Date(),
    [...new Set(jobs.map(({ data }) => data.merchantId))],
  ]);
  return rows as { id: string; url: string | null; enabled: boolean; encrypted: string }[];
}

async function end(boss: PgBoss, db: Db, outcomes: readonly Outcome[]): Promise<void> {
  const transactionIds = outcomes.map(({ job }) => job.data.transactionId);
  await db.executeSql(LOCK_TRANSACTIONS, [transactionIds]);
  const freed = await db.executeSql(END_ATTEMPTS, [
    outcomes.map(({ job }) => job.id),
    outcomes.map(({ job }) => job.retryCount + 1),
    outcomes.map(({ answer }) => answer.durationMs),
    outcomes.map(({ answer }) => answer.status),
    outcomes.map(({ answer }) => answer.response),
    transactionIds,
  ]);
  const jobs = outcomes.map(({ job }) => job);
  const completed = await boss.complete(QUEUE, jobs, null, { db });
  const { affected } = completed as { affected: number };
  if (affected !== outcomes.length) throw new Error(`${affected} of ${outcomes.length} jobs were completed`);
  const next = freed.rows.map(({ job }) => job as JobInsert);
  if (next.length > 0) await boss.insert(QUEUE, next, { db });
}

function nthJob(n: number): JobInsert {
  const transactionId = `tx_${n}`;
  // Ids sort by time, as UUIDs of version 7 do.
  const id = `018f0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
  return {
    id,
    singletonKey: transactionId,
    data: { ...nthDelivery(n), merchantId: MERCHANT, transactionId },
  };
}
