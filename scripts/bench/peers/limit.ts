import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, startServer } from '../child.ts';
import type { Peer } from '../contest.ts';
import { storedIds } from '../stored-ids.ts';

const SERVER = fileURLToPath(new URL('./limit-server.ts', import.meta.url));

/** What one Node process can do at all: the least work that still is a durable payment. */
export const limit: Peer = {
  name: 'limit',
  about: 'bare node:http, SQL by hand on better-sqlite3, shared commits, one insert, no validation, no key',
  async start(folder) {
    const port = await freePort();
    const file = join(folder, 'limit.db');
    const server = await startServer({
      args: [SERVER],
      env: { BENCH_PORT: String(port), BENCH_FILE: file },
      port,
      readyPath: '/',
      logFile: join(folder, 'limit.log'),
    });
    return {
      name: limit.name,
      port,
      authorization: 'Bearer sk_bench_of_the_same_length_as_a_real_key_0000',
      pid: server.pid,
      stop: () => server.stop('SIGKILL'),
      storedIds: () => storedIds(file, 'payments'),
    };
  },
};
