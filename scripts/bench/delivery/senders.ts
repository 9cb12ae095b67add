import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { CHANNEL } from '../../../src/db/postgres/listener-connection.ts';
import { systemRandom } from '../../../src/kernel/random.ts';
import { newWebhookSecret } from '../../../src/merchants/secrets.ts';
import { until } from '../../../test/support/until.ts';
import { type Environment, type ServerProcess, startProgram } from '../process.ts';
import { type Installation, install, launch } from '../service.ts';
import { dueRows } from './due-rows.ts';
import { programEnv, type Sink } from './sink.ts';

const SETTLE_MS_MAX = 60_000;
const BUSY_MS_MAX = 30_000;
const DELIVERED = "select count(*) as count from deliveries where state = 'delivered'";

/** A peer that sends deliveries to the sink. */
export interface Sender {
  readonly name: string;
  readonly description: string;
  readonly pids: readonly number[];
  /** The secret that signs its deliveries. */
  readonly secret: string;
  /** Prepares the next deliveries, numbered from `after` + 1; not measured. */
  fill(after: number, count: number): Promise<void>;
  /** Starts sending them. */
  go(after: number, count: number): Promise<void>;
  /** Waits until its own records show all `total` deliveries so far. Throws when they do not. */
  settled(total: number): Promise<void>;
  stop(): Promise<void>;
}

/** The operations of the service's database that the measurement uses. */
interface Outbox {
  /** Runs statements in one transaction. */
  insert(statements: readonly string[]): Promise<void>;
  delivered(): Promise<number>;
  close(): Promise<void>;
}

/** The service on SQLite, or on the PostgreSQL database at `url`. One transaction inserts the due deliveries of one merchant. */
export async function startOurs(folder: string, sink: Sink, url: string | null = null): Promise<Sender> {
  // The bank is never called; without the sandbox the processors are free for the service.
  const settings = url === null ? {} : { SERVICE_DATABASE_URL: url, SERVICE_BANK: 'ifthenpay' };
  const installation = await install(folder, sink, { ...settings, SERVICE_LOG_LEVEL: 'error' });
  return await serviceSender('ours', installation, [await launch(installation)]);
}

/** Processes of the service on one installation. Their database must hold no deliveries yet. */
export async function serviceSender(
  name: string,
  installation: Installation,
  services: readonly ServerProcess[],
): Promise<Sender> {
  const url = installation.env.SERVICE_DATABASE_URL ?? '';
  const outbox = url.startsWith('postgres:') ? await postgresOutbox(url) : sqliteOutbox(installation);
  return {
    name,
    description: 'the service: outbox and attempts in durable commits, one merchant',
    pids: services.map(({ pid }) => pid),
    secret: installation.webhookSecret,
    fill: async () => {},
    go: (after, count) => outbox.insert(dueRows({ merchantId: installation.merchantId, after, count })),
    async settled(total) {
      const areRecorded = async () => (await outbox.delivered()) === total;
      await until(areRecorded, `${name} to record ${total} deliveries as delivered`, SETTLE_MS_MAX);
    },
    async stop() {
      await outbox.close();
      for (const service of services) await service.stop();
    },
  };
}

/** The upper limit of one Node.js process. */
export function startLoop(sink: Sink): Promise<Sender> {
  const description = 'a bare undici loop: signs and posts, stores nothing';
  return programSender({ name: 'loop', description }, 'programs/loop.ts', sink);
}

/** pg-boss on the PostgreSQL database at `url`. */
export function startPgBoss(url: string, sink: Sink): Promise<Sender> {
  const description =
    'pg-boss on PostgreSQL with fsync, tuned, with the same guarantees: attempts, outcomes, settings read at the claim, order';
  const env = { BENCH_DATABASE: url };
  return programSender({ name: 'pg-boss', description }, 'peers/servers/pg-boss.ts', sink, env);
}

/** A message to the program of a sender: deliveries that it must queue, or send. */
export interface Batch {
  readonly ask: 'fill' | 'send';
  readonly first: number;
  readonly count: number;
}

async function programSender(
  shown: Pick<Sender, 'name' | 'description'>,
  file: string,
  sink: Sink,
  env: Environment = {},
): Promise<Sender> {
  const secret = newWebhookSecret(systemRandom);
  const program = await startProgram(file, { ...programEnv(sink, secret), ...env });
  const ask = (batch: Batch) => program.ask<void>(batch);
  let sending = Promise.resolve();
  return {
    ...shown,
    pids: [program.pid],
    secret,
    fill: (after, count) => ask({ ask: 'fill', first: after + 1, count }),
    async go(after, count) {
      sending = ask({ ask: 'send', first: after + 1, count });
    },
    settled: () => sending,
    stop: program.stop,
  };
}

function sqliteOutbox({ file }: Installation): Outbox {
  const handle = new Sqlite(file, { timeout: BUSY_MS_MAX });
  const delivered = handle.prepare<[], { count: number }>(DELIVERED);
  return {
    async insert(statements) {
      handle.exec(['begin immediate', ...statements, 'commit'].join(';\n'));
    },
    delivered: async () => delivered.get()?.count ?? 0,
    async close() {
      handle.close();
    },
  };
}

async function postgresOutbox(url: string): Promise<Outbox> {
  const client = new pg.Client({ connectionString: url });
  // The next query reports a lost server.
  client.on('error', () => {});
  await client.connect();
  return {
    async insert(statements) {
      await client.query(['begin', ...statements, 'commit'].join(';\n'));
      // Wakes every process at once, as the service's cluster bus does.
      await client.query(`select pg_notify('${CHANNEL}', 'bench deliveries')`);
    },
    delivered: async () => Number((await client.query<{ count: string }>(DELIVERED)).rows[0]?.count),
    close: () => client.end(),
  };
}
