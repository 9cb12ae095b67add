import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TransactionStatus } from '../../src/db/tables/tables.ts';
import { cents } from '../../src/kernel/money.ts';
import {
  acceptsSteps,
  afterEnding,
  isAbandoned,
  settleReceipt,
  type TransactionState,
} from '../../src/payments/transaction.ts';

const amount = fc.integer({ min: 1, max: 9_999_999 }).map(cents);
const state: fc.Arbitrary<TransactionState> = fc
  .record({
    status: fc.constantFrom<TransactionStatus>('pending', 'paid', 'failed', 'cancelled'),
    held: fc.boolean(),
    amount,
  })
  .filter(({ status, held }) => !(status === 'paid' && held));
const ending = fc.constantFrom('rejected', 'declined', 'lapsed', 'expired', 'dead' as const);

test('only a receipt of at least the full amount, of a transaction not yet paid or held, leads to money credited', () => {
  fc.assert(
    fc.property(state, amount, fc.boolean(), (transaction, received, hold) => {
      const { settlement } = settleReceipt(transaction, received, hold);
      const open = transaction.status !== 'paid' && !transaction.held;
      const full = received >= transaction.amount;
      expect(settlement).toBe(open && full ? (hold ? 'held' : 'paid') : 'none');
    }),
  );
});

test('a receipt that does not simply pay carries a flag, and the flags say why', () => {
  fc.assert(
    fc.property(state, amount, fc.boolean(), (transaction, received, hold) => {
      const { flags, settlement } = settleReceipt(transaction, received, hold);
      const settled = transaction.status === 'paid' || transaction.held;
      expect(flags.duplicate).toBe(settled);
      expect(flags.under).toBe(!settled && received < transaction.amount);
      expect(flags.over).toBe(!settled && received > transaction.amount);
      expect(flags.late).toBe(!settled && transaction.status !== 'pending');
      if (settlement === 'none') expect(flags.duplicate || flags.under).toBe(true);
    }),
  );
});

test('an attempt that ends closes its transaction only when pending, not held, and nothing else is live', () => {
  fc.assert(
    fc.property(state, ending, fc.boolean(), (transaction, how, othersLive) => {
      const next = afterEnding(transaction, how, othersLive);
      if (transaction.status !== 'pending' || transaction.held || othersLive || how === 'dead') {
        expect(next).toBeNull();
      } else {
        expect(next).toBe(how === 'lapsed' ? 'cancelled' : 'failed');
      }
    }),
  );
});

test('time alone cancels only a pending transaction without hold and without a live attempt', () => {
  fc.assert(
    fc.property(state, fc.boolean(), fc.boolean(), (transaction, timeIsUp, anyLive) => {
      const expected = acceptsSteps(transaction) && timeIsUp && !anyLive;
      expect(isAbandoned(transaction, timeIsUp, anyLive)).toBe(expected);
    }),
  );
});

test('paid is final: no receipt and no ending moves a paid transaction', () => {
  fc.assert(
    fc.property(amount, amount, fc.boolean(), ending, (due, received, hold, how) => {
      const paid: TransactionState = { status: 'paid', held: false, amount: due };
      expect(settleReceipt(paid, received, hold).settlement).toBe('none');
      expect(afterEnding(paid, how, false)).toBeNull();
    }),
  );
});
