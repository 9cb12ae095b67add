import { expect, test } from 'vitest';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { createRefund } from '../../src/payments/refunds/create-refund.ts';
import { sharedPrograms } from '../installation/programs.ts';
import { OPERATOR } from '../payments/setup.ts';
import { api, call, jsonPost } from '../support/harness.ts';
import { selectRow } from '../support/rows.ts';
import { until } from '../support/until.ts';

/** An installation's bank and database, a merchant, and an operator process with separate connections. */
async function installation() {
  const { sandboxUrl, start, url, connect } = await sharedPrograms(undefined, {
    SERVICE_BANK_TIMEOUT_MS: '30000',
  });
  const fault = (mode: string) => call(`${sandboxUrl}/control/faults`, jsonPost({ mode, times: 1 }));
  const deps = await connect();
  const shop = await createMerchant(deps, { name: 'Shop', domains: ['shop.pt'] });
  return { deps, shop, fault, start: () => start(url) };
}

test('a refund whose process is killed during the call becomes unknown through another process, and is sent once', {
  timeout: 60_000,
}, async () => {
  const { deps, shop, fault, start } = await installation();
  const { db } = deps;
  const first = await start();
  const transactionId = (await api(first.address, shop.apiKey).pay()) as `tx_${string}`;
  await fault('hang-refund');
  await fault('drop-callback');
  const id = await createRefund(deps, OPERATOR, { of: { transactionId }, amount: null });
  const refund = () => selectRow(db, 'refunds', { id });
  await until(async () => (await refund()).state === 'sent', 'the call');
  const second = await start();
  // The other process finds the refund of a live process and does not change it.
  await new Promise((resolve) => setTimeout(resolve, 4000));
  expect(await refund()).toMatchObject({ state: 'sent', instance_id: expect.any(String) });
  first.kill('SIGKILL');
  await until(async () => (await refund()).state === 'unknown', 'the refund to be unknown', 30_000);
  const history = await db.read.selectFrom('refund_history').select('state').orderBy('number').execute();
  expect(history.map(({ state }) => state)).toEqual(['requested', 'sent', 'unknown']);
  expect(second.err()).toBe('');
});
