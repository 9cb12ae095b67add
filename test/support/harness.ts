import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createTRPCClient, httpLink } from '@trpc/client';
import { onTestFinished } from 'vitest';
import { startApp } from '../../src/app.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/log.ts';
import { createMerchant, type NewMerchant } from '../../src/merchants/create-merchant.ts';
import type { AppRouter } from '../../src/router.ts';
import { databaseUrl, temporaryFolder, type WhenOver } from './database.ts';
import { until } from './until.ts';

/** An answer of the API, with its body parsed. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came over the wire
  body: any;
}

export type TestMerchant = Awaited<ReturnType<Service['merchant']>>;

export type Service = Awaited<ReturnType<typeof startService>>;

/** Members of an order that replace those of `ORDER`. */
type Overrides = Record<string, unknown>;

const PAYING_PHONE = '911000001';

/** A low cost keeps tests fast. */
const PASSWORD_COST = 8;

export const ORDER = {
  orderId: 'ORDER-1',
  amount: 19.99,
  storeUrl: 'https://shop.pt',
  customer: { name: 'Ana Silva', email: 'ana@shop.pt', phone: '912345678' },
  items: [{ id: 'SKU-1', name: 'Mug', quantity: 1, priceInCents: 1999 }],
};

/** The environment of a service that uses a real bank, for which it has no credentials yet. */
export const REAL_BANK = {
  SERVICE_BANK: 'ifthenpay',
  SERVICE_SECRET_KEY: randomBytes(32).toString('base64'),
  SERVICE_MBWAY_WINDOW_SECONDS: '240',
};

interface Options {
  env?: Record<string, string>;
  clock?: Clock;
  webhookCa?: string;
  folder?: string;
  /** When to close: `onTestFinished` (the default), or `afterAll` for a service that the tests of a file share. */
  whenOver?: WhenOver;
}

/**
 * Starts a service with its sandbox in this process, with a real database and real sockets, closed after the test. The
 * payment window is short, so that an unanswered push lapses within the test.
 */
export async function startService(options: Options = {}) {
  const whenOver = options.whenOver ?? onTestFinished;
  const folder = options.folder ?? temporaryFolder(whenOver);
  const config = await configOf(folder, whenOver, {
    SERVICE_PORT: '0',
    SERVICE_SANDBOX_PORT: '0',
    SERVICE_POST_RATE_LIMIT: '0',
    SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    SERVICE_BANK_TIMEOUT_MS: '1000',
    SERVICE_MBWAY_WINDOW_SECONDS: '2',
    SERVICE_MBWAY_GRACE_SECONDS: '1.5',
    SERVICE_INQUIRY_SECONDS: '0.1',
    SERVICE_RECONCILE_SECONDS: '1',
    SERVICE_LOG_LEVEL: 'debug',
    ...options.env,
  });
  const lines: string[] = [];
  const app = await startApp(config, {
    log: createLogger(config.settings, { write: (line) => void lines.push(line) }),
    passwordCost: PASSWORD_COST,
    limits: { stopLingerMs: 20 },
    ...(options.clock && { clock: options.clock }),
    ...(options.webhookCa !== undefined && { webhookCa: options.webhookCa }),
  });
  whenOver(() => app.close());
  const sandboxUrl = app.sandboxUrl ?? '';
  const control = (path: string, body?: unknown) =>
    call(`${sandboxUrl}/control${path}`, body === undefined ? {} : jsonPost(body));
  return {
    app,
    url: app.url,
    sandboxUrl,
    /** Everything that was logged, as text. */
    logged: () => lines.join(''),
    async merchant({ domains = ['shop.pt'], name = 'Test Shop', webhookUrl }: Partial<NewMerchant> = {}) {
      const made = await createMerchant(app.deps, { name, domains, webhookUrl });
      const calls = api(app.url, made.apiKey);
      /** Creates a transaction that is paid by Multibanco; resolves to its id. */
      const payReference = async (overrides?: Overrides) => {
        const { id, mb } = await calls.reference(overrides);
        await control('/multibanco', mb);
        await calls.reaches(id, 'paid');
        return id;
      };
      return { ...made, ...calls, payReference };
    },
    control,
  };
}

/** Starts a service as above, with a merchant. */
export async function startWithMerchant(options?: Options) {
  const service = await startService(options);
  return { service, deps: service.app.deps, merchant: await service.merchant() };
}

/** Settings with the database of `folder` and the secret key and the sandbox in it. */
async function configOf(folder: string, whenOver: WhenOver, env: Record<string, string>): Promise<Config> {
  const config = readConfig({
    SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    ...env,
  });
  const { settings, secrets } = config;
  const url = await databaseUrl(folder, whenOver);
  return {
    ...config,
    settings: { ...settings, databaseUrl: url },
    secrets: { ...secrets, databaseUrl: url, databaseDirectUrl: url },
  };
}

export function api(url: string, apiKey: string) {
  const auth = { authorization: `Bearer ${apiKey}` };
  const post = (path: string, body: unknown, headers?: Record<string, string>) =>
    call(`${url}/api/v1${path}`, jsonPost(body, { ...auth, ...headers }));
  const get = (path: string, headers?: Record<string, string>) =>
    call(`${url}/api/v1${path}`, { headers: { ...auth, ...headers } });
  const status = async (id: string): Promise<Answer['body']> =>
    (await get(`/payments/status?transactionId=${id}`)).body;
  /** Creates a transaction; resolves to its id. */
  const init = async (overrides?: Overrides): Promise<string> => {
    const answer = await post('/payments/init', { ...ORDER, ...overrides });
    if (answer.status !== 200)
      throw new Error(`init answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.transactionId;
  };
  /** Creates a transaction and sends a push to this phone; resolves to its id. */
  const push = async (phoneNumber: string, overrides?: Overrides) => {
    const transactionId = await init(overrides);
    await post('/payments/mbway', { transactionId, phoneNumber });
    return transactionId;
  };
  /** Waits until the transaction's status is `wanted`. */
  const reaches = (id: string, wanted: string): Promise<Answer['body']> =>
    until(async () => {
      const body = await status(id);
      return body.status === wanted ? body : null;
    }, `${id} to be ${wanted}`);
  return {
    post,
    get,
    status,
    init,
    push,
    reaches,
    /** The typed tRPC client of an integrator. */
    trpc: createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc`, headers: auth })] }),
    /** Creates a transaction with a Multibanco reference; `mb` is what a payer enters at the ATM. */
    async reference(overrides?: Overrides) {
      const id = await init(overrides);
      const { entity, reference } = (await post('/payments/multibanco', { transactionId: id })).body;
      return { id, mb: { entity, reference } };
    },
    /** Creates a transaction that is paid by MB WAY; resolves to its id. */
    async pay(overrides?: Overrides) {
      const id = await push(PAYING_PHONE, overrides);
      await reaches(id, 'paid');
      return id;
    },
  };
}

/** A POST with the JSON of a value, or with these characters or bytes. */
export function jsonPost(body: unknown, headers: Record<string, string> = {}): RequestInit {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: isRaw ? (body as string) : JSON.stringify(body),
  };
}

/** One request; the body is parsed when it is JSON. */
export async function call(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) };
}

/** The value of a JSON text, or the text itself. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
