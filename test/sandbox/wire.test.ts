import { expect, test } from 'vitest';
import { fakeClock } from '../support/fake-clock.ts';
import { HAND, member, sandbox } from './support.ts';

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
