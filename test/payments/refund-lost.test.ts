import { expect, test } from 'vitest';
import { createLostRefunds } from '../../src/banks/workers/lost-refunds.ts';
import { paidRefundKit } from './refund-kit.ts';

const SENDER = 'sender1';

async function sentRefund() {
  const { deps, port, create, send, row, receipt, clock } = await paidRefundKit();
  const id = await create({ receiptId: receipt.id }, 300);
  await send(id, SENDER);
  let running = new Set<string>();
  const cluster = { running: async () => running };
  const db = Object.create(deps.db, { cluster: { value: cluster } });
  const lost = createLostRefunds({ ...deps, db, refunds: port });
  /** One check by another process, while `ids` are missing. Returns the state of the refund. */
  const check = async (ids: string[]) => {
    running = new Set([SENDER].filter((id) => !ids.includes(id)));
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
