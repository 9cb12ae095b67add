import { expect, test } from 'vitest';
import type { BankRecord } from '../../src/banks/port.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import type { Deps } from '../../src/deps.ts';
import { cents } from '../../src/kernel/money.ts';
import { assignReceipt } from '../../src/payments/exceptions/assign-receipt.ts';
import { noteReceipt } from '../../src/payments/exceptions/note-receipt.ts';
import { markReturned } from '../../src/payments/exceptions/settle-receipt.ts';
import { createSettlement } from '../../src/payments/settlement.ts';
import { refundKit } from '../payments/refund-kit.ts';
import { firstOf, OPERATOR, OWN_LIST, setup } from '../payments/setup.ts';
import { race } from '../support/lock-waits.ts';
import { selectRows } from '../support/rows.ts';

const FEES = { fee: cents(31), net: null, valueDate: null };

/** An order's payment that the list of another account showed first, and `match`, the read of its own account. */
async function listedElsewhere() {
  const made = await setup();
  const { deps, merchant, settlement, bank, account, init, referred } = made;
  const [id, otherId] = [await referred(), await init()];
  const { account: other } = await setBankAccount(deps, { merchantId: merchant.id, credentials: OWN_LIST });
  const { orderId: bankOrderId, amount, entity, reference } = firstOf(bank.references);
  const requestId = 'payment';
  const row: BankRecord = {
    identity: 'row',
    method: 'REFERENCE',
    amount,
    paidAt: made.clock.now(),
    raw: {},
    requestId,
    bankOrderId,
    entity,
    reference,
    methodKey: null,
  };
  await settlement.recordPayments(other, [row]);
  const receiptId = firstOf(await made.receipts()).id;
  const match = (by: Deps, fees: BankRecord['fees']): Promise<unknown> =>
    createSettlement(by).recordPayments(account, [{ ...row, ...(fees && { fees }) }]);
  const report = { identity: 'elsewhere', accountIds: [other], requestId, amount };
  const actions = {
    'assigned to another order': (by: Deps) =>
      assignReceipt(by, { receiptId, transactionId: otherId, note: '' }),
    'assigned to its order': (by: Deps) => assignReceipt(by, { receiptId, transactionId: id, note: '' }),
    noted: (by: Deps) => noteReceipt(by, OPERATOR, { receiptId, text: 'whose?', internal: false }),
    returned: (by: Deps) => markReturned(by, OPERATOR, { receiptId, amountCents: amount, note: 'sent' }),
    refunded: (by: Deps) => refundKit({ ...made, deps: by }).create({ receiptId }, 100),
    'reported as refunded': (by: Deps) =>
      by.db.unit((tx) => refundKit({ deps: by, account: other }).port.applyNotification(tx, report)),
    matched: (by: Deps) => match(by, FEES),
  } satisfies Record<string, (by: Deps) => Promise<unknown>>;
  return { ...made, id, other, match, actions };
}

test.each([
  ['assigned to another order', { status: 'pending', unmatched: 0, settlement: 'assigned' }],
  ['assigned to its order', { status: 'paid', unmatched: 0, settlement: 'assigned' }],
  ['noted', { status: 'paid', unmatched: 0, settlement: null }],
  ['returned', { status: 'pending', unmatched: 1, settlement: 'returned' }],
  ['refunded', { status: 'pending', unmatched: 1, settlement: 'refunded' }],
  ['reported as refunded', { status: 'pending', unmatched: 1, settlement: null }],
] as const)(
  'a payment of another list that is being %s is matched only if it is still free',
  async (what, expected) => {
    const { deps, id, match, actions, receipts, status, merchant } = await listedElsewhere();
    await race(deps, actions[what], (by) => match(by, undefined));
    const { unmatched, settlement, merchant_id } = firstOf(await receipts());
    expect({ status: await status(id), unmatched, settlement }).toEqual(expected);
    expect(merchant_id).toBe(unmatched === 1 ? null : merchant.id);
    for (const note of await selectRows(deps.db, 'receipt_notes'))
      expect(note).toMatchObject({ merchant_id });
  },
);

test.each([
  ['assigned to another order', 'already'],
  ['assigned to its order', 'already'],
  ['noted', 'ordinary payment'],
  ['returned', 'its money is due'],
] as const)('a payment of another list that is being matched is not %s', async (what, refusal) => {
  const { deps, id, match, actions, receipts, status } = await listedElsewhere();
  await expect(race(deps, (by) => match(by, undefined), actions[what])).rejects.toThrow(refusal);
  expect(await status(id)).toBe('paid');
  expect(await receipts()).toMatchObject([{ unmatched: 0, transaction_id: id, settlement: null }]);
});

test.each([true, false])(
  'two matches of one payment pay it once and keep the fees of both (%s)',
  async (feesFirst) => {
    const { deps, id, account, match, actions, receipts, status } = await listedElsewhere();
    const dated = (by: Deps) => match(by, { fee: null, net: null, valueDate: '2026-03-30' });
    await race(deps, feesFirst ? actions.matched : dated, feesFirst ? dated : actions.matched);
    expect(await status(id)).toBe('paid');
    const kept = { fee_cents: 31, value_date: '2026-03-30' };
    expect(await receipts()).toMatchObject([{ account_id: account, unmatched: 0, ...kept }]);
    expect(await selectRows(deps.db, 'events')).toHaveLength(1);
  },
);
