import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, startServer } from '../child.ts';
import type { Peer } from '../contest.ts';
import { STORE_DOMAIN } from '../order.ts';
import { storedIds } from '../stored-ids.ts';

const KEY = 'sk_bench_of_the_same_length_as_a_real_key_0000';

export interface BareServer {
  readonly name: string;
  readonly about: string;
  /** Its program, below this folder. */
  readonly file: string;
  /** Where its payments are. */
  readonly table: 'payments' | 'transactions';
  readonly packaged?: boolean;
}

/** A peer that is one small program: it listens on BENCH_PORT, stores in BENCH_FILE and answers `/` when it is ready. */
export function bareServer({ name, about, file, table, packaged = false }: BareServer): Peer {
  return {
    name,
    about,
    packaged,
    async start(folder) {
      const port = await freePort();
      const database = join(folder, `${name}.db`);
      const server = await startServer({
        args: [fileURLToPath(new URL(file, import.meta.url))],
        env: {
          BENCH_PORT: String(port),
          BENCH_FILE: database,
          BENCH_KEY: KEY,
          BENCH_DOMAIN: STORE_DOMAIN,
          NODE_ENV: 'production',
        },
        port,
        readyPath: '/',
        logFile: join(folder, `${name}.log`),
      });
      return {
        name,
        port,
        authorization: `Bearer ${KEY}`,
        pid: server.pid,
        stop: () => server.stop('SIGKILL'),
        storedIds: () => storedIds(database, table),
      };
    },
  };
}
