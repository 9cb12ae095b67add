import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { type Cents, cents } from '../../src/kernel/money.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ANY_SERVICE } from '../sandbox/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { ACCOUNT, adapter } from './support.ts';

/** The adapter against the simulated bank, with a callback door that only remembers what came. */
async function setup() {
  const callbacks: URLSearchParams[] = [];
  const door = await startReceiver(({ path }, response) => {
    callbacks.push(new URL(path, 'http://door').searchParams);
    response.end();
  }, 'plain');
  const sandbox = await startSandbox({
    ...{ host: '127.0.0.1', port: 0, file: join(temporaryFolder(), 'sandbox.db') },
    addresses: ANY_SERVICE,
    ...{ clock: systemClock, random: systemRandom, mbwayWindowMs: 240_000, mbwayGraceMs: 30_000 },
  });
  onTestFinished(() => sandbox.close());
  const { bank } = adapter(sandbox.url, systemClock, 2000);
  await bank.registerCallback(ACCOUNT, `http://127.0.0.1:${door.port}/callbacks/ifthenpay`);
  const control = async (path: string, body: unknown) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    return (await fetch(`${sandbox.url}/control/${path}`, init)).json();
  };
  const push = (bankOrderId: string, phoneNumber: string, amount: Cents = cents(1999)) =>
    bank.createPush(ACCOUNT, { bankOrderId, amount, phoneNumber, description: 'Shop 1001' });
  return { bank, callbacks, control, push };
}

test('a push accepted on the phone is paid by its state, its list row and its callback, all of one identity', async () => {
  const { bank, callbacks, control, push } = await setup();
  const created = await push('PUSH-1', '912345678');
  if (created.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(created)}`);
  expect(await bank.inquirePush(ACCOUNT, created.requestId)).toEqual({ kind: 'waiting' });
  await control('mbway', { phoneNumber: '912345678', outcome: 'accept' });
  const state = await bank.inquirePush(ACCOUNT, created.requestId);
  const [record] = (await bank.listPayments(ACCOUNT, { bankOrderId: 'PUSH-1' })).records;
  expect(record).toMatchObject({ method: 'MBWAY', amount: 1999, requestId: created.requestId });
  expect(state).toMatchObject({ kind: 'paid', identity: record?.identity });
  const query = await until(() => callbacks[0]);
  expect(bank.verifyCallback(query, [ACCOUNT])).toMatchObject({
    ...{ bankOrderId: 'PUSH-1', requestId: created.requestId, amount: 1999 },
  });
});

test('a reference paid twice is two records, the same under every filter', async () => {
  const { bank, control } = await setup();
  const created = await bank.createReference(ACCOUNT, {
    ...{ bankOrderId: 'REF-1', amount: cents(4990), expiryDays: 3, description: 'Shop 1001' },
  });
  if (created.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(created)}`);
  const { entity, reference } = created;
  for (let times = 0; times < 2; times++) await control('multibanco', { entity, reference });
  const now = Date.now();
  const reads = await Promise.all([
    bank.listPayments(ACCOUNT, { bankOrderId: 'REF-1' }),
    bank.listPayments(ACCOUNT, { requestId: created.requestId ?? '' }),
    bank.listPayments(ACCOUNT, { from: now - 60_000, to: now + 60_000 }),
    bank.listPayments(ACCOUNT, {}),
  ]);
  const identities = reads.map(({ records }) => records.map(({ identity }) => identity).sort());
  expect(new Set(identities[0]).size).toBe(2);
  for (const others of identities) expect(others).toEqual(identities[0]);
  expect(reads[0].records[0]).toMatchObject({ method: 'REFERENCE', amount: 4990, entity, reference });
});

test.each([
  ['911000002', { kind: 'rejected' }],
  ['911000003', { kind: 'waiting' }],
  ['911000004', { kind: 'declined' }],
])('the self-acting phone %s ends in the state that its push has', async (phoneNumber, state) => {
  const { bank, push } = await setup();
  const created = await push('PUSH-2', phoneNumber);
  if (created.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(created)}`);
  await until(async () => (await bank.inquirePush(ACCOUNT, created.requestId)).kind === state.kind);
});

test('an unknown phone is refused by its code; every fault of a create leaves the push unknown', async () => {
  const { control, push } = await setup();
  expect(await push('PUSH-3', '911000005')).toMatchObject({ kind: 'refused', reason: 'phone-unknown' });
  for (const [i, mode] of ['refuse', 'error500', 'garbage', 'hang'].entries()) {
    await control('faults', { mode, times: 1 });
    expect([mode, (await push(`FAULT-${i}`, '912345678')).kind]).toEqual([mode, 'unknown']);
  }
});
