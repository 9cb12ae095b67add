import type { Deps } from '../../src/deps.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { appendEvent } from '../../src/webhooks/append.ts';
import type { TestMerchant } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';

/** Appends a test event, which has no payment transaction, as any other event is appended. */
export async function appendTestEvent(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher'>,
  { merchantId }: Pick<TestMerchant, 'merchantId'>,
): Promise<string> {
  const { eventId } = await deps.db.unit((tx) =>
    appendEvent(tx, deps, {
      merchantId,
      transactionId: null,
      kind: 'webhook.test',
      transactionSequence: null,
      data: {
        id: 'tx_test_1',
        externalOrderId: 'Encomenda Nº 7 – 🧉',
        amount: cents(100),
        paymentMethod: null,
        status: 'pending',
        paidAt: null,
      },
    }),
  );
  return eventId;
}

/** Every row that an event of this merchant could have changed. */
export async function rowsOf({ db }: Pick<Deps, 'db'>, merchant_id: Id<'mer'>) {
  return {
    events: await selectRows(db, 'events', { merchant_id }),
    deliveries: await selectRows(db, 'deliveries', { merchant_id }),
    attempts: await selectRows(db, 'delivery_attempts', { merchant_id }),
  };
}
