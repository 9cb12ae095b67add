import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { databaseUrl, temporaryFolder } from '../support/database.ts';
import { REAL_BANK, startService } from '../support/harness.ts';
import { insertRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { callerOf, callOperation, ENDPOINTS, expectRefusal } from './endpoints.ts';

test('the service starts although the credentials of an account cannot be read', async () => {
  const folder = temporaryFolder();
  const db = await openDatabase(await databaseUrl(folder, onTestFinished));
  await insertRows(db, 'bank_accounts', { id: 'acc_unreadable' });
  await db.close();
  const service = await startService({ folder, env: REAL_BANK });
  expect(service.logged()).not.toContain('no bank credentials');
});

test('without bank credentials the service starts, logs it and answers steps with BANK_UNAVAILABLE', async () => {
  const service = await startService({ env: REAL_BANK });
  expect(service.logged()).toMatch(/credential/i);
  const merchant = await service.merchant();
  const transactionId = await merchant.init();
  for (const endpoint of ENDPOINTS) {
    const caller = callerOf(service, merchant);
    const push = await callOperation(endpoint, caller, 'mbway', { transactionId, phoneNumber: '912345678' });
    expectRefusal(push, 502, 'BANK_UNAVAILABLE');
    const reference = await callOperation(endpoint, caller, 'multibanco', { transactionId });
    expectRefusal(reference, 502, 'BANK_UNAVAILABLE');
  }
  expect((await merchant.status(transactionId)).status).toBe('pending');
  const failures = () =>
    service
      .logged()
      .split('\n')
      .filter((line) => line.includes('"code":"BANK_UNAVAILABLE"'))
      .map((line) => JSON.parse(line));
  await until(() => failures().length === 2 * ENDPOINTS.length, 'the log lines');
  for (const { level, status } of failures()) expect([level, status]).toEqual(['warn', 502]);
});
