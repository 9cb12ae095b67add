import { expect, test } from 'vitest';
import type { Id } from '../../../src/kernel/ids.ts';
import { setMerchant } from '../../../src/merchants/set-merchant.ts';
import { creditTransaction } from '../../../src/payments/exceptions/credit-transaction.ts';
import { releaseTransaction } from '../../../src/payments/release.ts';
import { showTransaction } from '../../../src/payments/show.ts';
import { countCreated } from '../../../src/payments/totals.ts';
import { temporaryDatabase } from '../../support/database.ts';
import { startService } from '../../support/harness.ts';
import { checkTotals } from '../../support/recount.ts';
import { until } from '../../support/until.ts';

const METHOD_DAYS = 'daily_method_totals';

test('a payment, a rejection, a credit and a release are each counted once, on the day of the change', async () => {
  const service = await startService();
  const { deps } = service.app;
  const merchant = await service.merchant();
  const push = async (phoneNumber: string, wanted: string) => {
    const id = await merchant.push(phoneNumber);
    await merchant.reaches(id, wanted);
  };
  const paid = async () =>
    (await deps.db.read.selectFrom(METHOD_DAYS).select('paid_count').execute()).reduce(
      (sum, row) => sum + row.paid_count,
      0,
    );
  await Promise.all([push('911000001', 'paid'), push('911000002', 'failed')]);
  await checkTotals(deps.db.read);
  expect(await paid()).toBe(1);

  const referred = async (amounts: number[]) => {
    const id = await merchant.init();
    const { body } = await merchant.post('/payments/multibanco', { transactionId: id });
    for (const amount of amounts)
      await service.control('/multibanco', { entity: body.entity, reference: body.reference, amount });
    const received = async () => (await showTransaction(deps, id)).receipts.length === amounts.length;
    await until(received, 'the receipts');
    return id;
  };
  const short = await referred([10, 9.99]);
  await checkTotals(deps.db.read);
  expect(await paid()).toBe(1);
  await creditTransaction(deps, short);
  await expect(creditTransaction(deps, short)).rejects.toThrow();
  await checkTotals(deps.db.read);
  expect(await paid()).toBe(2);

  await setMerchant(deps, merchant.merchantId, { hold: true });
  const held = await referred([19.99, 19.99]);
  await checkTotals(deps.db.read);
  expect(await paid()).toBe(2);
  await releaseTransaction(deps, held);
  await checkTotals(deps.db.read);
  expect(await paid()).toBe(3);
});

test('transactions that share a commit add to one sum, and a failed one adds nothing', async () => {
  const db = await temporaryDatabase();
  const merchantId: Id<'mer'> = 'mer_1';
  await db.unit(async (tx) => {
    await tx
      .insertInto('merchants')
      .values({
        ...{ id: merchantId, name: 'One', active: 1, hold: 0, webhook_url: null, webhook_enabled: 0 },
        ...{ webhook_secret: 's', previous_webhook_secret: null, previous_secret_until: null },
        ...{ first_paid_at: null, created_at: 1 },
      })
      .execute();
  });
  // Two days of Lisbon's summer: 22:59:59.999 and 23:00 UTC.
  const midnight = Date.UTC(2026, 6, 1, 23);
  const units = Array.from({ length: 20 }, (_, index) =>
    db.unit(async (tx) => {
      const created_at = index % 2 === 0 ? midnight - 1 : midnight;
      countCreated(tx, { merchant_id: merchantId, created_at, amount_cents: 100 as never });
      if (index >= 15) throw new Error('this unit fails');
    }),
  );
  expect((await Promise.allSettled(units)).filter(({ status }) => status === 'rejected')).toHaveLength(5);
  const days = await db.read
    .selectFrom('daily_totals')
    .select(({ fn }) => [
      'day',
      fn.sum<number>('created_count').as('count'),
      fn.sum<number>('created_cents').as('cents'),
    ])
    .groupBy('day')
    .orderBy('day')
    .execute();
  expect(days).toEqual([
    { day: '2026-07-01', count: 8, cents: 800 },
    { day: '2026-07-02', count: 7, cents: 700 },
  ]);
});
