import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { BenchError } from '../contest.ts';
import { dueStatements, POSTGRES } from '../deliveries/due.ts';
import type { Sender } from '../deliveries/sender.ts';
import { type Installation, install } from '../service.ts';
import type { Sink } from '../sink.ts';

const SETTLE_MS_MAX = 60_000;
const POLL_MS = 50;

/** An installation of the service on PostgreSQL, for any number of processes. */
export interface PostgresSite {
  readonly installation: Installation;
  /** Throws BenchError when one of the ids is no stored transaction. */
  verifyStored(ids: readonly string[]): Promise<void>;
  /** The outbox as a sender of due deliveries, by whatever processes run. */
  sender(pid: number): Sender;
  close(): Promise<void>;
}

/** Makes an installation on the database at this address. */
export async function openSite(folder: string, address: string, sink: Sink): Promise<PostgresSite> {
  // Nothing here asks a bank: the real one without credentials is never called, and no sandbox takes a share of the machine.
  const env = { SERVICE_DATABASE_URL: address, SERVICE_BANK: 'ifthenpay', SERVICE_LOG_LEVEL: 'error' };
  const installation = await install(folder, sink, env);
  const client = new pg.Client({ connectionString: address });
  // A server that is gone is told by the next question.
  client.on('error', () => {});
  await client.connect();
  const count = async (query: string, values: unknown[] = []) =>
    Number((await client.query<{ count: string }>(query, values)).rows[0]?.count);
  return {
    installation,
    async verifyStored(ids) {
      const stored = await count('select count(*) from transactions where id = any($1)', [ids]);
      if (stored !== ids.length)
        throw new BenchError(`${ids.length - stored} of ${ids.length} answered ids are not in the database`);
    },
    sender: (pid) => ({
      name: 'ours',
      about: '',
      pid,
      secret: installation.webhookSecret,
      fill: async () => {},
      async go(after, count) {
        await client.query('begin');
        const { merchantId } = installation;
        for (const statement of dueStatements(POSTGRES, { merchantId, after, count }))
          await client.query(statement);
        await client.query('commit');
      },
      async settled(total) {
        const giveUpAt = performance.now() + SETTLE_MS_MAX;
        const delivered = () => count("select count(*) from deliveries where state = 'delivered'");
        while ((await delivered()) !== total) {
          if (performance.now() > giveUpAt)
            throw new BenchError(`${await delivered()} of ${total} deliveries are recorded as delivered`);
          await wait(POLL_MS);
        }
      },
      stop: async () => {},
    }),
    close: () => client.end(),
  };
}
