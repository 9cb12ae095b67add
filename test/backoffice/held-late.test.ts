import { afterAll, expect, test } from 'vitest';
import { type Rows, visibleTo } from '../../src/backoffice/transaction/redaction.ts';
import type { TransactionDetail } from '../../src/backoffice/transaction/show.ts';
import { startService } from '../support/harness.ts';
import { selectRow, updateRows } from '../support/rows.ts';
import { signedIn, type Visitor } from './support.ts';

const service = await startService({ whenOver: afterAll });
const shop = await service.merchant();
const owner = await signedIn(service, { role: 'owner', merchantId: shop.merchantId });
const operator = await signedIn(service, { role: 'operator' });

async function detail(who: Visitor, id: string): Promise<TransactionDetail> {
  const { status, value } = await who.query('transaction.show', { merchantId: shop.merchantId, id });
  expect(status).toBe(200);
  return value;
}

test('late money on hold does not change what its merchant reads', async () => {
  const { deps } = service.app;
  for (const method of ['MBWAY', 'REFERENCE'] as const) {
    const id = (await shop.init()) as `tx_${string}`;
    if (method === 'MBWAY')
      await shop.post('/payments/mbway', { transactionId: id, phoneNumber: '911000001' });
    else await shop.post('/payments/multibanco', { transactionId: id });
    if (method === 'MBWAY') await shop.reaches(id, 'paid');
    const attempt = await selectRow(deps.db, 'attempts', { transaction_id: id });
    const ended = attempt.created_at + 1;
    const paid = { state: 'paid', ended_at: ended, accepted: 1 } as const;
    await updateRows(deps.db, 'attempts', paid, { id: attempt.id });
    const late = { status: 'cancelled', held: 1, paid_at: ended + 9, paid_method: method } as const;
    const by = { paid_attempt_id: attempt.id, shown_attempt_id: attempt.id };
    await updateRows(deps.db, 'transactions', { ...late, ...by }, { id });
    const seen = await detail(owner, id);
    const state = method === 'MBWAY' ? 'lapsed' : 'expired';
    expect(seen).toMatchObject({ status: 'cancelled', method, attempts: [{ state, endedAt: ended }] });
    expect(seen.timeline).toContainEqual(
      expect.objectContaining({ kind: 'attempt-ended', ending: state, at: ended }),
    );
    expect(await detail(operator, id)).toMatchObject({ held: true, attempts: [{ state: 'paid' }] });
  }
});

test('during a hold ended attempts stay ended and held duplicates stay hidden', () => {
  const attempt = (id: string, ended: number, reason: string | null) =>
    ({
      id,
      method: 'MBWAY',
      state: 'paid',
      ended_at: ended,
      end_reason: reason,
    }) as unknown as Rows['attempts'][number];
  const receipt = (id: string, attemptId: string, duplicate: 0 | 1) =>
    ({
      id,
      attempt_id: attemptId,
      under: 0,
      duplicate,
      recorded_at: 100,
    }) as unknown as Rows['receipts'][number];
  const rows = {
    transaction: { status: 'pending', held: 1, paid_attempt_id: 'att_1' } as unknown as Rows['transaction'],
    attempts: [
      attempt('att_1', 50, 'declined'),
      attempt('att_2', 100, null),
      attempt('att_3', 40, 'no-answer'),
    ],
    receipts: [receipt('rcp_1', 'att_1', 0), receipt('rcp_2', 'att_2', 1)],
  };
  const { attempts, receipts } = visibleTo('merchant', rows);
  expect(attempts.map(({ state, ended_at }) => [state, ended_at])).toEqual([
    ['declined', 50],
    ['open', null],
    ['dead', 40],
  ]);
  expect(receipts).toEqual([]);
  expect(visibleTo('operator', rows)).toBe(rows);
});
