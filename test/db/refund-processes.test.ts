import { expect, test } from 'vitest';
import { Refusal } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { createRefund } from '../../src/payments/refunds/create-refund.ts';
import { retryRefund } from '../../src/payments/refunds/retry-refund.ts';
import { settleRefund } from '../../src/payments/refunds/settle-refund.ts';
import { sharedPrograms } from '../installation/programs.ts';
import { api, call, jsonPost } from '../support/harness.ts';
import { until } from '../support/until.ts';

const OPERATOR = { merchantId: null, operator: true };
const AT_ONCE = 8;

/** An installation's bank and database, a merchant, and an operator process with separate connections. */
async function installation() {
  const { sandboxUrl, start, url, connect } = await sharedPrograms(undefined, {
    SERVICE_BANK_TIMEOUT_MS: '30000',
  });
  const control = (path: string, body: unknown) => call(`${sandboxUrl}/control${path}`, jsonPost(body));
  const fault = (mode: string) => control('/faults', { mode, times: 1 });
  const deps = await connect();
  const shop = await createMerchant(deps, { name: 'Shop', domains: ['shop.pt'] });
  return { deps, connect, shop, control, fault, start: () => start(url) };
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
  const refund = () =>
    db.read.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
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

test('two processes that refund one receipt at the same time keep its sum and repeat a failed refund once', {
  timeout: 60_000,
}, async () => {
  const { deps, connect, shop, control, start } = await installation();
  const first = await start();
  const client = api(first.address, shop.apiKey);
  const processes = [deps, await connect()] as const;
  const { db } = deps;
  /** Runs this in both processes at once, several times. Every refusal has one of these reasons. */
  const race = async (work: (place: typeof deps) => Promise<Id<'ref'>>, faults: readonly string[]) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: AT_ONCE }, (_, i) => work(processes[i % 2 === 0 ? 0 : 1])),
    );
    return outcomes.flatMap((outcome) => {
      if (outcome.status === 'fulfilled') return [outcome.value];
      expect(outcome.reason).toBeInstanceOf(Refusal);
      expect(faults).toContain(outcome.reason.reason);
      return [];
    });
  };

  // By bank transfer there is no guard but the sum: three of 5.00 fit into 19.99.
  const { id, mb } = await client.reference();
  await control('/multibanco', mb);
  await client.reaches(id, 'paid');
  const part = { of: { transactionId: id as Id<'tx'> }, amount: cents(500) };
  const made = await race((place) => createRefund(place, OPERATOR, part), ['refund_above_rest']);
  expect(made).toHaveLength(3);
  const receipts = db.read.selectFrom('receipts').select('refund_cents');
  expect(await receipts.execute()).toEqual([{ refund_cents: 1500 }]);

  // A failed one is repeated once.
  const [failed] = made;
  if (failed === undefined) throw new Error('no refund');
  await settleRefund(deps, { refundId: failed, outcome: 'failed', note: 'wrong account' });
  expect(await race((place) => retryRefund(place, OPERATOR, failed), ['refund_repeated'])).toHaveLength(1);
  expect(await receipts.execute()).toEqual([{ refund_cents: 1500 }]);
});
