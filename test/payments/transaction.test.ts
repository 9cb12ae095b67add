import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TransactionStatus } from '../../src/db/tables/payments.ts';
import { cents } from '../../src/kernel/money.ts';
import {
  afterEnding,
  isAbandoned,
  receiptDecision,
  type TransactionState,
} from '../../src/payments/transaction.ts';

const amount = fc.integer({ min: 1, max: 9_999_999 }).map(cents);
const state: fc.Arbitrary<TransactionState> = fc
  .record({
    status: fc.constantFrom<TransactionStatus>('pending', 'paid', 'failed', 'cancelled'),
    held: fc.constantFrom(0, 1),
    amount_cents: amount,
  })
  .filter(({ status, held }) => !(status === 'paid' && held === 1));
const ending = fc.constantFrom('rejected', 'declined', 'lapsed', 'expired', 'dead' as const);

test('only a receipt of at least the full amount pays a transaction that is not paid or held', () => {
  fc.assert(
    fc.property(state, amount, fc.boolean(), (transaction, received, hold) => {
      const { settlement } = receiptDecision(transaction, received, hold);
      const open = transaction.status !== 'paid' && transaction.held === 0;
      const full = received >= transaction.amount_cents;
      expect(settlement).toBe(open && full ? (hold ? 'held' : 'paid') : 'none');
    }),
  );
});

test('a receipt that does not pay exactly on time has a flag with the reason', () => {
  fc.assert(
    fc.property(state, amount, fc.boolean(), (transaction, received, hold) => {
      const { flags, settlement } = receiptDecision(transaction, received, hold);
      const settled = transaction.status === 'paid' || transaction.held === 1;
      expect(flags.duplicate).toBe(settled);
      expect(flags.under).toBe(!settled && received < transaction.amount_cents);
      expect(flags.over).toBe(!settled && received > transaction.amount_cents);
      expect(flags.late).toBe(!settled && transaction.status !== 'pending');
      if (settlement === 'none') expect(flags.duplicate || flags.under).toBe(true);
    }),
  );
});

test('the end of an attempt ends its transaction only when it is pending, not held, and no other attempt is live', () => {
  fc.assert(
    fc.property(state, ending, fc.boolean(), (transaction, how, othersLive) => {
      const next = afterEnding(transaction, how, othersLive);
      if (transaction.status !== 'pending' || transaction.held === 1 || othersLive || how === 'dead') {
        expect(next).toBeNull();
      } else {
        expect(next).toBe(how === 'lapsed' ? 'cancelled' : 'failed');
      }
    }),
  );
});

test('the deadline cancels only a pending transaction that is not held and has no live attempt', () => {
  fc.assert(
    fc.property(state, fc.boolean(), fc.boolean(), (transaction, timeIsUp, anyLive) => {
      const { status, held } = transaction;
      const expected = status === 'pending' && held === 0 && timeIsUp && !anyLive;
      expect(isAbandoned(transaction, timeIsUp, anyLive)).toBe(expected);
    }),
  );
});
