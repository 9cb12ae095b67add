import { expect, test } from 'vitest';
import { creditTransaction } from '../../src/payments/exceptions/credit-transaction.ts';
import { showTransaction } from '../../src/payments/show.ts';
import { transactionEvents } from '../../src/webhooks/history.ts';
import { startService } from '../support/harness.ts';
import { until } from '../support/until.ts';

test('a credit needs receipts that together reach the amount, and pays once with one event', async () => {
  const service = await startService();
  const { deps } = service.app;
  const merchant = await service.merchant();
  const { id, mb } = await merchant.reference();
  const pay = async (amount: number, receipts: number) => {
    await service.control('/multibanco', { ...mb, amount });
    await until(async () => (await showTransaction(deps, id)).receipts.length === receipts, 'the receipt');
  };
  await expect(creditTransaction(deps, id)).rejects.toThrow(/0 of 19.99 EUR/);
  await pay(10, 1);
  await expect(creditTransaction(deps, id)).rejects.toThrow(/10 of 19.99 EUR/);
  await pay(9.99, 2);
  expect((await merchant.status(id)).status).toBe('pending');

  const credited = await creditTransaction(deps, id);
  const { receipts } = await showTransaction(deps, id);
  expect(receipts.map((receipt) => receipt.flags)).toEqual([['under'], ['under']]);
  expect(credited).toMatchObject({ status: 'paid', paymentMethod: 'REFERENCE', amount: 19.99, held: false });
  expect(receipts.map((receipt) => receipt.paidAt)).toContain(credited.paidAt);
  await expect(creditTransaction(deps, id)).rejects.toThrow(/paid already/);
  const { events } = await transactionEvents(deps.db.read, id as `tx_${string}`);
  expect(events.map((event) => event.event)).toEqual(['payment.success']);
});
