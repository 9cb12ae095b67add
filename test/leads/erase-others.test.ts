import { expect, test } from 'vitest';
import { eraseLead } from '../../src/erasure/erase-lead.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { createRefund } from '../../src/payments/refunds/create-refund.ts';
import { OPERATOR } from '../payments/setup.ts';
import { startService, type TestMerchant } from '../support/harness.ts';
import { insertRows, selectRow, selectRows } from '../support/rows.ts';

const PERSON = { name: 'Brites Pombal', email: 'brites.pombal@correio.pt' };
const ORDER = { customer: PERSON, shippingAddress: { line1: 'Rua das Andorinhas 7', city: 'Porto' } };
const TABLES = [
  ...(['transactions', 'attempts', 'receipts', 'receipt_notes', 'refunds', 'refund_history'] as const),
  ...(['reported_refunds', 'leads'] as const),
];

test("an erasure changes nothing of the same person's orders at another merchant", async () => {
  const service = await startService();
  const { deps } = service.app;
  /** A failed order, and a paid and refunded one with texts about the person. Resolves to the person's lead. */
  const order = async (shop: TestMerchant) => {
    await shop.reaches(await shop.push('911000002', { ...ORDER, orderId: 'FAILED' }), 'failed');
    const { id, mb } = await shop.reference({ ...ORDER, orderId: 'PAID' });
    await service.control('/multibanco', mb);
    await shop.reaches(id, 'paid');
    const account = { iban: 'PT50000201231234567890154', name: PERSON.name, reason: PERSON.email };
    await createRefund(deps, OPERATOR, { of: { transactionId: id as Id<'tx'> }, amount: null, ...account });
    const receipt = await selectRow(deps.db, 'receipts', { transaction_id: id });
    const of = { receipt_id: receipt.id, merchant_id: shop.merchantId };
    await insertRows(deps.db, 'receipt_notes', { ...of, id: deps.ids('rno'), text: PERSON.name });
    const reportId = deps.ids('rep');
    const report = { id: reportId, identity: reportId, account_id: receipt.account_id, reported_at: 1 };
    await insertRows(deps.db, 'reported_refunds', { ...of, ...report, note: PERSON.name });
    return (await selectRow(deps.db, 'transactions', { id })).lead_id as Id<'led'>;
  };
  const [own, other] = [await service.merchant(), await service.merchant()];
  const leadId = await order(own);
  await order(other);
  const ofOther = () =>
    Promise.all(TABLES.map((table) => selectRows(deps.db, table, { merchant_id: other.merchantId })));
  const before = await ofOther();
  expect(before.map((rows) => rows.length)).not.toContain(0);
  await eraseLead(deps, leadId);
  expect(await ofOther()).toEqual(before);
});
