import { expect, test } from 'vitest';
import { BankUnavailable } from '../../src/banks/port.ts';
import { createReconciler } from '../../src/banks/workers/reconciler.ts';
import type { Settings } from '../../src/config.ts';
import { until } from '../support/until.ts';
import { workerKit } from './support.ts';

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
