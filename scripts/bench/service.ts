import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { request } from 'undici';
import manifest from '../../package.json' with { type: 'json' };
import { startProgram } from '../../test/support/program.ts';
import { type Environment, type ServerProcess, startServer } from './process.ts';
import { STORE_DOMAIN } from './requests.ts';
import { BenchError } from './types.ts';

export const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** The options of Node.js in `npm start`. */
const NODE_OPTIONS = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'));
const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const PASSWORD = 'quatro barcos verdes 9';

/** A database of the service with one merchant, without a running process. */
export type Installation = Awaited<ReturnType<typeof install>>;

/** Creates an installation. `receiver` receives the merchant's deliveries. */
export async function install(
  folder: string,
  receiver: { url: string; caFile: string } | null,
  settings: Environment = {},
) {
  mkdirSync(folder, { recursive: true });
  /** Unused on PostgreSQL. */
  const file = join(folder, 'service.db');
  const env: Environment = {
    SERVICE_DATABASE_URL: `sqlite:${file}`,
    SERVICE_SECRET_KEY: randomBytes(32).toString('base64'),
    SERVICE_SANDBOX_PORT: '0',
    SERVICE_POST_RATE_LIMIT: '0',
    SERVICE_SEED_DEMO: 'false',
    SERVICE_LOG_LEVEL: 'warn',
    ...(receiver !== null && {
      SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
      NODE_EXTRA_CA_CERTS: receiver.caFile,
    }),
    ...settings,
  };
  const merchant = ['--name', 'Bench Shop', '--domain', STORE_DOMAIN];
  const webhook = receiver === null ? [] : ['--webhook-url', receiver.url];
  const created = await command(env, ['merchant', 'create', ...merchant, ...webhook]);
  const { merchantId, apiKey, webhookSecret } = created as Record<string, unknown>;
  if (typeof merchantId !== 'string' || typeof apiKey !== 'string' || typeof webhookSecret !== 'string')
    throw new BenchError('merchant create returned no merchantId, apiKey or webhookSecret');
  return { folder, file, env, merchantId, apiKey, webhookSecret };
}

/** Starts the service on an installation and waits until it is ready. */
export function launch({ folder, env }: Installation): Promise<ServerProcess> {
  const args = [...NODE_OPTIONS, MAIN];
  return startServer({ args, env, portSetting: 'SERVICE_PORT', readyPath: '/readyz', folder });
}

/** Returns the rows of a query on a SQLite file. */
export function readRows(file: string, query: string): Record<string, unknown>[] {
  const handle = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    return handle.prepare<[], Record<string, unknown>>(query).all();
  } finally {
    handle.close();
  }
}

/**
 * Creates an operator and signs in to a running service. `cookie` is the Cookie header's value; `mutate` calls a mutation of the back
 * office and throws BenchError when it is refused.
 */
export async function signIn(installation: Installation, port: number) {
  const email = 'bench@bench-shop.example';
  const user = await command(installation.env, ['user', 'create', '--email', email, '--role', 'operator']);
  const { password } = user as { password: string };
  const origin = `http://127.0.0.1:${port}`;
  let cookie = '';
  const mutate = async (name: string, input: object): Promise<unknown> => {
    const own = { 'x-backoffice': '1', origin, cookie };
    const { json, headers } = await post(`${origin}/backoffice/trpc/${name}`, JSON.stringify(input), own);
    const set = [headers['set-cookie']].flat()[0];
    if (set !== undefined) cookie = set.split(';', 1)[0] ?? '';
    return json.result.data;
  };
  await mutate('session.signIn', { email, password });
  // The service requires a new password first.
  await mutate('account.changePassword', { current: password, password: PASSWORD });
  return { cookie, mutate };
}

/** Posts JSON. Throws BenchError unless the answer is 200. */
export async function post(url: string, body: string, headers: Readonly<Record<string, string>>) {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new BenchError(`${url} answered ${answer.statusCode}: ${text}`);
  return { json: JSON.parse(text), headers: answer.headers };
}

async function command(env: Environment, words: readonly string[]): Promise<unknown> {
  const program = startProgram(CLI, [...words, '--json'], env);
  program.child.stdin.end();
  if ((await program.ended) !== 0) throw new BenchError(`${words.join(' ')} failed: ${program.err()}`);
  return JSON.parse(program.out());
}
