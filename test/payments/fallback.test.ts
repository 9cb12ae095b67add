import { expect, test } from 'vitest';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { type Service, startService, startWithMerchant } from '../support/harness.ts';
import { takenPort } from '../support/process.ts';
import { until } from '../support/until.ts';
import { behind, eupagoMerchant, openEupago, route, sendPush } from './acquirers-kit.ts';

/** No connection is made to this address. */
const REFUSING = 'http://127.0.0.1:9';

/** An address that takes connections and never answers. */
const unresponsiveBank = async () => `http://127.0.0.1:${await takenPort()}`;

/** A merchant whose first acquirer is at `url` and whose fallback is EuPago in the sandbox. */
async function withFallback(url: string) {
  const { service, merchant } = await startWithMerchant({ env: { SERVICE_IFTHENPAY_URL: url } });
  await openEupago(service, merchant.merchantId);
  await route(service, merchant, 'ifthenpay', 'eupago');
  return { service, merchant };
}

async function attemptsOf(service: Service, id: string) {
  return (await behind(service, id)).attempts;
}

test('a push goes to the fallback when no connection was made, and both attempts are kept', async () => {
  const { service, merchant } = await withFallback(REFUSING);
  const id = await merchant.init();
  expect((await sendPush(merchant, id, '911000001')).status).toBe(200);
  await merchant.reaches(id, 'paid');
  expect(await behind(service, id)).toEqual({
    status: 'paid',
    attempts: ['ifthenpay dead', 'eupago paid'],
    receipts: ['eupago 19.99'],
  });
  const reference = await merchant.init();
  const answer = await merchant.post('/payments/multibanco', { transactionId: reference });
  expect(answer.status).toBe(200);
  expect(await attemptsOf(service, reference)).toEqual(['ifthenpay dead', 'eupago open']);
});

test('a push whose answer never came has no second one, and a reference has', async () => {
  const { service, merchant } = await withFallback(await unresponsiveBank());
  const id = await merchant.init();
  expect((await sendPush(merchant, id)).body.code).toBe('BANK_OUTCOME_UNKNOWN');
  expect(await attemptsOf(service, id)).toEqual(['ifthenpay unknown']);
  const reference = await merchant.init();
  const answer = await merchant.post('/payments/multibanco', { transactionId: reference });
  expect(answer.status).toBe(200);
  expect(await attemptsOf(service, reference)).toEqual(['ifthenpay dead', 'eupago open']);
});

test('no fallback takes an amount below its limit, a refusal or a push of another phone', async () => {
  const { service, merchant } = await withFallback(REFUSING);
  const small = await merchant.init({ amount: 0.5 });
  const answer = await sendPush(merchant, small);
  expect([answer.status, answer.body.code]).toEqual([502, 'BANK_UNAVAILABLE']);
  expect(await attemptsOf(service, small)).toEqual(['ifthenpay dead']);
  await route(service, merchant, 'eupago', 'ifthenpay');
  const refused = await merchant.init();
  expect((await sendPush(merchant, refused, '911000005')).body.code).toBe('MBWAY_PHONE_REJECTED');
  expect(await attemptsOf(service, refused)).toEqual(['eupago dead']);
});

test('old attempts keep their account when routes and credentials change', async () => {
  const service = await startService();
  const { merchant, credentials } = await eupagoMerchant(service);
  const pushed = await merchant.push('912345678');
  const { id: referenced, mb } = await merchant.reference();
  const rolled = { ...credentials, webhookKey: 'n'.repeat(32) };
  const { deps } = service.app;
  const set = { merchantId: merchant.merchantId, acquirer: 'eupago' as const, credentials: rolled };
  const kept = await setBankAccount(deps, set);
  // Another contract at EuPago, then another acquirer.
  const next = await openEupago(service, merchant.merchantId);
  expect(next.account).not.toBe(kept.account);
  await route(service, merchant, 'ifthenpay', null);
  await service.control('/mbway', { phoneNumber: '912345678', outcome: 'accept' });
  await service.control('/multibanco', mb);
  for (const id of [pushed, referenced]) {
    await merchant.reaches(id, 'paid');
    expect((await behind(service, id)).receipts).toEqual(['eupago 19.99']);
  }
  await until(async () => (await attemptsOf(service, await merchant.pay()))[0] === 'ifthenpay paid');
});
