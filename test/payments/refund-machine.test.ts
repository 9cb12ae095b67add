import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RefundOutcome } from '../../src/banks/port.ts';
import { REFUND_STATES } from '../../src/db/tables/refunds.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { nextRefundState, notifiedRefund } from '../../src/payments/refunds/refund.ts';
import { dismissReported, recordReported } from '../../src/payments/refunds/reported.ts';
import { retryRefund } from '../../src/payments/refunds/retry-refund.ts';
import { settleRefund } from '../../src/payments/refunds/settle-refund.ts';
import { insertRows, selectRow, selectRows, updateRows } from '../support/rows.ts';
import { paidRefundKit, refundKit, startRefunds } from './refund-kit.ts';
import { firstOf, OPERATOR, SETTINGS, setup } from './setup.ts';

test('only a requested refund can be sent', () => {
  const sent = REFUND_STATES.filter((state) => nextRefundState(state, 'send') !== null);
  expect(sent).toEqual(['requested']);
});

test('a notification belongs to the done refund without one, then to the one under way, then to a failed one', () => {
  const refund = (state: (typeof REFUND_STATES)[number], notification: string | null = null) => ({
    state,
    notification,
  });
  expect(notifiedRefund([refund('failed'), refund('unknown'), refund('done')])?.state).toBe('done');
  expect(notifiedRefund([refund('done', 'n'), refund('failed'), refund('sent')])?.state).toBe('sent');
  expect(notifiedRefund([refund('done', 'n'), refund('failed')])?.state).toBe('failed');
  expect(notifiedRefund([refund('done', 'n'), refund('requested')])).toBe(null);
});

type Step =
  | { kind: 'create'; amount: number }
  | { kind: 'send' | 'retry' | 'give up'; pick: number }
  | { kind: 'outcome'; pick: number; outcome: RefundOutcome }
  | { kind: 'notify'; amount: number; again: boolean }
  | { kind: 'record' | 'dismiss'; pick: number }
  | { kind: 'settle'; pick: number; outcome: 'done' | 'failed' };

const pick = fc.nat(20);
const amount = fc.constantFrom(100, 250, 400, 1000);
const outcome: fc.Arbitrary<RefundOutcome> = fc.constantFrom(
  { kind: 'done' },
  { kind: 'refused', reason: 'no' },
  { kind: 'unreachable', detail: 'no' },
  { kind: 'unknown', detail: 'no' },
  { kind: 'accepted', refundId: '1' },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), amount }),
  fc.record({ kind: fc.constantFrom('send' as const, 'retry' as const, 'give up' as const), pick }),
  fc.record({ kind: fc.constant('outcome' as const), pick, outcome }),
  fc.record({ kind: fc.constant('notify' as const), amount, again: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('record' as const, 'dismiss' as const), pick }),
  fc.record({
    kind: fc.constant('settle' as const),
    pick,
    outcome: fc.constantFrom('done' as const, 'failed' as const),
  }),
);

test('whatever happens in whatever order, the refunds of a receipt never exceed it, one is in flight, each is sent once, and done is final', async () => {
  const { deps, port, rows, create, send, notify, receipt, requestId } = await paidRefundKit();
  const sentIds = new Map<string, number>();
  let identity = 0;
  const run = async (what: Step) => {
    const all = await rows();
    const chosen = 'pick' in what ? all[what.pick % Math.max(1, all.length)] : undefined;
    if (what.kind === 'create') return create({ receiptId: receipt.id }, what.amount);
    if (what.kind === 'notify')
      return notify(requestId, what.amount, `${what.again && identity > 0 ? identity - 1 : identity++}`);
    if (what.kind === 'record' || what.kind === 'dismiss') {
      const reports = await selectRows(deps.db, 'reported_refunds');
      const reportId = reports[what.pick % Math.max(1, reports.length)]?.id;
      if (reportId === undefined) return undefined;
      const settle = what.kind === 'record' ? recordReported : dismissReported;
      return settle(deps, { reportId, note: 'seen' });
    }
    if (chosen === undefined) return undefined;
    switch (what.kind) {
      case 'send':
        if (await send(chosen.id)) sentIds.set(chosen.id, (sentIds.get(chosen.id) ?? 0) + 1);
        return undefined;
      case 'retry':
        return retryRefund(deps, OPERATOR, chosen.id);
      case 'give up':
        return port.giveUp(chosen.id);
      case 'outcome':
        return chosen.state === 'requested' ? undefined : port.applyOutcome(chosen.id, what.outcome);
      case 'settle':
        return settleRefund(deps, { refundId: chosen.id, outcome: what.outcome, note: 'seen' });
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await deps.db.unit(async (tx) => {
        await tx.deleteFrom('reported_refunds').execute();
        await tx.deleteFrom('refund_history').execute();
        await tx.deleteFrom('refunds').execute();
        await tx
          .updateTable('receipts')
          .set({ refund_cents: cents(0) })
          .execute();
      });
      sentIds.clear();
      const done = new Set<string>();
      for (const what of steps) {
        await run(what).catch((error: unknown) => {
          if (!(error instanceof OperatorError)) throw error;
        });
        const all = await rows();
        for (const { id, state } of all) if (done.has(id)) expect(state).toBe('done');
        for (const { id, state } of all) if (state === 'done') done.add(id);
        const kept = all
          .filter(({ state }) => state !== 'failed')
          .reduce((sum, { amount_cents }) => sum + amount_cents, 0);
        expect(kept).toBeLessThanOrEqual(receipt.amount_cents);
        const { refund_cents } = await selectRow(deps.db, 'receipts');
        expect(refund_cents).toBe(kept);
        const inFlight = all.filter(({ state }) =>
          ['requested', 'sent', 'accepted', 'unknown'].includes(state),
        );
        expect(inFlight.length).toBeLessThanOrEqual(1);
        const notifications = all.flatMap(({ notification }) => notification ?? []);
        expect(new Set(notifications).size).toBe(notifications.length);
        const reports = await selectRows(deps.db, 'reported_refunds');
        const recorded = reports.flatMap(({ refund_id }) => refund_id ?? []);
        expect(new Set(recorded).size).toBe(recorded.length);
      }
      for (const times of sentIds.values()) expect(times).toBe(1);
    }),
    { numRuns: 25 },
  );
}, 60_000);

test.each([
  ['the full receipt', null, ['refund_in_flight', 'refund_above_rest']],
  ['a part that fits again', 100, ['refund_in_flight']],
])(
  'concurrent requests of %s make one refund, and only one of many senders sends it',
  async (_, amount, faults) => {
    const { create, rows, send, receipt } = await paidRefundKit();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => create({ receiptId: receipt.id }, amount)),
    );
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toHaveLength(7);
    for (const { reason } of refused) expect(faults).toContain(reason);
    const refund = firstOf(await rows());
    const sends = await Promise.all(Array.from({ length: 8 }, (_, i) => send(refund.id, `process${i}`)));
    expect(sends.filter(Boolean)).toHaveLength(1);
  },
);

test('concurrent refunds by transfer keep the sum of their receipt, and a failed one is repeated once', async () => {
  const made = await setup();
  const { deps, bank, pass, receipts } = made;
  const { create } = refundKit(made);
  bank.foreign(cents(1999));
  await pass(SETTINGS.reconcileMs);
  const receiptId = firstOf(await receipts()).id;
  const race = async (work: () => Promise<Id<'ref'>>, reason: string) => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, work));
    return outcomes.flatMap((outcome) => {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ reason });
      return outcome.status === 'rejected' ? [] : outcome.value;
    });
  };
  const refunds = await race(() => create({ receiptId }, 500), 'refund_above_rest');
  expect(refunds).toHaveLength(3);
  const refundId = firstOf(refunds);
  await settleRefund(deps, { refundId, outcome: 'failed', note: 'wrong account' });
  expect(await race(() => retryRefund(deps, OPERATOR, refundId), 'refund_repeated')).toHaveLength(1);
  expect(await receipts()).toMatchObject([{ refund_cents: 1500 }]);
});

test('the database itself refuses more than the receipt, and a second refund in flight', async () => {
  const { deps, create, receipt, row } = await paidRefundKit();
  const id = await create({ receiptId: receipt.id }, 400);
  await expect(updateRows(deps.db, 'receipts', { refund_cents: cents(1001) })).rejects.toThrow(/check/i);
  const copy = { ...(await row(id)), id: 'ref_2' as const };
  await expect(deps.db.unit((tx) => tx.insertInto('refunds').values(copy).execute())).rejects.toThrow(
    /unique/i,
  );
});

test('a replayed notification settles nothing more, also once it was forgotten', async () => {
  const { deps, notify, row, requestId, answered } = await paidRefundKit();
  await answered(300, { kind: 'done' });
  const second = await answered(300, { kind: 'unknown', detail: 'timeout' });
  await notify(requestId, 300, 'of the first');
  expect(await row(second)).toMatchObject({ state: 'unknown' });
  await notify(requestId, 300, 'of the first');
  expect(await row(second)).toMatchObject({ state: 'unknown' });
  await notify(requestId, 301, 'of another amount');
  await notify('another payment', 300, 'of another payment');
  await insertRows(deps.db, 'bank_accounts', { id: 'acc_other' });
  await notify(requestId, 300, 'of another account', 'acc_other');
  expect(await row(second)).toMatchObject({ state: 'unknown' });
  await notify(requestId, 300, 'of the second');
  expect(await row(second)).toMatchObject({ state: 'done', notification: 'of the second' });
});

test('a refund that the bank made after it had failed becomes done, unless its money went back since', async () => {
  const { notify, row, requestId, deps, answered, dismiss } = await paidRefundKit();
  const failed = await answered(600, { kind: 'unknown', detail: 'timeout' });
  await settleRefund(deps, { refundId: failed, outcome: 'failed', note: 'not at the bank' });
  await answered(500, { kind: 'done' });
  await notify(requestId, 600);
  expect(await row(failed)).toMatchObject({ state: 'failed' });
  const history = await selectRows(deps.db, 'refund_history', { refund_id: failed });
  expect(history.at(-1)?.note).toContain('exceeds the receipt');

  // The surplus came back from the customer.
  await dismiss();
  const small = await answered(400, { kind: 'refused', reason: 'no' });
  await notify(requestId, 400);
  expect(await row(small)).toMatchObject({ state: 'done', detail: null });
});

test('the case of a receipt closes when the bank made a refund that had failed', async () => {
  const { deps, receipts, answered, notify, requestId } = await paidRefundKit();
  await updateRows(deps.db, 'receipts', { late: 1 });
  await answered(600, { kind: 'refused', reason: 'no' });
  expect(await receipts()).toMatchObject([{ settlement: null }]);
  await notify(requestId, 600);
  expect(await receipts()).toMatchObject([{ settlement: 'refunded', refund_cents: 600 }]);
});

test('an outcome that arrives after the process was given up still counts, and a clock that was set back changes nothing', async () => {
  const { create, send, port, row, receipt, clock } = await paidRefundKit();
  const id = await create({ receiptId: receipt.id }, 300);
  await clock.jump(-86_400_000);
  await send(id);
  await port.giveUp(id);
  expect(await row(id)).toMatchObject({ state: 'unknown' });
  expect(await send(id)).toBe(false);
  await port.applyOutcome(id, { kind: 'done' });
  expect(await row(id)).toMatchObject({ state: 'done' });
  await port.applyOutcome(id, { kind: 'unknown', detail: 'timeout' });
  expect(await row(id)).toMatchObject({ state: 'done' });
});

test('an accepted refund is checked by the id of the bank until it is settled', async () => {
  const { port, row, clock, answered } = await paidRefundKit();
  const id = await answered(300, { kind: 'accepted', refundId: '2788' });
  expect(await port.dueRefunds(clock.now(), 10)).toEqual([]);
  await clock.jump(60_000);
  const [due] = await port.dueRefunds(clock.now(), 10);
  expect(due).toMatchObject({ state: 'accepted', bank_refund_id: '2788' });
  if (due === undefined) return;
  expect(await Promise.all([port.claim(due, null), port.claim(due, null)])).toEqual([true, false]);
  // A check that was planned by a clock ahead is due at once.
  await clock.jump(-3_600_000);
  expect(await port.dueRefunds(clock.now(), 10)).toHaveLength(1);
  await port.applyOutcome(id, { kind: 'refused', reason: 'IBAN_INVALID' });
  expect(await row(id)).toMatchObject({ state: 'failed', detail: 'IBAN_INVALID', check_at: null });
});

test('the worker sends a refund as it is stored, and checks it by the id of the bank', async () => {
  const { deps, bank, create, row, receipt, requestId, clock } = await paidRefundKit();
  const id = await create({ receiptId: receipt.id }, 300);
  await updateRows(deps.db, 'refunds', { reason: 'broken mug' }, { id });
  const calls: unknown[] = [];
  bank.inquireRefund = async (_account, bankRefundId) => {
    calls.push(bankRefundId);
    return { kind: 'done' };
  };
  startRefunds(deps, async (_account, order) => {
    calls.push(order);
    return { kind: 'accepted', refundId: '2788' };
  });
  await clock.advanceUntil(500, async () => (await row(id)).state === 'done', 'the refund');
  expect(calls).toEqual([{ refundId: id, requestId, amount: 300, reason: 'broken mug' }, '2788']);
});

test('a bank that accepts a refund after an operator settled it as failed leaves an error in the log', async () => {
  const { deps, port, row, answered, lines } = await paidRefundKit();
  const id = await answered(300, { kind: 'unknown', detail: 'timeout' });
  await settleRefund(deps, { refundId: id, outcome: 'failed', note: 'not at the bank' });
  await port.applyOutcome(id, { kind: 'accepted', refundId: '2788' });
  expect(await row(id)).toMatchObject({ state: 'failed' });
  const msg = expect.stringContaining('settled as failed');
  expect(lines.at(-1)).toMatchObject({ level: 50, refundId: id, bankRefundId: '2788', msg });
});
