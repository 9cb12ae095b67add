import { expect, test } from 'vitest';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { creditTransaction } from '../../src/payments/exceptions/credit-transaction.ts';
import { releaseTransaction } from '../../src/payments/release.ts';
import { showTransaction } from '../../src/payments/show.ts';
import { startWithMerchant } from '../support/harness.ts';
import { until } from '../support/until.ts';

test('a held payment looks pending to the merchant until the operator releases it, then is paid at the bank time', async () => {
  const { service, deps, merchant } = await startWithMerchant();
  await setMerchant(deps, merchant.merchantId, { hold: true });
  const { id, mb } = await merchant.reference();
  const before = await merchant.status(id);
  await service.control('/multibanco', mb);
  const held = await until(async () => {
    const shown = await showTransaction(deps, id);
    return shown.transaction.held ? shown : null;
  }, 'the hold');
  expect(held.receipts).toHaveLength(1);
  expect(await merchant.status(id)).toEqual(before);

  const step = await merchant.post('/payments/mbway', { transactionId: id, phoneNumber: '911000001' });
  expect([step.status, step.body.code]).toEqual([400, 'TRANSACTION_NOT_PENDING']);
  const init = { orderId: 'B', amount: 1, storeUrl: 'https://shop.pt' };
  const bare = await merchant.post('/payments/init', init);
  expect([bare.status, bare.body.code]).toEqual([400, 'CHECKOUT_DATA_REQUIRED']);

  await setMerchant(deps, merchant.merchantId, { hold: false });
  await expect(creditTransaction(deps, id)).rejects.toThrow('release it instead');
  expect((await merchant.status(id)).status).toBe('pending');
  const released = await releaseTransaction(deps, id);
  expect(released).toMatchObject({ status: 'paid', held: false, paidAt: held.receipts[0]?.paidAt });
  expect(await merchant.status(id)).toMatchObject({ status: 'paid', paidAt: held.receipts[0]?.paidAt });
  await expect(releaseTransaction(deps, id)).rejects.toThrow(/paid already/);
  expect((await merchant.post('/payments/init', init)).status).toBe(200);
});
