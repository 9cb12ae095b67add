import { describe, expect, test } from 'vitest';
import { type PaymentsClient, PaymentsConnectionError } from '../../src/client/client.ts';
import { readRetryAfter } from '../../src/client/repeat.ts';
import { ERROR_STATUS } from '../../src/kernel/errors.ts';
import { ORDER } from '../support/harness.ts';
import { CREATED, type Reply, refusal, scripted, thrown } from './support.ts';

const LIMITED = refusal(429, 'RATE_LIMITED');
const STEP = { transactionId: 'tx_1', phoneNumber: '912345678' };

const SENDERS = {
  init: (client: PaymentsClient) => client.init(ORDER),
  mbway: (client: PaymentsClient) => client.mbway(STEP),
  multibanco: (client: PaymentsClient) => client.multibanco({ transactionId: 'tx_1' }),
  status: (client: PaymentsClient) => client.status({ transactionId: 'tx_1' }),
  methods: (client: PaymentsClient) => client.methods(),
  createSession: (client: PaymentsClient) => client.createSession(ORDER),
  session: (client: PaymentsClient) => client.session({ sessionId: 'cs_1' }),
};
type Call = keyof typeof SENDERS;
const CALLS = Object.keys(SENDERS) as Call[];
const send = ({ client }: { client: PaymentsClient }, name: Call): Promise<unknown> => SENDERS[name](client);

describe.each(CALLS)('%s', (name) => {
  test('is repeated at most three times after a 429', async () => {
    const served = await scripted([LIMITED, LIMITED, LIMITED, LIMITED, CREATED]);
    const error = await thrown(send(served, name));
    expect(error).toMatchObject({ name: 'PaymentsError', status: 429, code: 'RATE_LIMITED', tries: 4 });
    expect(served.waits).toEqual([500, 1000, 2000]);
    const third = await scripted([LIMITED, LIMITED, LIMITED, CREATED]);
    await send(third, name);
    expect(third.calls).toHaveLength(4);
  });

  test('is never repeated when the outcome at the bank is unknown', async () => {
    const served = await scripted([refusal(502, 'BANK_OUTCOME_UNKNOWN'), CREATED]);
    expect(await thrown(send(served, name))).toMatchObject({ code: 'BANK_OUTCOME_UNKNOWN', tries: 1 });
    expect(served.calls).toHaveLength(1);
  });

  test('is not repeated after a fault of the caller', async () => {
    for (const [code, status] of Object.entries(ERROR_STATUS)) {
      if (status >= 429) continue;
      const served = await scripted([refusal(status, code), CREATED]);
      expect(await thrown(send(served, name))).toMatchObject({ status, code });
      expect(served.calls, code).toHaveLength(1);
    }
  });
});

const CREATES: readonly Call[] = ['init', 'createSession'];
const FAILURES: Record<string, [reply: Reply, repeatedFor: readonly Call[]]> = {
  'a reset connection': ['cut', CREATES],
  'an incomplete answer': ['half', CREATES],
  'a 500': [refusal(500, 'INTERNAL_ERROR'), CREATES],
  'an unavailable bank': [refusal(502, 'BANK_UNAVAILABLE'), [...CREATES, 'mbway', 'multibanco']],
  'a bank that refuses': [refusal(502, 'BANK_REFUSED'), CREATES],
  'a 502 of a proxy': [{ status: 502, body: '<h1>Bad Gateway</h1>' }, CREATES],
  'a 503 of a proxy': [{ status: 503, body: '<h1>Unavailable</h1>' }, CREATES],
  'a 504 of a proxy': [{ status: 504, body: '<h1>Gateway Time-out</h1>' }, CREATES],
};

describe.each(Object.entries(FAILURES))('after %s', (_, [reply, repeatedFor]) => {
  test.each(CALLS)(`%s is repeated only when that is safe (${repeatedFor.join(', ')})`, async (name) => {
    const served = await scripted([reply, CREATED]);
    const outcome = await send(served, name).catch((error: unknown) => error);
    expect(outcome instanceof Error).toBe(!repeatedFor.includes(name));
    expect(served.calls).toHaveLength(repeatedFor.includes(name) ? 2 : 1);
  });
});

test('a repeat that ends with an unknown outcome is the last', async () => {
  const served = await scripted([
    refusal(502, 'BANK_UNAVAILABLE'),
    refusal(502, 'BANK_OUTCOME_UNKNOWN'),
    CREATED,
  ]);
  expect(await thrown(served.client.mbway(STEP))).toMatchObject({ code: 'BANK_OUTCOME_UNKNOWN', tries: 2 });
});

test('all tries of one init have one idempotency key, one request id and the same bytes', async () => {
  const served = await scripted(['cut', LIMITED, refusal(500, 'INTERNAL_ERROR'), CREATED, CREATED]);
  await served.client.init(ORDER);
  await served.client.init(ORDER);
  const of = (header: string) => served.calls.map(({ headers }) => String(headers[header]));
  const [key] = of('idempotency-key');
  expect(key).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(of('idempotency-key').slice(0, 4))).toEqual(new Set([key]));
  expect(of('idempotency-key')[4]).not.toBe(key);
  expect(new Set(of('x-request-id').slice(0, 4)).size).toBe(1);
  expect(new Set(served.calls.map(({ body }) => body))).toEqual(new Set([JSON.stringify(ORDER)]));
});

test("the caller's own idempotency key is sent and named by an error", async () => {
  const served = await scripted(['cut', 'cut', 'cut', 'cut']);
  const error = await thrown(served.client.init(ORDER, { idempotencyKey: 'ORDER-1' }));
  expect(error).toBeInstanceOf(PaymentsConnectionError);
  expect(error).toMatchObject({ idempotencyKey: 'ORDER-1', tries: 4, reason: 'network' });
  expect(served.calls.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(4).fill('ORDER-1'));
});

test('a repeat waits for Retry-After, at most a minute, plus the back-off', async () => {
  const after = (seconds: string) => refusal(429, 'RATE_LIMITED', { 'retry-after': seconds });
  const served = await scripted([after('7'), after('3600'), after('nonsense'), CREATED]);
  await served.client.init(ORDER);
  expect(served.waits).toEqual([7_500, 61_000, 2_000]);
});

test('Retry-After is read in seconds and as a date; other values are ignored', () => {
  const now = Date.UTC(2026, 0, 1);
  expect(readRetryAfter('12', now)).toBe(12_000);
  expect(readRetryAfter('Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5_000);
  for (const nothing of [null, '', '-5', 'soon', 'Wed, 31 Dec 2025 00:00:00 GMT']) {
    expect(readRetryAfter(nothing, now)).toBe(0);
  }
});
