import { expect, test } from 'vitest';
import { fakeClock } from '../support/fake-clock.ts';
import { BO_KEY, HAND, MB_KEY, member, sandbox, WINDOW_MS } from './support.ts';

test('a push is pending, shows the amount and description, and becomes paid when accepted', async () => {
  const clock = fakeClock();
  const bank = await sandbox({ clock });
  const made = await bank.push(HAND);
  expect(made.status).toBe(200);
  expect(made.body).toMatchObject({ Message: 'Pending', Status: '000' });
  expect(Number(made.body.Amount)).toBe(12.5);
  expect(member(made.body, 'orderId')).toBe('order-1');
  const requestId = made.body.RequestId;
  expect(requestId).toMatch(/^[A-Za-z0-9+]{20}$/);
  expect(await bank.status(requestId)).toMatchObject({ Status: '123', CreatedAt: '15-01-2026 12:00:00' });
  const shown = {
    acquirer: 'ifthenpay',
    requestId,
    phoneNumber: HAND,
    amount: 12.5,
    description: 'Loja do Bairro 2041',
  };
  expect(await bank.pushes(`?phoneNumber=${HAND}`)).toEqual([
    { ...shown, state: 'pending', createdAt: '2026-01-15T12:00:00.000Z' },
  ]);
  await clock.advance(5000);
  const accepted = await bank.accept(HAND);
  expect([accepted.status, accepted.body]).toEqual([200, { requestId }]);
  expect(await bank.status(requestId)).toEqual({
    CreatedAt: '15-01-2026 12:00:00',
    Message: 'Success',
    RequestId: requestId,
    Status: '000',
    UpdateAt: '15-01-2026 12:00:05',
  });
});

test('an unanswered push expires with its window and can no longer be answered', async () => {
  const clock = fakeClock();
  const bank = await sandbox({ clock });
  const { RequestId } = (await bank.push(HAND)).body;
  await clock.advance(WINDOW_MS - 1);
  expect((await bank.status(RequestId)).Status).toBe('123');
  await clock.advance(1);
  expect(await bank.status(RequestId)).toMatchObject({ Status: '101', UpdateAt: '15-01-2026 12:04:00' });
  expect((await bank.accept(HAND)).status).toBe(404);
  const named = { phoneNumber: HAND, outcome: 'accept', requestId: RequestId };
  expect((await bank.post('/control/mbway', named)).status).toBe(404);
  expect(await bank.record()).toEqual([]);
});

test('malformed pushes are refused with HTTP 200 and status 999', async () => {
  const bank = await sandbox();
  const faulty = [
    { mbWayKey: 'abc-123456' },
    { mbWayKey: undefined },
    { orderId: 'x'.repeat(16) },
    { amount: 12.5 },
    { amount: '12.5' },
    { amount: '0.00' },
    { amount: '100000.00' },
    { mobileNumber: '912345678' },
    { mobileNumber: '351#812345678' },
    { description: 'x'.repeat(101) },
  ];
  for (const more of faulty) {
    const answer = await bank.push(HAND, more);
    expect([answer.status, answer.body.Status, answer.body.RequestId], JSON.stringify(more)).toEqual([
      200,
      '999',
      '',
    ]);
  }
  expect(await bank.pushes()).toEqual([]);
});

test('the status of an unknown request, or with another key, is not final', async () => {
  const bank = await sandbox();
  const { RequestId } = (await bank.push('911000001')).body;
  expect((await bank.status(RequestId, 'XYZ-000000')).Status).toBe('123');
  expect((await bank.status('unknown')).Status).toBe('123');
});

test('references are unique and expire on a Lisbon day', async () => {
  // 23:30 UTC in summer is already the next day in Lisbon.
  const bank = await sandbox({ clock: fakeClock(Date.UTC(2026, 6, 1, 23, 30)) });
  const seen = new Set();
  for (const path of ['/multibanco/reference/init', '/multibanco/reference/sandbox']) {
    for (let i = 0; i < 20; i++) {
      const body = { mbKey: MB_KEY, orderId: 'order-2', amount: '45.00', expiryDays: 3 };
      const answer = (await bank.post(path, body)).body;
      expect(answer).toMatchObject({ Status: '0', Message: 'Success', ExpiryDate: '05-07-2026' });
      expect(String(answer.Entity)).toMatch(/^\d{5}$/);
      expect(answer.Reference).toMatch(/^\d{9}$/);
      seen.add(answer.Reference);
    }
  }
  expect(seen.size).toBe(40);
});

test('a paid push is refunded in parts up to its amount; Multibanco is not', async () => {
  const bank = await sandbox();
  const { RequestId } = (await bank.push(HAND)).body;
  // The code is a number or text.
  const refund = async (amount: string, more = {}) => {
    const order = { backofficekey: BO_KEY, requestId: RequestId, amount, ...more };
    return Number((await bank.post('/v2/payments/refund', order)).body.Code);
  };
  expect(await refund('1.00')).toBe(0);
  await bank.accept(HAND);
  expect(await refund('10.00')).toBe(1);
  expect(await refund('2.51')).toBe(0);
  expect(await refund('2.50')).toBe(1);
  expect(await refund('0.01')).toBe(0);
  expect(await refund('1.00', { backofficekey: 'x' })).toBe(0);
  const made = (await bank.reference()).body;
  await bank.payAtm(made);
  expect(await refund('1.00', { requestId: made.RequestId })).toBe(0);
});

test('requests other than JSON and unknown paths are refused with the reason', async () => {
  const bank = await sandbox();
  const form = await bank.call('/control/mbway', { method: 'POST', body: 'phoneNumber=912345678' });
  expect([form.status, form.body.error]).toEqual([400, 'send JSON with Content-Type: application/json']);
  const broken = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' };
  expect((await bank.call('/spg/payment/mbway', broken)).status).toBe(400);
  expect((await bank.call('/nowhere')).status).toBe(404);
});
