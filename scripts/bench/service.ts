import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import manifest from '../../package.json' with { type: 'json' };
import { createUser } from '../../src/backoffice/people/create-user.ts';
import { type CliDeps, openCli } from '../../src/cli/open.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { type Environment, type ServerProcess, startServer } from './process.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
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
  const env = {
    SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
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
  const [merchant] = await createShops({ env }, ['bench-shop.example'], receiver?.url);
  if (merchant === undefined) throw new Error('no merchant was created');
  return { folder, env, url: env.SERVICE_DATABASE_URL, ...merchant };
}

export function createShops({ env }: { env: Environment }, domains: readonly string[], webhookUrl?: string) {
  return withDeps(env, async (deps) => {
    const created = [];
    for (const domain of domains) {
      const merchant = await createMerchant(deps, { name: domain, domains: [domain], webhookUrl });
      created.push({ ...merchant, domain, authorization: `Bearer ${merchant.apiKey}` });
    }
    return created;
  });
}

/** Opens the database of an installation for `work`, as a command does that creates it. */
export async function withDeps<T>(env: Environment, work: (deps: CliDeps) => Promise<T>): Promise<T> {
  const deps = await openCli(env, { create: true });
  try {
    return await work(deps);
  } finally {
    await deps.close();
  }
}

/** Starts the service on an installation and waits until it is ready. */
export function launch({ folder, env }: Installation): Promise<ServerProcess> {
  return startServer(folder, [...NODE_OPTIONS, MAIN], env);
}

/** Creates an operator and signs in to a running service. Returns the Cookie header's value. */
export async function signIn({ env }: Installation, { url: origin }: ServerProcess): Promise<string> {
  await withDeps(env, (deps) =>
    createUser({ ...deps, passwordCost: PASSWORD_COST }, { ...OPERATOR, role: 'operator', merchantId: null }),
  );
  const url = `${origin}/backoffice/trpc/session.signIn`;
  const { headers } = await post(url, JSON.stringify(OPERATOR), { 'x-backoffice': '1', origin });
  return [headers['set-cookie']].flat()[0]?.split(';', 1)[0] ?? '';
}

/** Posts a body, JSON by default. Throws unless the answer has the status. */
export async function post(url: string, body: string, headers: Environment, status = 200) {
  const all = { 'content-type': 'application/json', ...headers };
  const answer = await request(url, { method: 'POST', headers: all, body });
  const text = await answer.body.text();
  if (answer.statusCode !== status) throw new Error(`${url} answered ${answer.statusCode}: ${text}`);
  return { text, headers: answer.headers };
}
