import { expect, test } from 'vitest';
import { createLostRefunds } from '../../src/banks/workers/lost-refunds.ts';
import { insertRows } from '../support/rows.ts';
import { paidRefundKit, startRefunds } from './refund-kit.ts';
import { SETTINGS } from './setup.ts';

const SENDER = 'sender1';

async function sentRefund(sender: string | null = SENDER) {
  const { deps, port, create, send, row, receipt, clock } = await paidRefundKit();
  const id = await create({ receiptId: receipt.id }, 300);
  // It may wait for its account long before it is sent.
  await clock.jump(3_600_000);
  await send(id, sender);
  let running = new Set<string>();
  const cluster = { running: async () => running };
  const db = Object.create(deps.db, { cluster: { value: cluster } });
  const lost = createLostRefunds({ ...deps, db, refunds: port });
  /** One check by another process, while `ids` are missing. Returns the state of the refund. */
  const check = async (ids: string[]) => {
    running = new Set([SENDER, 'another'].filter((id) => !ids.includes(id)));
    await lost.giveUp(new Set(), 'another');
    return (await row(id)).state;
  };
  return { check, clock };
}

test('a refund is not given up while its process reconnects, and is once the process was missing for three seconds', async () => {
  const { check, clock } = await sentRefund();
  expect(await check([])).toBe('sent');
  expect(await check([SENDER])).toBe('sent');
  await clock.jump(2000);
  expect(await check([SENDER])).toBe('sent');
  expect(await check([])).toBe('sent');
  await clock.jump(2000);
  expect(await check([SENDER])).toBe('sent');
  await clock.jump(3000);
  expect(await check([SENDER])).toBe('unknown');
});

test('a process that is missing at the first check after a start is gone', async () => {
  const { check } = await sentRefund();
  expect(await check([SENDER])).toBe('unknown');
});

test('a refund of a process that is not on the cluster bus is given up a minute after the timeout of the bank', async () => {
  const { check, clock } = await sentRefund(null);
  await clock.jump(SETTINGS.bankTimeoutMs + 59_000);
  expect(await check([])).toBe('sent');
  await clock.jump(1000);
  expect(await check([])).toBe('unknown');
});

test('a refund that this process has claimed and no longer sends is given up', async () => {
  const { check } = await sentRefund('another');
  expect(await check([])).toBe('unknown');
});

test('refunds of an account that cannot be read wait without delaying those of others', async () => {
  const kit = await paidRefundKit();
  const { deps, receipt, row } = kit;
  // More refunds of an unreadable account than the worker reads at a time, all older.
  const shared = { merchant_id: receipt.merchant_id, account_id: 'acc_unreadable' } as const;
  await insertRows(deps.db, 'bank_accounts', { id: 'acc_unreadable' });
  for (let n = 0; n < 40; n++) {
    const receipt_id = `rcp_old${n}` as const;
    await insertRows(deps.db, 'receipts', {
      ...shared,
      id: receipt_id,
      identity: `old ${n}`,
      refund_cents: 1,
    });
    const refund = { id: `ref_00${n}`, receipt_id, request_id: 'r', state: 'requested' } as const;
    await insertRows(deps.db, 'refunds', { ...shared, ...refund });
  }
  const own = await kit.create({ receiptId: receipt.id }, 300);
  startRefunds(deps);
  const isSent = async () => (await row(own)).state !== 'requested';
  await kit.clock.advanceUntil(500, isSent, 'the refund to be sent');
  expect(await row('ref_000')).toMatchObject({ state: 'requested' });
});
