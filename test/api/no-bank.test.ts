import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { startService } from '../support/harness.ts';
import { callerOf, DOORS, expectRefusal, knock } from './doors.ts';

test('a bank without credentials: the service runs, says so, and answers steps with BANK_UNAVAILABLE', async () => {
  const service = await startService({
    env: {
      SERVICE_BANK: 'ifthenpay',
      SERVICE_SECRET_KEY: randomBytes(32).toString('base64'),
      SERVICE_MBWAY_WINDOW_SECONDS: '240',
    },
  });
  expect(service.logged()).toMatch(/credential/i);
  const merchant = await service.merchant();
  const transactionId = await merchant.init();
  for (const door of DOORS) {
    const caller = callerOf(service, merchant);
    const push = await knock(door, caller, 'mbway', { transactionId, phoneNumber: '912345678' });
    expectRefusal(push, 502, 'BANK_UNAVAILABLE');
    expectRefusal(await knock(door, caller, 'multibanco', { transactionId }), 502, 'BANK_UNAVAILABLE');
  }
  expect((await merchant.status(transactionId)).status).toBe('pending');
});
