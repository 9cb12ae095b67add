import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PaymentsConnectionError, PaymentsError } from '../../src/client/client.ts';
import { mayRepeat, readRetryAfter, waitMs } from '../../src/client/repeat.ts';
import { ERROR_STATUS, type ErrorCode } from '../../src/kernel/errors.ts';
import { ORDER } from '../support/harness.ts';
import { CREATED, type Reply, refusal, scripted, thrown } from './support.ts';

const CALLS = ['init', 'mbway', 'multibanco', 'status', 'methods'] as const;
const LIMITED = refusal(429, 'RATE_LIMITED');
const STEP = { transactionId: 'tx_1', phoneNumber: '912345678' };

type Scripted = Awaited<ReturnType<typeof scripted>>;
const send = ({ client }: Scripted, name: (typeof CALLS)[number]): Promise<unknown> => {
  switch (name) {
    case 'init':
      return client.init(ORDER);
    case 'mbway':
      return client.mbway(STEP);
    case 'multibanco':
    case 'status':
      return client[name]({ transactionId: 'tx_1' });
    case 'methods':
      return client.methods();
  }
};

describe.each(CALLS)('%s', (name) => {
  test('is sent again when it came too soon, three times and no more', async () => {
    const served = await scripted([LIMITED, LIMITED, LIMITED, LIMITED, CREATED]);
    const error = await thrown(send(served, name));
    expect(error).toMatchObject({ name: 'PaymentsError', status: 429, code: 'RATE_LIMITED', tries: 4 });
    expect(served.waits).toEqual([500, 1000, 2000]);
    const third = await scripted([LIMITED, LIMITED, LIMITED, CREATED]);
    await send(third, name);
    expect(third.calls).toHaveLength(4);
  });

  test('is never sent again when the bank did not say what became of it', async () => {
    const served = await scripted([refusal(502, 'BANK_OUTCOME_UNKNOWN'), CREATED]);
    expect(await thrown(send(served, name))).toMatchObject({ code: 'BANK_OUTCOME_UNKNOWN', tries: 1 });
    expect(served.calls).toHaveLength(1);
  });

  test('is not sent again for a mistake of the caller', async () => {
    for (const [code, status] of Object.entries(ERROR_STATUS)) {
      if (status >= 429) continue;
      const served = await scripted([refusal(status, code), CREATED]);
      expect(await thrown(send(served, name))).toMatchObject({ status, code });
      expect(served.calls, code).toHaveLength(1);
    }
  });
});

const FAILURES: Record<string, [reply: Reply, repeatedFor: readonly (typeof CALLS)[number][]]> = {
  'a connection that is cut': ['cut', ['init']],
  'an answer that breaks off': ['half', ['init']],
  'a 500': [refusal(500, 'INTERNAL_ERROR'), ['init']],
  'a bank that cannot be reached': [refusal(502, 'BANK_UNAVAILABLE'), ['init', 'mbway', 'multibanco']],
  'a bank that refuses': [refusal(502, 'BANK_REFUSED'), ['init']],
  'a 502 of a proxy': [{ status: 502, body: '<h1>Bad Gateway</h1>' }, ['init']],
  'a 503 of a proxy': [{ status: 503, body: '<h1>Unavailable</h1>' }, ['init']],
};

describe.each(Object.entries(FAILURES))('after %s', (_, [reply, repeatedFor]) => {
  test.each(CALLS)(`%s is sent again only when that is safe (${repeatedFor.join(', ')})`, async (name) => {
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

test('all tries of one init carry one idempotency key, the same bytes and one request id; two inits carry two', async () => {
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

test("the caller's own idempotency key is the one that is sent, and an error names it", async () => {
  const served = await scripted(['cut', 'cut', 'cut', 'cut']);
  const error = await thrown(served.client.init(ORDER, { idempotencyKey: 'ORDER-1' }));
  expect(error).toBeInstanceOf(PaymentsConnectionError);
  expect(error).toMatchObject({ idempotencyKey: 'ORDER-1', tries: 4, reason: 'network' });
  expect(served.calls.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(4).fill('ORDER-1'));
});

test('the other calls carry no idempotency key', async () => {
  for (const name of CALLS) {
    if (name === 'init') continue;
    const served = await scripted([CREATED]);
    await send(served, name);
    expect(served.calls[0]?.headers['idempotency-key']).toBeUndefined();
  }
});

test('Retry-After is waited for, a minute at most, and the back-off comes on top', async () => {
  const after = (seconds: string) => refusal(429, 'RATE_LIMITED', { 'retry-after': seconds });
  const served = await scripted([after('7'), after('3600'), after('nonsense'), CREATED], {
    deadlineMs: 600_000,
  });
  await served.client.init(ORDER);
  expect(served.waits).toEqual([7_500, 61_000, 2_000]);
});

test('a wait that would outlast the deadline is not begun', async () => {
  const served = await scripted([refusal(429, 'RATE_LIMITED', { 'retry-after': '20' }), CREATED], {
    deadlineMs: 10_000,
  });
  expect(await thrown(served.client.status({ transactionId: 'tx_1' }))).toMatchObject({
    status: 429,
    tries: 1,
  });
  expect(served.waits).toEqual([]);
});

test('a push that is known not to be sent is not sent again when the deadline would cut it off', async () => {
  const replies = [refusal(502, 'BANK_UNAVAILABLE'), CREATED];
  const short = await scripted(replies, { deadlineMs: 10_000 });
  expect(await thrown(short.client.mbway(STEP))).toMatchObject({ code: 'BANK_UNAVAILABLE', tries: 1 });
  const quick = await scripted(replies, { deadlineMs: 10_000, tryTimeoutMs: 5_000 });
  await quick.client.mbway(STEP);
  const reference = await scripted(replies, { deadlineMs: 10_000 });
  await reference.client.multibanco({ transactionId: 'tx_1' });
});

test('whatever the jitter, a wait is never shorter than what was asked for, nor longer than it may be', () => {
  fc.assert(
    fc.property(
      fc.nat(2),
      fc.nat(100_000),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (repeat, asked, random) => {
        const wait = waitMs(repeat, asked, random);
        const floor = Math.min(asked, 60_000);
        expect(wait).toBeGreaterThanOrEqual(floor + 250 * 2 ** repeat);
        expect(wait).toBeLessThanOrEqual(floor + 500 * 2 ** repeat);
      },
    ),
  );
});

test('Retry-After is read in seconds and as a date; nonsense is no wait', () => {
  const now = Date.UTC(2026, 0, 1);
  expect(readRetryAfter('12', now)).toBe(12_000);
  expect(readRetryAfter('Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5_000);
  for (const nothing of [null, '', '-5', 'soon', 'Wed, 31 Dec 2025 00:00:00 GMT']) {
    expect(readRetryAfter(nothing, now)).toBe(0);
  }
});

test('no failure whatever lets a push or a reference go out twice but a bank that never heard of the first', () => {
  const codes = [...Object.keys(ERROR_STATUS), null] as (ErrorCode | null)[];
  fc.assert(
    fc.property(
      fc.constantFrom('mbway' as const, 'multibanco' as const),
      fc.option(fc.integer({ min: 100, max: 599 })),
      fc.constantFrom(...codes),
      (name, status, code) => {
        const repeated = mayRepeat(name, { status, code });
        const safe = (status === 429 && code !== 'BANK_OUTCOME_UNKNOWN') || code === 'BANK_UNAVAILABLE';
        expect(repeated).toBe(safe);
      },
    ),
  );
});

test('an error of the service keeps its class after repeats', async () => {
  const served = await scripted(Array(4).fill(refusal(500, 'INTERNAL_ERROR')));
  const error = await thrown(served.client.init(ORDER));
  expect(error).toBeInstanceOf(PaymentsError);
  expect(error.message).toBe('The sentence of INTERNAL_ERROR.');
});
