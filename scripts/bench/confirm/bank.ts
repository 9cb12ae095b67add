import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, startServer } from '../child.ts';
import { startProgram } from '../program.ts';
import type { ProxyAnswer } from '../programs/bank-proxy.ts';

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

/** The sandbox bank in a process of its own, behind a proxy that knows when it confirmed what. */
export interface WatchedBank {
  /** Where the service finds its bank. */
  readonly url: string;
  /** When the bank's confirmations left, by its request ids. */
  confirmed(): Promise<ProxyAnswer>;
  stop(): Promise<void>;
}

/** Starts a bank of its own, with its storage in a new folder. */
export async function startWatchedBank(folder: string): Promise<WatchedBank> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const sandbox = await startServer({
    args: [MAIN, 'sandbox'],
    env: {
      SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
      SERVICE_SANDBOX_PORT: String(port),
      SERVICE_LOG_LEVEL: 'warn',
    },
    port,
    readyPath: '/',
    logFile: join(folder, 'sandbox.log'),
  });
  const file = new URL('../programs/bank-proxy.ts', import.meta.url);
  const proxy = await startProgram<number>(file, { BENCH_SANDBOX: `http://127.0.0.1:${port}` });
  return {
    url: `http://127.0.0.1:${proxy.hello}`,
    confirmed: () => proxy.ask<ProxyAnswer>({ ask: 'confirmed' }),
    async stop() {
      await proxy.stop();
      await sandbox.stop('SIGKILL');
    },
  };
}
