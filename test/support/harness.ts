import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createTRPCClient, httpLink } from '@trpc/client';
import { onTestFinished } from 'vitest';
import { type App, startApp } from '../../src/app.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { createLogger } from '../../src/log.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
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

export interface TestMerchant {
  merchantId: `mer_${string}`;
  apiKey: string;
  webhookSecret: string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** The typed tRPC client of an integrator. */
  trpc: ReturnType<typeof createTRPCClient<AppRouter>>;
  /** Creates a transaction; resolves to its id. */
  init(overrides?: Record<string, unknown>): Promise<string>;
  /** Creates a transaction and sends a push to this phone; resolves to its id. */
  push(phoneNumber: string, overrides?: Record<string, unknown>): Promise<string>;
  /** Creates a transaction that is paid by MB WAY; resolves to its id. */
  pay(overrides?: Record<string, unknown>): Promise<string>;
  /** Creates a transaction with a Multibanco reference; `mb` is what a payer enters at the ATM. */
  reference(
    overrides?: Record<string, unknown>,
  ): Promise<{ id: string; mb: Record<'entity' | 'reference', string> }>;
  status(transactionId: string): Promise<Answer['body']>;
  /** Waits until the transaction's status is `wanted`. */
  reaches(transactionId: string, wanted: string): Promise<Answer['body']>;
}

export interface Service {
  app: App;
  url: string;
  sandboxUrl: string;
  /** Everything that was logged, as text. */
  logged(): string;
  merchant(options?: { domains?: string[]; webhookUrl?: string; name?: string }): Promise<TestMerchant>;
  /** A call of the sandbox's control interface. */
  control(path: string, body?: unknown): Promise<Answer>;
}

/** The sandbox's phone that accepts at once. */
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
export async function startService(options: Options = {}): Promise<Service> {
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
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = await startApp(config, {
    log: createLogger(config.settings, sink),
    passwordCost: PASSWORD_COST,
    ...(options.clock && { clock: options.clock }),
    ...(options.webhookCa !== undefined && { webhookCa: options.webhookCa }),
  });
  whenOver(() => app.close());
  const sandboxUrl = app.sandboxUrl ?? '';
  return {
    app,
    url: app.url,
    sandboxUrl,
    logged: () => lines.join(''),
    async merchant({ domains = ['shop.pt'], name = 'Test Shop', webhookUrl } = {}) {
      const made = await createMerchant(app.deps, { name, domains, webhookUrl });
      return { ...made, ...api(app.url, made.apiKey) };
    },
    control: (path, body) =>
      call(`${sandboxUrl}/control${path}`, body === undefined ? {} : jsonPost(body, {})),
  };
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

/** The calls of a merchant with this key. */
export function api(
  url: string,
  apiKey: string,
): Omit<TestMerchant, 'merchantId' | 'apiKey' | 'webhookSecret'> {
  const auth = { authorization: `Bearer ${apiKey}` };
  const post: TestMerchant['post'] = (path, body, headers) =>
    call(`${url}/api/v1${path}`, jsonPost(body, { ...auth, ...headers }));
  const get: TestMerchant['get'] = (path, headers) =>
    call(`${url}/api/v1${path}`, { headers: { ...auth, ...headers } });
  const status: TestMerchant['status'] = async (id) =>
    (await get(`/payments/status?transactionId=${id}`)).body;
  const init: TestMerchant['init'] = async (overrides = {}) => {
    const answer = await post('/payments/init', { ...ORDER, ...overrides });
    if (answer.status !== 200)
      throw new Error(`init answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.transactionId;
  };
  const push: TestMerchant['push'] = async (phoneNumber, overrides) => {
    const transactionId = await init(overrides);
    await post('/payments/mbway', { transactionId, phoneNumber });
    return transactionId;
  };
  const reaches: TestMerchant['reaches'] = (id, wanted) =>
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
    trpc: createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc`, headers: auth })] }),
    async reference(overrides) {
      const id = await init(overrides);
      const { entity, reference } = (await post('/payments/multibanco', { transactionId: id })).body;
      return { id, mb: { entity, reference } };
    },
    async pay(overrides) {
      const id = await push(PAYING_PHONE, overrides);
      await reaches(id, 'paid');
      return id;
    },
  };
}

function jsonPost(body: unknown, headers: Record<string, string>): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
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
