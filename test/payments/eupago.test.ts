import { expect, test } from 'vitest';
import { setRoute } from '../../src/banks/routes.ts';
import { showTransaction } from '../../src/payments/show.ts';
import { signedIn } from '../backoffice/support.ts';
import { ORDER, startService } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';
import { behind, eupagoMerchant, openEupago, sendPush } from './acquirers-kit.ts';

test('a push of unknown outcome waits while the bank has it, ends with its answer, and lapses where the bank has none', async () => {
  const service = await startService();
  const { merchant } = await eupagoMerchant(service);
  const unknown = async (mode: string) => {
    await service.control('/faults', { mode, times: 1 });
    const id = await merchant.init();
    const answer = await sendPush(merchant, id);
    expect([answer.status, answer.body.code]).toEqual([502, 'BANK_OUTCOME_UNKNOWN']);
    expect((await sendPush(merchant, id)).body.code).toBe('MBWAY_PUSH_OPEN');
    return id;
  };
  const lost = await unknown('error500');
  const live = await unknown('hang');
  const rejected = await service.control('/mbway', { phoneNumber: '912345678', outcome: 'reject' });
  expect(rejected.status).toBe(200);
  await merchant.reaches(live, 'failed');
  expect(await behind(service, live)).toMatchObject({ attempts: ['eupago rejected'] });
  await merchant.reaches(lost, 'cancelled');
  expect(await behind(service, lost)).toMatchObject({ attempts: ['eupago lapsed'], receipts: [] });
});

test('a payment in the list of a client with two accounts is booked at the account of its attempt', async () => {
  const service = await startService();
  const { credentials } = await openEupago(service, null);
  const merchant = await service.merchant();
  const { clientId, clientSecret } = credentials;
  const { account } = await openEupago(service, merchant.merchantId, { clientId, clientSecret });
  const { id, mb } = await merchant.reference();
  await service.control('/faults', { mode: 'drop-callback', times: 1 });
  await service.control('/multibanco', mb);
  await merchant.reaches(id, 'paid');
  expect(await selectRows(service.app.deps.db, 'receipts')).toMatchObject([{ account_id: account }]);
});

test('amounts below one euro are refused for both methods, at EuPago only', async () => {
  const service = await startService();
  const { merchant } = await eupagoMerchant(service);
  const id = await merchant.init({ amount: 0.99 });
  for (const answer of [
    await sendPush(merchant, id),
    await merchant.post('/payments/multibanco', { transactionId: id }),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([400, 'AMOUNT_BELOW_METHOD_LIMIT']);
  }
  // There is no other method to offer.
  await expect(merchant.trpc.checkout.createSession.mutate({ ...ORDER, amount: 0.99 })).rejects.toThrow(
    /the MB WAY and Multibanco minimum of 1 EUR for this account\. Charge more/,
  );
  const other = await service.merchant();
  expect((await sendPush(other, await other.init({ amount: 0.99 }))).status).toBe(200);
  const { merchant: mixed } = await eupagoMerchant(service);
  const route = { acquirer: 'ifthenpay', fallback: null } as const;
  await setRoute(service.app.deps, mixed.merchantId, 'REFERENCE', route);
  // The page of the methods states these limits.
  for (const [{ merchantId }, ...limits] of [
    [merchant, 100, 100, null],
    [other, 1, 1, null],
    [mixed, 100, 1, null],
  ] as const) {
    const owner = await signedIn(service, { role: 'owner', merchantId });
    const { value } = await owner.query('methods.list', { merchantId });
    expect(value).toMatchObject(limits.map((minCents) => ({ minCents })));
  }
});

test('a merchant sees the reference of a Multibanco payment and never that of a push', async () => {
  const service = await startService();
  const { merchant } = await eupagoMerchant(service);
  const id = await merchant.push('912345678');
  const [push] = (await service.control('/pushes')).body;
  expect(push).toMatchObject({ acquirer: 'eupago', phoneNumber: '912345678', amount: 19.99 });
  const status = await merchant.status(id);
  expect(status.mb).toBeUndefined();
  const { attempts } = await showTransaction(service.app.deps, id);
  expect(attempts[0]).toMatchObject({ acquirer: 'eupago', entity: null, reference: null });
});

test('the account of an installation can be at EuPago, with encrypted notifications', async () => {
  const service = await startService({
    env: { SERVICE_RECONCILE_SECONDS: '600', SERVICE_INQUIRY_SECONDS: '600' },
  });
  const { merchant, credentials } = await eupagoMerchant(service);
  await openEupago(service, null);
  const callbackUrl = `${service.url}/callbacks/eupago`;
  const opened = await service.control('/accounts', {
    acquirer: 'eupago',
    ...credentials,
    callbackUrl,
    encrypt: true,
  });
  expect(opened.status).toBe(200);
  const foreign = await service.control('/accounts', {
    acquirer: 'eupago',
    ...credentials,
    callbackUrl: 'https://elsewhere.example/callbacks/eupago',
  });
  expect([foreign.status, foreign.body.error]).toEqual([
    400,
    expect.stringContaining('address of the service'),
  ]);
  await merchant.pay();
});
