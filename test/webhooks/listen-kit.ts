import type { Deps } from '../../src/deps.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { appendEvent } from '../../src/webhooks/append.ts';
import type { TestMerchant } from '../support/harness.ts';

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
export async function rowsOf(deps: Pick<Deps, 'db'>, merchantId: Id<'mer'>) {
  const { read } = deps.db;
  const of = (table: 'events' | 'deliveries') =>
    read.selectFrom(table).selectAll().where('merchant_id', '=', merchantId).orderBy('id').execute();
  const attempts = read
    .selectFrom('delivery_attempts as a')
    .innerJoin('deliveries as d', 'd.id', 'a.delivery_id')
    .selectAll('a')
    .where('d.merchant_id', '=', merchantId);
  return {
    events: await of('events'),
    deliveries: await of('deliveries'),
    attempts: await attempts.execute(),
  };
}
