import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, runCommand, startServer } from '../child.ts';
import { BenchError, type Peer, type RunningPeer, type StartOptions } from '../contest.ts';
import { STORE_DOMAIN } from '../order.ts';
import { storedIds } from '../stored-ids.ts';

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const CLI = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

export const ours: Peer = {
  name: 'ours',
  about: 'the service with its embedded sandbox, rate limit off, log level warn',
  start: (folder, options) => startOurs('ours', 'warn', folder, options),
};

export const oursInfo: Peer = {
  name: 'ours-info',
  about: 'the same with log level info, the default: a line per request, into a file',
  start: (folder, options) => startOurs('ours-info', 'info', folder, options),
};

async function startOurs(
  name: string,
  logLevel: string,
  parent: string,
  options: StartOptions,
): Promise<RunningPeer> {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'service.db');
  const port = await freePort();
  const env = {
    SERVICE_PORT: String(port),
    SERVICE_SANDBOX_PORT: '0',
    SERVICE_DATABASE_URL: `sqlite:${file}`,
    SERVICE_POST_RATE_LIMIT: '0',
    SERVICE_LOG_LEVEL: logLevel,
    SERVICE_SEED_DEMO: 'false',
  };
  const apiKey = await createMerchant(env);
  const profile = options.profileFolder;
  const server = await startServer({
    args: [...(profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]), MAIN],
    env,
    port,
    readyPath: '/readyz',
    logFile: join(folder, 'server.log'),
  });
  return {
    name,
    port,
    authorization: `Bearer ${apiKey}`,
    pid: server.pid,
    // A profile is only written by a process that ends in order.
    stop: () => server.stop(profile === null ? 'SIGKILL' : 'SIGTERM'),
    storedIds: () => storedIds(file, 'transactions'),
  };
}

async function createMerchant(env: Readonly<Record<string, string>>): Promise<string> {
  const command = ['merchant', 'create', '--name', 'Bench Shop', '--domain', STORE_DOMAIN, '--json'];
  const output = await runCommand([CLI, ...command], env);
  const { apiKey } = JSON.parse(output) as { apiKey?: unknown };
  if (typeof apiKey !== 'string') throw new BenchError('merchant create gave no apiKey');
  return apiKey;
}
