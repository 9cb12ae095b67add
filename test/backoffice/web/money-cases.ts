import { expect } from 'vitest';
import { cents } from '../../../src/kernel/money.ts';
import type { Service, TestMerchant } from '../../support/harness.ts';
import { until } from '../../support/until.ts';

/** Sales of a shop that go wrong at the bank, each in its own way, made as a customer would make them. */
export function cases(service: Service) {
  const { deps } = service.app;
  let strangers = 0;

  const receipts = () => deps.db.read.selectFrom('receipts').selectAll().orderBy('id').execute();
  const recorded = async (count: number) =>
    await until(async () => (await receipts()).length >= count, `${count} receipts`);

  async function reference(merchant: TestMerchant, orderId: string) {
    const { id, mb } = await merchant.reference({ orderId });
    const pay = async (amount?: number) => {
      const before = (await receipts()).length;
      const paying = { ...mb, ...(amount && { amount }) };
      expect((await service.control('/multibanco', paying)).status).toBe(200);
      await recorded(before + 1);
    };
    return { id, pay };
  }

  return {
    receipts,
    reference,
    /** Paid after window and grace, by the phone that does so. */
    async late(merchant: TestMerchant): Promise<string> {
      const id = await merchant.push('911000010', { orderId: 'LATE-1' });
      await merchant.reaches(id, 'paid');
      return id;
    },
    /** The customer rejected the push: the sale has failed. */
    async rejected(merchant: TestMerchant, orderId: string): Promise<string> {
      const id = await merchant.push('911000002', { orderId });
      await merchant.reaches(id, 'failed');
      return id;
    },
    /** Money at the bank under an order id that was never given to it. Resolves to the receipt. */
    async stranger(euros: number): Promise<string> {
      const routed = await deps.bankAccounts.routed(deps.db.read, 'mer_none', 'REFERENCE');
      if (routed === null) throw new Error('no account');
      strangers += 1;
      const made = await deps.bank.createReference(routed.account, {
        bankOrderId: `STRANGER${strangers}`,
        amount: cents(Math.round(euros * 100)),
        expiryDays: 3,
        description: 'not ours',
      });
      if (made.kind !== 'accepted') throw new Error(made.kind);
      const { entity, reference: digits } = made;
      await service.control('/multibanco', { entity, reference: digits });
      return await until(
        async () => (await receipts()).find((receipt) => receipt.reference === digits)?.id ?? null,
        'the unmatched receipt',
      );
    },
  };
}
