import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { temporaryFolder } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { urls } from '../support/known-urls.ts';
import { administer, type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { startReceiver } from '../support/tls-receiver.ts';

/** A server with the empty database `pcs`, stopped after the test. */
export async function serverOfTest(...settings: string[]): Promise<PostgresServer> {
  const server = await startPostgresServer();
  onTestFinished(() => server.stop());
  if (settings.length > 0) await server.restart(...settings);
  await server.create('pcs');
  return server;
}

/** A server as above, the address of its database, and a proxy with the address that leads through it. */
export async function proxiedServer() {
  const server = await serverOfTest();
  const direct = server.url('pcs');
  const proxy = await startTcpProxy(Number(new URL(direct).port));
  return { server, direct, proxy, url: Object.assign(new URL(direct), { port: String(proxy.port) }).href };
}

/** The database at `url`, closed after the test. */
export async function openedDatabase(url: string): Promise<Database> {
  const db = await openDatabase(url);
  onTestFinished(() => db.close());
  return db;
}

/** A service on the database at `url` with its sandbox, and a merchant with a receiver. */
export async function serviceOn(url: string) {
  const folder = temporaryFolder();
  urls.set(folder, url);
  const receiver = await startReceiver();
  const env = {
    SERVICE_SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
    SERVICE_MBWAY_WINDOW_SECONDS: '5',
    SERVICE_MBWAY_GRACE_SECONDS: '1',
  };
  const service = await startService({ folder, env, webhookCa: receiver.ca });
  const merchant = await service.merchant({ name: 'Shop', webhookUrl: receiver.url });
  return {
    app: service.app,
    receiver,
    merchant,
    /** The orders of all pushes that the bank accepted. */
    pushedOrders() {
      const sandbox = new Sqlite(join(folder, 'sandbox.db'), { readonly: true });
      const rows = sandbox.prepare('select description from pushes').all() as { description: string }[];
      sandbox.close();
      return rows.map(({ description }) => description.replace('Shop ', ''));
    },
  };
}

/** Runs a query on the database `pcs` of a server, on a new connection. */
export const ask = (server: PostgresServer, query: string) => administer(server.url('pcs'), query);

/** Calls until the test is over. Runs `step` in so many loops; a pause after each failed one. */
export function loops(count: number, step: (loop: number) => Promise<boolean>) {
  let isOver = false;
  const running = Array.from({ length: count }, async (_, loop) => {
    while (!isOver) if (!(await step(loop))) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  const stop = async () => {
    isOver = true;
    await Promise.all(running);
  };
  onTestFinished(stop);
  return { stop };
}
