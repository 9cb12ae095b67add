import { CHANNEL } from '../../src/db/postgres/listener-connection.ts';
import { until } from '../../test/support/until.ts';
import { execute, readRows } from './database.ts';
import { dueRows } from './delivery/due-rows.ts';
import type { Sender } from './delivery/senders.ts';
import type { Sink } from './delivery/sink.ts';
import type { Environment } from './process.ts';
import type { Server } from './servers.ts';
import { createShops, install, launch } from './service.ts';

const SETTLE_MS_MAX = 60_000;
const DELIVERED = "select count(*) as count from deliveries where state = 'delivered'";

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
    fill: async () => {},
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
