import { onTestFinished } from 'vitest';
import { setBankAccount } from '../../src/banks/set-account.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { initTransaction } from '../../src/payments/init.ts';
import type { Merchant } from '../../src/rpc/context.ts';
import { databaseUrl, temporaryFolder } from '../support/database.ts';
import { SimBank } from './kit/bank.ts';
import { ModelClock } from './kit/clock.ts';
import { openWorld } from './kit/world.ts';

const KEYS = {
  mbWayKey: 'ABC-000001',
  mbKey: 'DEF-000001',
  backofficeKey: '1111-2222-3333-4444',
  antiPhishingKey: 'anti-phishing-1',
};

/** The payments' side and the bank desk over a real file, with the model's bank and a clock that jumps. */
export async function setup() {
  const clock = new ModelClock();
  const bank = new SimBank(clock);
  const world = await openWorld(await databaseUrl(temporaryFolder(), onTestFinished), clock, bank);
  onTestFinished(async () => {
    bank.release();
    await world.close();
  });
  const { deps } = world;
  const { merchantId } = await createMerchant(deps, { name: 'A', domains: ['shop.pt'] });
  const merchant: Merchant = { id: merchantId, name: 'A', active: true, hold: false, firstPaidAt: null };
  const { account } = await setBankAccount(deps, { merchantId: null, credentials: KEYS });
  const init = async () => {
    const { transactionId } = await initTransaction(
      deps,
      merchant,
      { orderId: 'O', amount: 10, storeUrl: 'https://shop.pt' } as never,
      { setHeader() {}, origin: undefined, referer: undefined, idempotencyKey: undefined },
    );
    return transactionId as Id<'tx'>;
  };
  const pass = async (ms: number) => {
    await world.rest();
    await clock.jump(ms, world.rest);
  };
  const attempts = () => deps.db.read.selectFrom('attempts').selectAll().orderBy('id').execute();
  const receipts = () => deps.db.read.selectFrom('receipts').selectAll().orderBy('id').execute();
  const status = async (id: Id<'tx'>) =>
    (
      await deps.db.read
        .selectFrom('transactions')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).status;
  return { clock, bank, world, deps, merchant, account, init, pass, attempts, receipts, status };
}
