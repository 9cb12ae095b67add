import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { type Answer, call, type Service, startService, startWithMerchant } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';
import { callerOf, callOperation, expectRefusal, order } from './endpoints.ts';

const LIMIT = 3;

// One trusted proxy: every test counts under its own client address.
const { service, merchant } = await startWithMerchant({
  whenOver: afterAll,
  env: { SERVICE_POST_RATE_LIMIT: String(LIMIT), SERVICE_TRUST_PROXY: '1' },
});

let clients = 0;
const newAddress = () => `198.51.100.${++clients}`;

/** A POST to an unknown route without a key, the cheapest call that counts. */
function postFrom(forwarded: string, where: Service = service): Promise<Answer> {
  return call(`${where.url}/api/v1/nothing`, { method: 'POST', headers: { 'x-forwarded-for': forwarded } });
}

function limitOf({ headers }: Answer) {
  const number = (name: string) => {
    const value = headers.get(name);
    expect(value, name).toMatch(/^\d+$/);
    return Number(value);
  };
  return {
    limit: number('ratelimit-limit'),
    remaining: number('ratelimit-remaining'),
    reset: number('ratelimit-reset'),
  };
}

test('every counted answer has the limit, the remaining calls and the seconds left', async () => {
  const headers = { 'x-forwarded-for': newAddress() };
  const good = await merchant.post('/payments/init', order(), headers);
  const bad = await merchant.post('/payments/init', order({ amount: 0 }), headers);
  const lost = await merchant.post(
    '/payments/mbway',
    { transactionId: 'tx_1', phoneNumber: '912345678' },
    headers,
  );
  expect([good.status, bad.status, lost.status]).toEqual([200, 400, 404]);
  const limits = [good, bad, lost].map(limitOf);
  expect(limits.map(({ limit }) => limit)).toEqual([LIMIT, LIMIT, LIMIT]);
  expect(limits.map(({ remaining }) => remaining)).toEqual([2, 1, 0]);
  for (const { reset } of limits) expect(reset).toBeGreaterThanOrEqual(1);
  for (const { reset } of limits) expect(reset).toBeLessThanOrEqual(60);

  const refused = await merchant.post('/payments/init', order(), headers);
  expectRefusal(refused, 429, 'RATE_LIMITED');
  expect(limitOf(refused)).toMatchObject({ limit: LIMIT, remaining: 0 });
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
});

test('a refused call does nothing', async () => {
  const headers = { 'x-forwarded-for': newAddress() };
  for (let calls = 0; calls < LIMIT; calls++) await postFrom(headers['x-forwarded-for']);
  const { merchantId: merchant_id, post } = await service.merchant();
  expectRefusal(await post('/payments/init', order(), headers), 429, 'RATE_LIMITED');
  expect(await selectRows(service.app.deps.db, 'transactions', { merchant_id })).toEqual([]);
});

test('GETs are neither counted nor refused', async () => {
  const headers = { 'x-forwarded-for': newAddress() };
  const caller = callerOf(service, merchant, headers);
  for (let calls = 0; calls < LIMIT + 2; calls++) {
    expect((await callOperation('REST', caller, 'methods')).status).toBe(200);
    expect((await callOperation('tRPC', caller, 'methods')).status).toBe(200);
  }
  for (let calls = 0; calls < LIMIT; calls++) await postFrom(headers['x-forwarded-for']);
  expectRefusal(await callOperation('REST', caller, 'init', order()), 429, 'RATE_LIMITED');
  expect((await callOperation('REST', caller, 'methods')).status).toBe(200);
  expect((await callOperation('tRPC', caller, 'methods')).status).toBe(200);
});

test('REST and tRPC share one count', async () => {
  const caller = callerOf(service, merchant, { 'x-forwarded-for': newAddress() });
  const first = await callOperation('tRPC', caller, 'init', order());
  const second = await callOperation('REST', caller, 'init', order());
  const third = await callOperation('tRPC', caller, 'multibanco', { transactionId: 'tx_unknown' });
  expect([first, second, third].map((answer) => limitOf(answer).remaining)).toEqual([2, 1, 0]);
  for (const endpoint of ['REST', 'tRPC'] as const) {
    const refused = await callOperation(endpoint, caller, 'init', order());
    expectRefusal(refused, 429, 'RATE_LIMITED');
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }
});

test('calls that arrive at once are counted one by one', async () => {
  const address = newAddress();
  const answers = await Promise.all(Array.from({ length: 10 }, () => postFrom(address)));
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(LIMIT);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10 - LIMIT);
});

/** The trusted proxies, who used up the limit, who counts as the same client, and who as another. */
const CLIENTS: [what: string, trusted: string, first: string, same: string[], others: string[]][] = [
  [
    'is the /64 for IPv6',
    '1',
    '2001:db8:0:1::1',
    ['2001:db8:0:1:ffff::2', '2001:0DB8:0000:0001:0:0:0:3'],
    ['2001:db8:0:2::1'],
  ],
  [
    'is the same for an IPv4 address in every spelling',
    '1',
    '192.0.2.1',
    ['::ffff:192.0.2.1', '[::ffff:192.0.2.1]:99', '192.0.2.1:4711'],
    ['::ffff:192.0.2.2'],
  ],
  [
    'is the last entry of X-Forwarded-For behind one trusted proxy',
    '1',
    '1.1.1.1, 192.0.2.3',
    ['2.2.2.2, 192.0.2.3', '192.0.2.3'],
    [],
  ],
  [
    'is the entry before the last with two hops',
    '2',
    '203.0.113.1, 192.0.2.1, 10.0.0.1',
    ['203.0.113.2, 192.0.2.1, 10.0.0.2', '192.0.2.1'],
    [],
  ],
  ['is the peer of the socket when the forwarded entry is no address', '1', 'unknown', ['another'], []],
  ['ignores X-Forwarded-For without a trusted proxy', '', '192.0.2.1', ['192.0.2.2'], []],
  [
    'is read from X-Forwarded-For when the proxy is in a trusted range',
    '127.0.0.0/8,10.0.0.0/8',
    '192.0.2.1',
    ['192.0.2.1, 10.1.2.3'],
    ['192.0.2.2'],
  ],
  ['is the proxy when it is in no trusted range', '10.0.0.0/8', '192.0.2.1', ['192.0.2.2'], []],
];

test.each(CLIENTS)('the client of the rate limit %s', async (_what, trusted, first, same, others) => {
  const env = { SERVICE_POST_RATE_LIMIT: String(LIMIT), SERVICE_TRUST_PROXY: trusted };
  const where = trusted === '1' ? service : await startService({ env });
  for (let calls = 0; calls < LIMIT; calls++) expect((await postFrom(first, where)).status).toBe(404);
  for (const forwarded of [first, ...same]) expect((await postFrom(forwarded, where)).status).toBe(429);
  for (const forwarded of others) expect((await postFrom(forwarded, where)).status).toBe(404);
});

test('POSTs to API paths count in any spelling; other paths and methods do not', async () => {
  const headers = { 'x-forwarded-for': newAddress() };
  const remaining = async (path: string, method = 'POST') =>
    (await call(service.url + path, { method, headers })).headers.get('ratelimit-remaining');
  expect(await remaining('/%61pi/v1/payments/init')).toBe('2');
  expect(await remaining('/elsewhere')).toBeNull();
  expect(await remaining('/trpc/nothing')).toBe('1');
  expect(await remaining('/api/v1/payments/init', 'PUT')).toBeNull();
});

test('the limit counts for one minute from the first POST, refused calls included', async () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const start = Date.now();
  const address = newAddress();
  const statuses = async () => {
    const answers = [];
    for (let calls = 0; calls <= LIMIT; calls++) answers.push((await postFrom(address)).status);
    return answers;
  };
  expect(await statuses()).toEqual([404, 404, 404, 429]);
  vi.setSystemTime(start + 59_500);
  const refused = await postFrom(address);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  vi.setSystemTime(start + 60_000);
  expect(await statuses()).toEqual([404, 404, 404, 429]);
});

test('a clock that is set back by an hour makes no client wait for more than a minute', async () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const address = newAddress();
  for (let calls = 0; calls <= LIMIT; calls++) await postFrom(address);
  vi.setSystemTime(Date.now() - 3_600_000);
  const answer = await postFrom(address);
  expect(limitOf(answer).reset).toBeLessThanOrEqual(60);
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  // In memory the window ends by a timer, which the clock does not move.
  if (service.app.deps.db.engine !== 'sqlite') expect(limitOf(answer).remaining).toBe(LIMIT - 1);
});

test('the limit is 30 unless it is set', async () => {
  const usual = await startService({ env: { SERVICE_POST_RATE_LIMIT: '' } });
  const statuses: number[] = [];
  for (let calls = 0; calls < 31; calls++) statuses.push((await postFrom('192.0.2.9', usual)).status);
  expect(statuses).toEqual([...Array<number>(30).fill(404), 429]);
});
