import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { request } from 'undici';
import manifest from '../../package.json' with { type: 'json' };
import { createUser } from '../../src/backoffice/people/create-user.ts';
import { type CliDeps, openCli } from '../../src/cli/open.ts';
import { createMerchant, type NewMerchant } from '../../src/merchants/create-merchant.ts';
import { type Environment, type ServerProcess, startServer } from './process.ts';
import { STORE_DOMAIN } from './requests.ts';

export const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** The options of Node.js in `npm start`. */
const NODE_OPTIONS = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'));
const OPERATOR = { email: 'bench@bench-shop.example', password: 'quatro barcos verdes 9' };
/** No scenario measures the password. */
const PASSWORD_COST = 8;

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
  const shop = { name: 'Bench Shop', domains: [STORE_DOMAIN], webhookUrl: receiver?.url };
  const [merchant] = await createMerchants({ env }, [shop]);
  if (merchant === undefined) throw new Error('no merchant was created');
  return { folder, file, env, ...merchant };
}

/** Creates merchants in the database. */
export function createMerchants({ env }: { env: Environment }, merchants: readonly NewMerchant[]) {
  return withDeps(env, async (deps) => {
    const created: Awaited<ReturnType<typeof createMerchant>>[] = [];
    for (const merchant of merchants) created.push(await createMerchant(deps, merchant));
    return created;
  });
}

/** Opens the database of an installation for `work`, as a command does. */
export async function withDeps<T>(env: Environment, work: (deps: CliDeps) => Promise<T>): Promise<T> {
  const deps = await openCli(env);
  try {
    return await work(deps);
  } finally {
    await deps.close();
  }
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

/** Creates an operator and signs in to a running service. Returns the Cookie header's value. */
export async function signIn({ env }: Installation, port: number): Promise<string> {
  await withDeps(env, (deps) =>
    createUser({ ...deps, passwordCost: PASSWORD_COST }, { ...OPERATOR, role: 'operator', merchantId: null }),
  );
  const origin = `http://127.0.0.1:${port}`;
  const url = `${origin}/backoffice/trpc/session.signIn`;
  const { headers } = await post(url, JSON.stringify(OPERATOR), { 'x-backoffice': '1', origin });
  return [headers['set-cookie']].flat()[0]?.split(';', 1)[0] ?? '';
}

/** Posts JSON. Throws unless the answer is 200. */
export async function post(url: string, body: string, headers: Readonly<Record<string, string>>) {
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${text}`);
  return { json: JSON.parse(text), headers: answer.headers };
}
