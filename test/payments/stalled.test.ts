import { expect, test } from 'vitest';
import { sandboxCredentials } from '../../src/banks/accounts.ts';
import { setRoute } from '../../src/banks/routes.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import type { Deps } from '../../src/deps.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { startMbway } from '../../src/payments/mbway.ts';
import { retryRefund } from '../../src/payments/refunds/retry-refund.ts';
import { settleRefund } from '../../src/payments/refunds/settle-refund.ts';
import { until } from '../support/until.ts';
import { paidRefundKit, startRefunds } from './refund-kit.ts';
import { OPERATOR, setup } from './setup.ts';

/** A process that stalls after its commits until `wake`, while the others go on. */
function stalling(deps: Deps): { stalled: Deps; wake: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unit: Deps['db']['unit'] = async (work) => {
    const value = await deps.db.unit(work);
    await promise;
    return value;
  };
  return { stalled: { ...deps, db: Object.create(deps.db, { unit: { value: unit } }) }, wake: resolve };
}

/** A transaction whose push a stalled process has planned and not sent. */
async function plannedPush() {
  const made = await setup();
  const { deps, merchant, referred, pass, attempts } = made;
  const credentials = sandboxCredentials(deps.random, 'eupago');
  await setBankAccount(deps, { merchantId: null, acquirer: 'eupago', credentials });
  await setRoute(deps, merchant.id, 'MBWAY', { acquirer: 'ifthenpay', fallback: 'eupago' });
  const transactionId = await referred();
  const { stalled, wake } = stalling(deps);
  const answer = startMbway(stalled, merchant, { transactionId, phoneNumber: '912345678' }).catch(
    ({ code }) => code,
  );
  await until(async () => (await attempts()).length === 2);
  const resume = async () => {
    wake();
    await pass(0);
    return answer;
  };
  const states = async () => (await attempts()).map(({ state, end_reason }) => end_reason ?? state);
  return { ...made, transactionId, resume, states };
}

test.each([0, -30])(
  'a stalled process sends no push when another may be live, with a jump of %i minutes',
  async (jump) => {
    const { deps, merchant, bank, transactionId, pass, resume, states } = await plannedPush();
    // Another process gives the push up, and it lapses.
    for (let minutes = 0; minutes < 20; minutes++) await pass(MINUTE_MS);
    expect(await states()).toEqual(['open', 'lapsed']);
    await startMbway(deps, merchant, { transactionId, phoneNumber: '922222222' });
    await pass(jump * MINUTE_MS);
    expect(await resume()).toBe('BANK_UNAVAILABLE');
    expect(bank.pushes).toHaveLength(1);
    expect(await states()).toEqual(['open', 'lapsed', 'open']);
  },
);

test('a call that waits for a stalled one ends in time although the clock is set back', async () => {
  const { deps, merchant, clock, transactionId, pass } = await plannedPush();
  const answer = startMbway(deps, merchant, { transactionId, phoneNumber: '912345678' }).catch(
    ({ code }) => code,
  );
  await pass(-60 * MINUTE_MS);
  await clock.advance(MINUTE_MS / 2);
  expect(await Promise.race([answer, 'still waiting'])).toBe('MBWAY_PUSH_OPEN');
});

test('a push that was not sent in time is dead, and its fallback is sent', async () => {
  const { bank, pass, resume, states } = await plannedPush();
  await pass(MINUTE_MS);
  expect(await states()).toEqual(['open', 'unknown']);
  expect(await resume()).toMatchObject({ success: true });
  expect(bank.pushes).toHaveLength(1);
  expect(await states()).toEqual(['open', 'unreachable', 'open']);
});

test('a push that the bank never received is still unknown after one complete read of the list', async () => {
  const { attempts, pass, states } = await plannedPush();
  const reads = new Set<number | undefined>();
  while ((await states())[1] !== 'lapsed') {
    reads.add((await attempts())[1]?.clear_reads);
    await pass(MINUTE_MS);
  }
  expect([...reads]).toEqual([0, 1]);
});

test('a stalled process sends no refund, which may have been retried', async () => {
  const { deps, port, create, send, rows, receipt, pass } = await paidRefundKit();
  const sent: string[] = [];
  const { stalled, wake } = stalling(deps);
  const refundId = await create({ receiptId: receipt.id });
  startRefunds(stalled, async (_account, { refundId }) => {
    sent.push(refundId);
    return { kind: 'done' };
  });
  await until(async () => (await rows())[0]?.state === 'sent', 'the claim');
  // Another process takes this one for dead; the bank knows nothing of the refund, and the operator retries it.
  await pass(MINUTE_MS);
  await port.giveUp(refundId);
  await settleRefund(deps, { refundId, outcome: 'failed', note: 'the bank has none' });
  const retried = await retryRefund(deps, OPERATOR, refundId);
  await send(retried);
  await port.applyOutcome(retried, { kind: 'done' });
  wake();
  await pass(0);
  expect(sent).toEqual([]);
  expect((await rows()).map(({ state }) => state)).toEqual(['failed', 'done']);
});

test('a refusal of a refund is recorded although nothing can be written for a minute after it', async () => {
  const { deps, create, rows, receipt, clock, pass } = await paidRefundKit();
  const minuteEndsAt = clock.now() + MINUTE_MS;
  let refused = false;
  const unit: Deps['db']['unit'] = (work) =>
    refused && clock.now() < minuteEndsAt
      ? Promise.reject(new Error('the disk is full'))
      : deps.db.unit(work);
  const full = { ...deps, db: Object.create(deps.db, { unit: { value: unit } }) as Deps['db'] };
  await create({ receiptId: receipt.id });
  startRefunds(full, async () => {
    refused = true;
    return { kind: 'refused', reason: 'INSUFFICIENT_FUNDS' };
  });
  await until(() => refused, 'the refusal');
  for (let seconds = 0; seconds < 70; seconds++) await pass(1000);
  expect(await rows()).toMatchObject([{ state: 'failed', detail: 'INSUFFICIENT_FUNDS' }]);
});
