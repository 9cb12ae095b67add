import { expect, test } from 'vitest';
import { sandboxCredentials } from '../../src/banks/accounts.ts';
import { BankUnavailable } from '../../src/banks/port.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { createReconciler } from '../../src/banks/workers/reconciler.ts';
import type { Settings } from '../../src/config.ts';
import { until } from '../support/until.ts';
import { bankAttempt, workerKit } from './support.ts';

test.each(['the part', 'some rows of the part'])(
  'a stop during a read whose bank does not return %s waits for no other part',
  async (missing) => {
    const { bank, deps } = await workerKit();
    const reconciler = createReconciler({ ...deps, settings: { reconcileMs: 300_000 } as Settings });
    let parts = 0;
    bank.listPayments = async () => {
      parts += 1;
      void reconciler.stop();
      const failure = new BankUnavailable('list: no answer');
      if (missing === 'the part') throw failure;
      return { records: [], complete: false, failure };
    };
    reconciler.start();
    await until(() => parts > 0);
    await reconciler.stop();
    expect(parts).toBe(1);
  },
);

test('a stop during the inquiries about unknown pushes sends no further one', async () => {
  const { bank, deps, settlement } = await workerKit();
  const credentials = sandboxCredentials(deps.random, 'eupago');
  const { account } = await setBankAccount(deps, { merchantId: null, acquirer: 'eupago', credentials });
  for (const id of ['att_1', 'att_2', 'att_3'] as const)
    settlement.attempts.push(bankAttempt({ id, account_id: account, state: 'unknown', request_id: id }));
  const reconciler = createReconciler({ ...deps, settings: { reconcileMs: 300_000 } as Settings });
  bank.inquire = async () => {
    void reconciler.stop();
    return { kind: 'waiting' };
  };
  reconciler.start();
  await until(() => bank.inquired.length > 0);
  await reconciler.stop();
  expect(bank.inquired).toEqual(['att_1']);
});
