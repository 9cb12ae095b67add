import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, runCommand, startServer } from './child.ts';
import { BenchError } from './contest.ts';
import { STORE_DOMAIN } from './order.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** A database of the service with one merchant, and nothing that runs on it yet. */
export interface Installation {
  readonly folder: string;
  /** The SQLite file; on PostgreSQL nothing is there. */
  readonly file: string;
  readonly env: Environment;
  readonly merchantId: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
}

export interface RunningService {
  readonly port: number;
  readonly pid: number;
  /** From the start of the process until it was ready. */
  readonly readyMs: number;
  /** Ends the process without a warning (`kill -9`), unless it is being profiled: a profile is only written in order. */
  stop(): Promise<void>;
}

/** Makes an installation in a new folder. `sink` is where its merchant's deliveries go. */
export async function install(
  folder: string,
  sink: { url: string; caFile: string } | null,
  env: Environment = {},
): Promise<Installation> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'service.db');
  const all = {
    SERVICE_DATABASE_URL: `sqlite:${file}`,
    SERVICE_SECRET_KEY: randomBytes(32).toString('base64'),
    SERVICE_SANDBOX_PORT: '0',
    SERVICE_POST_RATE_LIMIT: '0',
    SERVICE_SEED_DEMO: 'false',
    SERVICE_LOG_LEVEL: 'warn',
    ...(sink !== null && {
      SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
      NODE_EXTRA_CA_CERTS: sink.caFile,
    }),
    ...env,
  };
  const merchant = ['--name', 'Bench Shop', '--domain', STORE_DOMAIN];
  const webhook = sink === null ? [] : ['--webhook-url', sink.url];
  const made = await service(all, ['merchant', 'create', ...merchant, ...webhook]);
  const { merchantId, apiKey, webhookSecret } = made as Record<string, unknown>;
  if (typeof merchantId !== 'string' || typeof apiKey !== 'string' || typeof webhookSecret !== 'string')
    throw new BenchError('merchant create gave no merchantId, apiKey or webhookSecret');
  return { folder, file, env: all, merchantId, apiKey, webhookSecret };
}

/** Starts the service on an installation and waits until it is ready. */
export async function launch(
  { folder, env }: Installation,
  { profileFolder = null, settings = {} }: { profileFolder?: string | null; settings?: Environment } = {},
): Promise<RunningService> {
  const port = await freePort();
  const server = await startServer({
    args: [...(profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]), MAIN],
    env: { ...env, SERVICE_PORT: String(port), ...settings },
    port,
    readyPath: '/readyz',
    logFile: join(folder, 'server.log'),
  });
  const stop = () => server.stop(profileFolder === null ? 'SIGKILL' : 'SIGTERM');
  return { port, pid: server.pid, readyMs: server.readyMs, stop };
}

/** Runs an operator's command on an installation; resolves to its JSON. */
export async function service(env: Environment, command: readonly string[]): Promise<unknown> {
  return JSON.parse(await runCommand([CLI, ...command, '--json'], env));
}
