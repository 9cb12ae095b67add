import { expect, test } from 'vitest';
import { fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { HAND, happens, receiver, sandbox } from './support.ts';

test('refuse, error500 and garbage accept nothing', async () => {
  const bank = await sandbox();
  expect((await bank.fault('refuse', 2)).body).toEqual({ mode: 'refuse', times: 2 });
  await expect(bank.push(HAND)).rejects.toThrow();
  await expect(bank.reference()).rejects.toThrow();
  await bank.fault('error500', 1);
  expect((await bank.push(HAND)).status).toBe(500);
  await bank.fault('garbage', 1);
  const garbage = await bank.push(HAND);
  expect(garbage.status).toBe(200);
  expect(() => JSON.parse(garbage.text)).toThrow();
  expect(await bank.pushes()).toEqual([]);
  expect((await bank.push(HAND)).body.Status).toBe('000');
});

test('hang accepts the push, never answers, and the customer can pay it', async () => {
  const bank = await sandbox();
  await bank.fault('hang', 1);
  const patience = new AbortController();
  const create = bank.push(HAND, {}, patience.signal).catch(() => 'gave up');
  await until(async () => (await bank.pushes()).length === 1);
  expect((await bank.accept(HAND)).status).toBe(200);
  expect(await bank.record({ orderId: 'order-1' })).toHaveLength(1);
  patience.abort();
  expect(await create).toBe('gave up');
});

test('inquiry faults affect status and list the given number of times; 0 removes them', async () => {
  const bank = await sandbox();
  const { RequestId } = (await bank.push(HAND)).body;
  await bank.fault('error500-inquiry', 2);
  const status = `/spg/payment/mbway/status?mbWayKey=ABC-123456&requestId=${encodeURIComponent(String(RequestId))}`;
  expect((await bank.call(status)).status).toBe(500);
  expect((await bank.post('/v2/payments/read', { boKey: '1111-2222-3333-4444' })).status).toBe(500);
  expect((await bank.call(status)).status).toBe(200);
  await bank.fault('hang-inquiry', 5);
  const patience = AbortSignal.timeout(50);
  await expect(bank.call(status, { signal: patience })).rejects.toThrow();
  await bank.fault('hang-inquiry', 0);
  expect((await bank.call(status)).status).toBe(200);
});

test('callback faults drop, duplicate or falsify a callback', async () => {
  const clock = fakeClock();
  const bank = await sandbox({ clock });
  const shop = await receiver();
  await bank.activate(shop.template);
  const paid = async (mode: string) => {
    await bank.fault(mode, 1);
    return bank.paidPush();
  };
  await paid('drop-callback');
  await clock.advance(3_600_000);
  expect(shop.calls).toEqual([]);

  const doubled = await paid('duplicate-callback');
  await happens(clock, () => shop.calls.length === 2);
  expect(shop.calls.map((call) => call.get('requestId'))).toEqual([doubled, doubled]);

  await paid('wrong-amount-callback');
  await happens(clock, () => shop.calls.length === 3);
  expect(shop.calls[2]?.get('amount')).toBe('12.51');
  expect(shop.calls[2]?.get('key')).toBe('anti phishing&key');

  await paid('bad-key-callback');
  await happens(clock, () => shop.calls.length === 4);
  expect(shop.calls[3]?.get('amount')).toBe('12.50');
  expect(shop.calls[3]?.get('key')).not.toBe('anti phishing&key');
});
