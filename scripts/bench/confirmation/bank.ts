import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram, startServer } from '../process.ts';
import type { ConfirmedAt } from '../programs/bank-proxy.ts';
import { MAIN } from '../service.ts';

/** The sandbox bank in its own process, behind a proxy that records when the bank confirmed each payment. */
export type RecordedBank = Awaited<ReturnType<typeof startRecordedBank>>;

/** Starts a bank with its storage in a new folder. */
export async function startRecordedBank(folder: string) {
  mkdirSync(folder, { recursive: true });
  const sandbox = await startServer({
    args: [MAIN, 'sandbox'],
    env: {
      SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
      SERVICE_LOG_LEVEL: 'warn',
    },
    portSetting: 'SERVICE_SANDBOX_PORT',
    readyPath: '/',
    folder,
  });
  const sandboxUrl = `http://127.0.0.1:${sandbox.port}`;
  const proxy = await startProgram<number>('programs/bank-proxy.ts', { BENCH_SANDBOX: sandboxUrl });
  return {
    url: `http://127.0.0.1:${proxy.hello}`,
    /** Returns the time of each confirmation by the bank's request id. */
    confirmed: () => proxy.ask<ConfirmedAt>('confirmed'),
    async stop() {
      await proxy.stop();
      await sandbox.stop();
    },
  };
}
