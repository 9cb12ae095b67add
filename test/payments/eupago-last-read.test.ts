import { expect, test } from 'vitest';
import { call, startService } from '../support/harness.ts';
import { updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { behind, eupagoMerchant, sendPush } from './acquirers-kit.ts';

/** One read of the payment list, at the start: what is paid later is found by asking about the attempt. */
const NO_LIST = { SERVICE_RECONCILE_SECONDS: '86400', SERVICE_MULTIBANCO_GRACE_MINUTES: '0' };

test('a reference at EuPago that is paid in its last second is settled by its last read, without callback and list', async () => {
  const service = await startService({ env: NO_LIST });
  const { merchant } = await eupagoMerchant(service);
  const [paid, unpaid] = [await merchant.reference(), await merchant.reference()];
  await service.control('/faults', { mode: 'drop-callback', times: 1 });
  await service.control('/multibanco', paid.mb);
  expect(await behind(service, paid.id)).toMatchObject({ status: 'pending', receipts: [] });

  const { db, clock, wakeBankWorkers } = service.app.deps;
  // Both reach their last read now, as they would at the end of their last day.
  await updateRows(db, 'attempts', { expires_at: clock.now(), check_at: clock.now() });
  wakeBankWorkers();
  await merchant.reaches(paid.id, 'paid');
  expect(await behind(service, paid.id)).toEqual({
    status: 'paid',
    attempts: ['eupago paid'],
    // The bank's time of the payment is before the end.
    receipts: ['eupago 19.99'],
  });
  await expect
    .poll(async () => (await behind(service, unpaid.id)).attempts, { timeout: 10_000 })
    .toEqual(['eupago expired']);
  expect(await behind(service, unpaid.id)).toMatchObject({ receipts: [] });
});

test('a reference at EuPago whose partial payment was returned there still expires', async () => {
  const service = await startService({ env: NO_LIST });
  const { merchant, credentials } = await eupagoMerchant(service);
  const { id, mb } = await merchant.reference();
  await service.control('/refund-rows', { mode: 'gone' });
  await service.control('/multibanco', { ...mb, amount: 5 });
  const { db, clock, wakeBankWorkers } = service.app.deps;
  const receipt = await until(
    () => db.read.selectFrom('receipts').select('request_id').executeTakeFirst(),
    'the receipt',
  );
  const { clientId, clientSecret } = credentials;
  const ask = async (path: string, json: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const body = JSON.stringify(json);
    return (await call(`${service.sandboxUrl}${path}`, { method: 'POST', headers, body })).body;
  };
  const client = { client_id: clientId, client_secret: clientSecret };
  const { access_token } = await ask('/api/auth/token', { grant_type: 'client_credentials', ...client });
  const order = { amount: 5, iban: 'PT50000201231234567890154', bic: 'CGDIPTPL' };
  const refund = await ask(`/api/management/v1.02/refund/${receipt.request_id}`, order, access_token);
  expect(refund.transactionStatus).toBe('Success');
  await updateRows(db, 'attempts', { expires_at: clock.now(), check_at: clock.now() });
  wakeBankWorkers();
  await merchant.reaches(id, 'failed');
  expect(await behind(service, id)).toMatchObject({
    attempts: ['eupago expired'],
    receipts: ['eupago 5 under'],
  });
});

test('a push at EuPago whose create was never answered and whose callback was lost is found paid, once', async () => {
  // The list of the sandbox is hidden behind its interval; unknown pushes are asked about before each read.
  const service = await startService({ env: { SERVICE_RECONCILE_SECONDS: '1' } });
  const { merchant } = await eupagoMerchant(service);
  await service.control('/faults', { mode: 'drop-callback', times: 1 });
  const id = await merchant.init();
  const answer = await sendPush(merchant, id, '911000008');
  expect([answer.status, answer.body.code]).toEqual([502, 'BANK_OUTCOME_UNKNOWN']);
  expect((await sendPush(merchant, id)).body.code).toBe('MBWAY_PUSH_OPEN');
  await merchant.reaches(id, 'paid');
  expect(await behind(service, id)).toEqual({
    status: 'paid',
    attempts: ['eupago paid'],
    receipts: ['eupago 19.99'],
  });
  const pushes = (await call(`${service.sandboxUrl}/control/pushes`, {})).body;
  expect(pushes).toMatchObject([{ acquirer: 'eupago' }]);
});
