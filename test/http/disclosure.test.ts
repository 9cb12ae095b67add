import { request } from 'undici';
import { afterAll, describe, expect, test } from 'vitest';
import { runHere } from '../cli/support.ts';
import { bankCredentials } from '../support/bank-credentials.ts';
import { temporaryFolder } from '../support/database.ts';
import { call, startService } from '../support/harness.ts';

const TOKEN = 'metrics-token-4711';
const CUSTOMER = { name: 'Briolanja Quintanilha', email: 'briolanja.q@correio.example', phone: '967123456' };

const folder = temporaryFolder(afterAll);
const service = await startService({ folder, whenOver: afterAll, env: { SERVICE_METRICS_TOKEN: TOKEN } });
const HOOK_TOKEN = 'hook-token-4711';
const merchant = await service.merchant({
  name: 'Loja do Fala-So',
  domains: ['fala-so.pt'],
  webhookUrl: `https://127.0.0.1:9/${HOOK_TOKEN}`,
});
const stranger = await service.merchant({ name: 'Another' });
const paid = await merchant.pay({
  orderId: 'ORDER-4711',
  storeUrl: 'https://fala-so.pt',
  customer: CUSTOMER,
});

const account = await bankCredentials(service.app.deps, merchant.merchantId);
const SECRETS = [merchant.apiKey, merchant.webhookSecret, account.antiPhishingKey, TOKEN];
const DATA = [
  ...[merchant.merchantId, 'Loja do Fala-So', 'fala-so.pt', paid, 'ORDER-4711', '911000001'],
  ...Object.values(CUSTOMER),
];

function expectNothingOf(values: readonly string[], text: string): void {
  expect(values.filter((value) => text.includes(value))).toEqual([]);
}

/** The status and the text of an answer, headers included. */
async function said(url: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  const { status, headers, body } = await call(url, init);
  return { status, text: JSON.stringify([[...headers], body]) };
}

const VISITORS: [string, Record<string, string>][] = [
  ['this machine', {}],
  ['behind a proxy', { 'x-forwarded-for': '203.0.113.9' }],
  ['another merchant', { authorization: `Bearer ${stranger.apiKey}`, 'x-forwarded-for': '203.0.113.9' }],
  ['a wrong token', { authorization: 'Bearer metrics-token-4712', 'x-forwarded-for': '203.0.113.9' }],
];

describe.each(VISITORS)('a visitor (%s)', (_who, headers) => {
  test.each([
    ...[
      '/healthz',
      '/readyz',
      '/metrics',
      '/docs',
      '/docs/site/try.js',
      '/api/v1/openapi.json',
      '/backoffice',
    ],
    ...['/', '/control/pushes?phoneNumber=911000001', '/callbacks/ifthenpay?key=x&orderId=ORDER-4711'],
    ...['/trpc/payments.methods', '/api/v1/payments/methods', '/docs/assets/%2e%2e%2fpackage.json'],
  ])('sees no merchant data at %s', async (path) => {
    const { text } = await said(`${service.url}${path}`, { headers });
    expectNothingOf([...SECRETS, ...DATA], text);
  });
});

test('the service has no sandbox routes, and the sandbox shows no keys or customers', async () => {
  for (const path of ['/control/mbway', '/control/multibanco', '/control/faults']) {
    expect((await call(`${service.url}${path}`, { method: 'POST' })).status).toBe(404);
  }
  for (const path of [
    '/',
    '/control/pushes',
    '/control/pushes?phoneNumber=911000001',
    '/payments',
    '/api/v1/payments/methods',
  ]) {
    const { text } = await said(`${service.sandboxUrl}${path}`);
    expectNothingOf(
      [...SECRETS, merchant.merchantId, paid, CUSTOMER.name, CUSTOMER.email, CUSTOMER.phone],
      text,
    );
  }
});

test.each([
  ['another machine', { 'x-forwarded-for': '203.0.113.9' }, 200],
  ['another host name of this machine', { host: 'rebound.example' }, 403],
])(
  'the sandbox shows webhooks, without paths of URLs, to the loopback only, not to %s',
  async (_who, headers, status) => {
    const url = `${service.sandboxUrl}/behind`;
    const { text } = await said(url);
    expect(text).toContain(paid);
    expectNothingOf([...SECRETS, HOOK_TOKEN], text);
    const { statusCode, body } = await request(url, { headers });
    expect(statusCode).toBe(status);
    expectNothingOf([...SECRETS, ...DATA], await body.text());
  },
);

test.each([
  [['merchant', 'list']],
  [['merchant', 'set', merchant.merchantId]],
  [['transaction', 'show', paid]],
  [['receipt', 'list']],
  [['lead', 'list', '--merchant', merchant.merchantId]],
  [['help']],
])('the command line does not repeat a secret: %j', async (args) => {
  for (const form of [args, [...args, '--json']]) {
    const { code, stdout, stderr } = await runHere(folder, form);
    if (code === 0) expect(stdout).not.toBe('');
    expectNothingOf(SECRETS, stdout + stderr);
  }
});
