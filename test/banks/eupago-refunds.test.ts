import { expect, test } from 'vitest';
import { createEupago } from '../../src/banks/eupago/adapter.ts';
import { BankUnavailable } from '../../src/banks/port.ts';
import { noMetrics } from '../../src/deps.ts';
import { cents } from '../../src/kernel/money.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { EUPAGO_ACCOUNT as ACCOUNT } from './conformance-kit.ts';
import { eupago, NOON } from './eupago-kit.ts';
import { keptLog } from './support.ts';

const REFUND = { refundId: 'ref_1', requestId: '7001', amount: cents(550), reason: 'returned' } as const;

test.each([
  [{ transactionStatus: 'Success', refundId: '2788', status: 'Reembolsado' }, 200, { kind: 'done' }],
  [
    { transactionStatus: 'Success', refundId: 2788, status: 'Pendente' },
    201,
    { kind: 'accepted', refundId: '2788' },
  ],
  [{ transactionStatus: 'Success' }, 200, { kind: 'unknown' }],
  [
    { transactionStatus: 'Success', refundId: '1', status: 'Reembolsado', amount: '9.00' },
    200,
    { kind: 'unknown' },
  ],
  [
    { transactionStatus: 'Rejected', code: 'AMOUNT_INVALID', text: 'x' },
    400,
    { kind: 'refused', reason: 'AMOUNT_INVALID x' },
  ],
  [
    { transactionStatus: 'Rejected', code: 'INSUFFICIENT_BALANCE' },
    200,
    { kind: 'refused', reason: 'INSUFFICIENT_FUNDS' },
  ],
  [{}, 404, { kind: 'refused', reason: 'HTTP 404' }],
  [{ transactionStatus: 'Rejected', code: 'X' }, 500, { kind: 'unknown' }],
  [{}, 200, { kind: 'unknown' }],
])('a refund answered by %j with HTTP %d is %j', async (body, status, expected) => {
  const { bank, requests } = await eupago({ 'refund/7001': [body, status] });
  expect(await bank.refund(ACCOUNT, REFUND)).toMatchObject(expected);
  const sent = requests.filter(({ url }) => url.startsWith('/api/management/v1.02/refund/'));
  expect(sent.map((request) => JSON.parse(request.body))).toEqual([{ amount: 5.5, reason: 'returned' }]);
});

test('a refund whose token arrives after a stall is not sent, because it may have been retried', async () => {
  const clock = fakeClock(NOON);
  const sent: string[] = [];
  const bank = createEupago(
    {
      clock,
      settings: { bankTimeoutMs: 5000, ifthenpayRefundPath: '/v2/payments/refund' },
      log: keptLog().log,
      metrics: noMetrics,
    },
    {
      async ask() {
        await clock.jump(60_000);
        return { status: 200, text: JSON.stringify({ access_token: 't', expires_in: 3600 }) };
      },
      async once({ url }) {
        sent.push(url);
        const text = JSON.stringify({ transactionStatus: 'Success', status: 'Reembolsado' });
        return { status: 200, text };
      },
      async close() {},
    },
  );
  expect(await bank.refund(ACCOUNT, REFUND)).toMatchObject({ kind: 'unreachable' });
  expect(sent).toEqual([]);
  // The token is kept, so the next refund goes at once.
  expect(await bank.refund(ACCOUNT, REFUND)).toEqual({ kind: 'done' });
});

test('an accepted refund is asked about by the id of the bank', async () => {
  for (const [status, kind] of [
    ['Reembolsado', 'done'],
    ['Pendente', 'waiting'],
    ['Erro', 'refused'],
  ]) {
    const { bank } = await eupago({
      'refund/2788': { transactionStatus: 'Success', refundList: [{ status }] },
    });
    expect((await bank.inquireRefund(ACCOUNT, '2788')).kind).toBe(kind);
  }
  // Rows of other refunds of the payment prove nothing about this one.
  for (const [rows, kind] of [
    [['Erro', 'Reembolsado'], 'waiting'],
    [['Erro', 'Pendente'], 'waiting'],
    [['Reembolsado', 'Reembolsado'], 'done'],
    [['Erro', 'Erro'], 'refused'],
  ] as const) {
    const refundList = rows.map((status) => ({ status }));
    const { bank } = await eupago({ 'refund/2788': { transactionStatus: 'Success', refundList } });
    expect((await bank.inquireRefund(ACCOUNT, '2788')).kind).toBe(kind);
  }
  // Nor do an answer without a state, one with a row without a state, and one with an error.
  for (const [refundList, status] of [
    [[], 200],
    [[{ status: 'Reembolsado' }, {}], 200],
    [[{ status: 'Reembolsado' }], 500],
  ] as const) {
    const { bank } = await eupago({ 'refund/2788': [{ transactionStatus: 'Success', refundList }, status] });
    await expect(bank.inquireRefund(ACCOUNT, '2788')).rejects.toThrow(BankUnavailable);
  }
});
