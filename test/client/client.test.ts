import { expect, test, vi } from 'vitest';
import { createPaymentsClient, PaymentsConnectionError } from '../../src/client/client.ts';
import { readOptions } from '../../src/client/settings.ts';
import { paymentOperations } from '../../src/payments/router.ts';
import { ORDER } from '../support/harness.ts';
import { freePort } from '../support/process.ts';
import { CREATED, refusal, scripted, thrown } from './support.ts';

const OPTIONS = { baseUrl: 'https://pay.example/api/v1', apiKey: 'key_secret' };

test('every call uses the path and method of the contract and sends the key', async () => {
  const { client, calls } = await scripted(Array(5).fill(CREATED));
  await client.init(ORDER);
  await client.mbway({ transactionId: 'tx_1', phoneNumber: '912345678' });
  await client.multibanco({ transactionId: 'tx_1' });
  await client.status({ transactionId: 'tx &1' });
  await client.methods();
  const routes = Object.values(paymentOperations).map(({ meta: { openapi } }) => [
    openapi?.method,
    `/api/v1${openapi?.path}`,
  ]);
  expect(calls.map(({ method, url }) => [method, url.replace(/\?.*/, '')])).toEqual(routes);
  expect(calls[3]?.url).toBe('/api/v1/payments/status?transactionId=tx%20%261');
  expect(calls.map(({ body }) => body).slice(3)).toEqual(['', '']);
  for (const { headers } of calls) expect(headers.authorization).toBe('Bearer key_1');
});

test('an error has the sentence, status, code, fields and request id', async () => {
  const { client } = await scripted([
    {
      status: 400,
      body: { error: 'amount: is required.', code: 'INVALID_FIELDS', fields: ['amount'], requestId: 'req_9' },
      headers: { 'x-request-id': 'req_9' },
    },
    refusal(404, 'TRANSACTION_NOT_FOUND'),
  ]);
  expect(await thrown(client.init(ORDER))).toMatchObject({
    name: 'PaymentsError',
    message: 'amount: is required.',
    status: 400,
    code: 'INVALID_FIELDS',
    fields: ['amount'],
    requestId: 'req_9',
    tries: 1,
  });
  const missing = await thrown(client.status({ transactionId: 'tx_1' }));
  expect(missing).toMatchObject({ fields: [], idempotencyKey: null });
});

test('an answer from something other than the service is an error, a success included', async () => {
  for (const reply of [
    { status: 200, body: '<html>Welcome</html>' },
    { status: 200, body: '[1]' },
    { status: 204, body: '' },
    { status: 301, body: '', headers: { location: 'http://127.0.0.1:1/elsewhere' } },
    { status: 404, body: '<h1>nginx</h1>' },
  ]) {
    const { client, calls } = await scripted([reply]);
    const error = await thrown(client.init(ORDER));
    expect(error).toMatchObject({ name: 'PaymentsError', status: reply.status, code: null });
    expect(error.message).toMatch(/something other than the payment service.*baseUrl/);
    expect(error.message.includes('unknown whether')).toBe(reply.status < 300);
    expect(calls).toHaveLength(1);
  }
});

test.each([
  [504, '<h1>504 Gateway Time-out</h1>'],
  [200, '<h1>Welcome</h1>'],
  [200, '{"success":tr'],
  [204, ''],
])(
  "after a proxy's %i without a code (%s), the error says that the outcome is unknown",
  async (status, body) => {
    const { client } = await scripted([{ status, body }]);
    const error = await thrown(client.mbway({ transactionId: 'tx_1', phoneNumber: '912345678' }));
    expect(error).toMatchObject({ name: 'PaymentsError', status, code: null, tries: 1 });
    expect(error.message).toMatch(/proxy.*unknown whether the push was sent\. Read the status/);
  },
);

test('an unreachable service is a connection error that names the next step', async () => {
  const client = createPaymentsClient({
    baseUrl: `http://127.0.0.1:${await freePort()}/api/v1`,
    apiKey: 'key_secret',
  });
  const error = await thrown(client.mbway({ transactionId: 'tx_1', phoneNumber: '912345678' }));
  expect(error).toBeInstanceOf(PaymentsConnectionError);
  expect(error).toMatchObject({
    reason: 'network',
    tries: 1,
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(error.message).toMatch(/ECONNREFUSED.*It is unknown whether the push was sent/);
  expect(error.message).not.toContain('key_secret');
});

test('a try without an answer ends after the timeout', async () => {
  const { client } = await scripted(['hang'], { timeoutMs: 50 });
  const error = await thrown(client.multibanco({ transactionId: 'tx_1' }));
  expect(error).toMatchObject({ name: 'PaymentsConnectionError', reason: 'timeout', tries: 1 });
  expect(error.message).toMatch(/no answer within 50 ms/);
});

test('init is repeated after a try that timed out, with the same key', async () => {
  const { client, calls } = await scripted(['hang', CREATED], { timeoutMs: 200 });
  await client.init(ORDER);
  expect(calls[1]?.headers['idempotency-key']).toBe(calls[0]?.headers['idempotency-key']);
});

test("the caller's signal ends a call while it is sent, while it waits and before it starts", async () => {
  const reason = new Error('the shopper left');
  const sending = new AbortController();
  const { client, calls } = await scripted(['hang']);
  const call = thrown(client.methods({ signal: sending.signal }));
  await vi.waitUntil(() => calls.length === 1);
  sending.abort(reason);
  expect(await call).toBe(reason);

  const waiting = new AbortController();
  const { sleep } = readOptions(OPTIONS);
  const limited = await scripted([refusal(429, 'RATE_LIMITED', { 'retry-after': '60' })], {
    sleep: async (ms, signal) => {
      setTimeout(() => waiting.abort(reason));
      await sleep(ms, signal);
    },
  });
  expect(await thrown(limited.client.methods({ signal: waiting.signal }))).toBe(reason);
  expect(await thrown(limited.client.methods({ signal: waiting.signal }))).toBe(reason);
  expect(limited.calls).toHaveLength(1);

  // A replacement of fetch may ignore the signal.
  const late = new AbortController();
  const fetch = async () => {
    late.abort(reason);
    return new Response('{}', { status: 429, headers: { 'retry-after': '60' } });
  };
  const ignoring = createPaymentsClient({ ...OPTIONS, fetch });
  expect(await thrown(ignoring.methods({ signal: late.signal }))).toBe(reason);
});

test('invalid options are refused with a message that does not contain the key', () => {
  const bad: [Record<string, unknown>, RegExp][] = [
    [{ baseUrl: 'pay.example/api/v1' }, /baseUrl must be the http or https address/],
    [{ baseUrl: undefined }, /baseUrl must be/],
    [{ baseUrl: 'https://pay.example' }, /must end in \/api\/v1/],
    [{ baseUrl: 'https://me:pw@pay.example/api/v1' }, /no credentials/],
    [{ apiKey: undefined }, /apiKey is missing/],
    [{ apiKey: 'key secret\n1' }, /copy it again/],
    [{ apiKey: 'Bearer key_secret' }, /without the word Bearer/],
    [{ timeoutMs: 0 }, /timeoutMs must be/],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, /timeoutMs must be/],
  ];
  for (const [options, message] of bad) {
    const make = () => createPaymentsClient({ ...OPTIONS, ...options } as typeof OPTIONS);
    expect(make, JSON.stringify(options)).toThrow(message);
    expect(make).not.toThrow(/secret\b.*1|key_secret/);
  }
  expect(() =>
    createPaymentsClient({ ...OPTIONS, baseUrl: 'https://pay.example/shop/api/v1/' }),
  ).not.toThrow();
});

test('an invalid idempotency key is refused before a request is sent', async () => {
  const { client, calls } = await scripted([CREATED]);
  for (const idempotencyKey of ['', ' x', 'ção', 'a\nb', 'x'.repeat(256)]) {
    expect(await thrown(client.init(ORDER, { idempotencyKey }))).toBeInstanceOf(TypeError);
  }
  expect(calls).toEqual([]);
});

test('the client refuses to run in a browser page and runs in a worker', () => {
  vi.stubGlobal('window', { document: {} });
  try {
    expect(() => createPaymentsClient(OPTIONS)).toThrow(/does not run in a browser page.*secret/);
    vi.stubGlobal('window', undefined);
    vi.stubGlobal('self', { WorkerGlobalScope: class {} });
    expect(() => createPaymentsClient(OPTIONS)).not.toThrow();
    vi.stubGlobal('window', {});
    expect(() => createPaymentsClient(OPTIONS)).not.toThrow();
  } finally {
    vi.unstubAllGlobals();
  }
});

test('the client object does not contain the key', () => {
  const client = createPaymentsClient(OPTIONS);
  expect(JSON.stringify(client) + Object.values(client).join('')).not.toContain('key_secret');
});

test('the client works without a global crypto, as in Node.js 18', async () => {
  const { client, calls } = await scripted([CREATED]);
  vi.stubGlobal('crypto', undefined);
  try {
    await client.init(ORDER);
  } finally {
    vi.unstubAllGlobals();
  }
  expect(calls[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
});
