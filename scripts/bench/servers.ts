import { fileURLToPath } from 'node:url';
import { CHANNEL } from '../../src/db/postgres/listener-connection.ts';
import { until } from '../../test/support/until.ts';
import type { Peer } from './comparison.ts';
import { execute, readRows } from './database.ts';
import { dueRows } from './delivery/due-rows.ts';
import type { Sender } from './delivery/senders.ts';
import type { Sink } from './delivery/sink.ts';
import { type Environment, startServer } from './process.ts';
import type { Shop } from './requests.ts';
import { createShops, install, launch } from './service.ts';

const LIMIT = fileURLToPath(new URL('./programs/limit.ts', import.meta.url));
const LIMIT_SHOP = {
  authorization: 'Bearer sk_bench_of_the_same_length_as_a_real_key_0000',
  domain: 'bench-shop.example',
};
const SETTLE_MS_MAX = 60_000;
const DELIVERED = "select count(*) as count from deliveries where state = 'delivered'";

export interface Server extends Pick<Peer, 'pids' | 'stop'> {
  /** One for each process; the connections are distributed over them. */
  readonly ports: readonly number[];
  readonly shop: Shop;
  /** Its database, and the table of its transactions. */
  readonly url: string;
  readonly table: 'payments' | 'transactions';
  createShops(count: number): Promise<readonly Shop[]>;
}

/** The upper limit of one Node.js process: the least work that stores a payment durably. */
export async function startLimit(folder: string, url: string): Promise<Server> {
  const env = { BENCH_DATABASE: url, NODE_ENV: 'production' };
  const server = await startServer(folder, [LIMIT], env);
  return {
    ports: [server.port],
    pids: [server.pid],
    shop: LIMIT_SHOP,
    stop: server.stop,
    ...({ url, table: 'payments' } as const),
    createShops: async (count) => Array.from({ length: count }, () => LIMIT_SHOP),
  };
}

/** Processes of the service with an empty database. One transaction inserts the due deliveries of one merchant. */
export async function startOurs(
  folder: string,
  sink: Sink | null,
  settings: Environment = {},
  count = 1,
): Promise<Server & Sender> {
  const installation = await install(folder, sink, settings);
  const { url, merchantId, webhookSecret } = installation;
  const processes = [await launch(installation)];
  while (processes.length < count) processes.push(await launch(installation));
  return {
    ports: processes.map(({ port }) => port),
    pids: processes.map(({ pid }) => pid),
    shop: installation,
    secret: webhookSecret,
    async stop() {
      for (const each of processes) await each.stop();
    },
    ...({ url, table: 'transactions' } as const),
    createShops(shops) {
      const domains = Array.from({ length: shops }, (_, i) => `shop-${i}.example`);
      return createShops(installation, domains);
    },
    async go(after, due) {
      // Wakes every process at once, as the service's cluster bus does.
      const wake = url.startsWith('sqlite:') ? [] : [`select pg_notify('${CHANNEL}', 'bench deliveries')`];
      await execute(url, [...dueRows(merchantId, after, due), ...wake]);
    },
    async settled(total) {
      const areRecorded = async () => Number((await readRows(url, DELIVERED))[0]?.count) === total;
      await until(areRecorded, `the service to record ${total} deliveries as delivered`, SETTLE_MS_MAX);
    },
  };
}
