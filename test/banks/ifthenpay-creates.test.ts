import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { lisbonEndOfDay } from '../../src/kernel/lisbon.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { takenPort } from '../support/process.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { order, push } from './conformance-kit.ts';
import { ACCOUNT, adapter, handMadeBank, json } from './support.ts';

const [PUSH, ORDER] = [push(), order()];
const ACCEPTED = {
  Amount: '12.50',
  Message: 'Pending',
  OrderId: PUSH.bankOrderId,
  RequestId: 'i2s+3',
  Status: '000',
};
const REFERENCE = {
  Amount: 12.5,
  Entity: 11990,
  Reference: '000000291',
  ExpiryDate: '18-01-2026',
  Message: 'Success',
  OrderId: PUSH.bankOrderId,
  RequestId: 'r1',
  Status: '0',
};

async function pushed(answer: unknown, status = 200) {
  const { url, requests } = await handMadeBank((_request, response) => json(response, answer, status));
  const { bank, calls } = adapter(url);
  return { outcome: await bank.createPush(ACCOUNT, PUSH), requests, calls };
}

async function reference(answer: unknown) {
  const clock = fakeClock();
  const { url, requests } = await handMadeBank((_request, response) => json(response, answer));
  return { outcome: await adapter(url, clock).bank.createReference(ACCOUNT, ORDER), requests, clock };
}

test('a push is sent as the bank documents it, and its request id is returned', async () => {
  const { outcome, requests, calls } = await pushed(ACCEPTED);
  expect(outcome).toEqual({ kind: 'accepted', requestId: 'i2s+3' });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ method: 'POST', url: '/spg/payment/mbway' });
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
    mbWayKey: 'ABC-123456',
    orderId: 'A1B2C3D4E5F6G7H',
    amount: '12.50',
    mobileNumber: '351#912345678',
    description: 'Shop 1001',
  });
  expect(calls).toEqual([{ operation: 'push', outcome: 'accepted' }]);
});

test('both spellings of the order id and amounts as numbers are read', async () => {
  const { outcome } = await pushed({
    Amount: 12.5,
    orderId: PUSH.bankOrderId,
    RequestId: 'r',
    Status: '000',
  });
  expect(outcome).toEqual({ kind: 'accepted', requestId: 'r' });
});

test('the bank is asked for answers without compression, which are not decompressed', async () => {
  const { url } = await handMadeBank(({ headers }, response) => {
    if (headers['accept-encoding'] === 'identity') return json(response, ACCEPTED);
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(ACCEPTED)));
  });
  expect((await adapter(url).bank.createPush(ACCOUNT, PUSH)).kind).toBe('accepted');
});

test.each([
  ['another amount', { ...ACCEPTED, Amount: '12.51' }, 200],
  ['another order', { ...ACCEPTED, OrderId: 'SOMEBODY-ELSES' }, 200],
  ['a refusal of another order', { ...ACCEPTED, OrderId: 'SOMEBODY-ELSES', Status: '100' }, 200],
  ['no request id', { ...ACCEPTED, RequestId: '' }, 200],
  ['no status', { Message: 'An error has occurred.' }, 200],
  ['a state that is no answer to a create', { ...ACCEPTED, Status: '123' }, 200],
  ['a list', [ACCEPTED], 200],
  ['a 500, whatever its body contains', { ...ACCEPTED, Status: '999' }, 500],
  ['an accepted one under a 404', ACCEPTED, 404],
  ['a refusal under a 408', { ...ACCEPTED, Status: '999' }, 408],
  ['a refusal under a 409', { ...ACCEPTED, Status: '999' }, 409],
  ['the HTTP status of a gateway', { title: 'Gateway Timeout', status: 504 }, 200],
  ['the HTTP status of a gateway under a 404', { title: 'Gateway Timeout', status: 504 }, 404],
  ['a status that is no number', { status: 'error' }, 200],
  ['a redirect', {}, 302],
])('an answer with %s leaves the outcome unknown', async (_name, answer, status) => {
  const { outcome, requests } = await pushed(answer, status);
  expect(outcome.kind).toBe('unknown');
  expect(requests).toHaveLength(1);
});

test.each([100, '100', 999, '-1', -1, '401'])('an answer with the status %o is a refusal', async (Status) => {
  expect((await pushed({ ...ACCEPTED, Status })).outcome).toMatchObject({ kind: 'refused', reason: 'other' });
});

test('an endless answer leaves the outcome unknown', async () => {
  const endless = await handMadeBank((_request, response) => {
    const drip = () => response.write('x'.repeat(65_536), (error) => !error && drip());
    drip();
  });
  expect((await adapter(endless.url).bank.createPush(ACCOUNT, PUSH)).kind).toBe('unknown');
});

test('nothing is sent to an untrusted certificate, also where Node is told to trust every one', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { port, requests } = await startReceiver();
  const { bank } = adapter(`https://127.0.0.1:${port}`);
  expect((await bank.createPush(ACCOUNT, PUSH)).kind).toBe('unreachable');
  const inquiry = bank.inquirePush(ACCOUNT, { requestId: 'r1', bankOrderId: PUSH.bankOrderId });
  await expect(inquiry).rejects.toThrow('self-signed');
  expect(requests).toEqual([]);
});

test('a TLS handshake that times out is unreachable', async () => {
  const { bank } = adapter(`https://127.0.0.1:${await takenPort()}`, systemClock, 1000);
  expect((await bank.createPush(ACCOUNT, PUSH)).kind).toBe('unreachable');
});

test('a connection that breaks after the request was sent leaves the outcome unknown', async () => {
  const reset = await handMadeBank((request) => request.socket.resetAndDestroy());
  expect((await adapter(reset.url).bank.createPush(ACCOUNT, PUSH)).kind).toBe('unknown');
  const closed = await handMadeBank((request) => request.socket.end());
  expect((await adapter(closed.url).bank.createReference(ACCOUNT, ORDER)).kind).toBe('unknown');
  const midway = await handMadeBank((request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"Status":"000",');
    setImmediate(() => request.socket.destroy());
  });
  expect((await adapter(midway.url).bank.createPush(ACCOUNT, PUSH)).kind).toBe('unknown');
  expect(reset.requests).toHaveLength(1);
});

test('a missing or trickling answer leaves the outcome unknown at the time-out', async () => {
  const clock = fakeClock();
  for (const drips of [false, true]) {
    const bank = await handMadeBank((_request, response) => {
      if (drips) response.writeHead(200).write('{');
    });
    const outcome = adapter(bank.url, clock).bank.createPush(ACCOUNT, PUSH);
    await until(() => bank.requests.length > 0);
    await clock.advance(4999);
    await clock.advance(1);
    expect((await outcome).kind).toBe('unknown');
  }
});

test('every create uses a new connection', async () => {
  const ports = new Set<number | undefined>();
  const { url } = await handMadeBank((request, response) => {
    ports.add(request.socket.remotePort);
    json(response, ACCEPTED);
  });
  const { bank } = adapter(url);
  await bank.createPush(ACCOUNT, PUSH);
  await bank.createPush(ACCOUNT, PUSH);
  expect(ports.size).toBe(2);
});

test('a reference is requested as documented and expires at 23:59:59 in Lisbon', async () => {
  const { outcome, requests } = await reference(REFERENCE);
  expect(outcome).toEqual({
    kind: 'accepted',
    requestId: 'r1',
    entity: '11990',
    reference: '000000291',
    expiresAt: Date.UTC(2026, 0, 18, 23, 59, 59),
  });
  expect(requests[0]?.url).toBe('/multibanco/reference/init');
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
    mbKey: 'DEF-654321',
    orderId: 'A1B2C3D4E5F6G7H',
    amount: '12.50',
    description: 'Shop 1001',
    expiryDays: 3,
  });
});

test('a reference expires at the end of its expiry day, also when the bank adds a time to it', async () => {
  for (const time of [' 00:00:00', ' 00:00', ' 23:59:59', 'T12:30:00']) {
    const { outcome } = await reference({ ...REFERENCE, ExpiryDate: `05-07-2026${time}` });
    expect(outcome).toMatchObject({ kind: 'accepted', expiresAt: Date.UTC(2026, 6, 5, 22, 59, 59) });
  }
});

test('a reference without a readable expiry day expires after the requested days; a numeric one gets its leading zeros', async () => {
  for (const ExpiryDate of ['', 'soon', '01-01-0001', undefined]) {
    const { outcome, clock } = await reference({ ...REFERENCE, ExpiryDate, Reference: 291, RequestId: null });
    expect(outcome).toMatchObject({
      kind: 'accepted',
      reference: '000000291',
      requestId: null,
      expiresAt: lisbonEndOfDay(clock.now(), 3),
    });
  }
});

test('a reference with a wrong entity, reference or amount is not returned', async () => {
  for (const fault of [
    { Entity: '1199' },
    { Reference: '12345678A' },
    { Amount: '1.25' },
    { Reference: null },
  ]) {
    expect((await reference({ ...REFERENCE, ...fault })).outcome.kind).toBe('unknown');
  }
  expect((await reference({ ...REFERENCE, Status: '-1', Message: 'no' })).outcome).toMatchObject({
    kind: 'refused',
    reason: 'other',
    detail: 'status -1 no',
  });
});

test('a push is not sent on a connection that a stall delayed, because another may be live', async () => {
  const { url, requests } = await handMadeBank((_request, response) => json(response, ACCEPTED));
  let stalledMs = 0;
  const { bank } = adapter(url, { ...systemClock, now: () => systemClock.now() + stalledMs });
  const outcome = bank.createPush(ACCOUNT, PUSH);
  // The connection is ready when the process resumes, before any timer has run.
  stalledMs = 60_000;
  expect(await outcome).toMatchObject({ kind: 'unreachable' });
  expect(requests).toEqual([]);
});
