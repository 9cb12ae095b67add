import { expect, test } from 'vitest';
import {
  EUPAGO_ACCOUNT as ACCOUNT,
  EUPAGO_CREDENTIALS,
  encrypted,
  eupagoTransaction,
  plain,
  posted,
} from './conformance-kit.ts';
import { adapter } from './support.ts';

test('a well-signed notification without a readable transaction is acknowledged and only logged', () => {
  const { bank } = adapter('http://127.0.0.1:9');
  const read = (request: ReturnType<typeof plain>) => bank.readCallback('eupago', request, [ACCOUNT]).kind;
  for (const body of [
    {},
    { transaction: 'x' },
    { transaction: { trid: 1 } },
    { transactions: [] },
    // Acknowledging one of two would lose the other.
    { transactions: [eupagoTransaction(), eupagoTransaction()] },
    { transaction: { identifier: 'A\u0000' } },
    'text',
  ])
    expect([body, read(plain(body))]).toEqual([body, 'unreadable']);
  const notification = encrypted({ transaction: eupagoTransaction() });
  expect(
    read({ ...notification, headers: { ...notification.headers, 'x-initialization-vector': 'AAAA' } }),
  ).toBe('unreadable');
  expect(read({ ...notification, headers: { 'x-signature': notification.headers['x-signature'] } })).toBe(
    'unreadable',
  );
  expect(read(posted('{', {}))).toBe('forged');
  const refund = { ...eupagoTransaction(), method: 'RB:PT', originalTrid: 7001, trid: 9 };
  expect(read(plain({ transaction: { ...refund, status: 'Error' } }))).toBe('unreadable');
  expect(
    bank.readCallback('eupago', plain({ transaction: { ...refund, status: 'REFUNDED' } }), [ACCOUNT]),
  ).toMatchObject({
    notification: { kind: 'refund', requestId: '7001' },
  });
  const payment = { ...eupagoTransaction(), originalTrid: 0 };
  expect(read(plain({ transaction: payment }))).toBe('notification');
});

test('what is kept of a notification names no key and no customer', () => {
  const { bank } = adapter('http://127.0.0.1:9');
  const transaction = {
    ...eupagoTransaction(),
    customer: { phone: '912345678' },
    token: EUPAGO_CREDENTIALS.webhookKey,
  };
  const verdict = bank.readCallback('eupago', plain({ transaction }), [ACCOUNT]);
  expect(verdict).toMatchObject({
    notification: { params: { trid: '7001', status: 'Paid', amount: '12.50000' } },
  });
  expect(JSON.stringify(verdict)).not.toMatch(/912345678|kkkk/);
});

test('the time of a notification is read in its own zone, and without one as Lisbon time', () => {
  const { bank } = adapter('http://127.0.0.1:9');
  for (const [date, expected] of [
    ['2026-07-15 12:59:00', '15-07-2026 12:59:00'],
    ['2026-07-15T12:59', '15-07-2026 12:59:00'],
    ['2026-07-15:12:59:10.5', '15-07-2026 12:59:10'],
    ['2026-07-15T12:59:00Z', '15-07-2026 13:59:00'],
    ['2026-07-15T12:59:00+02:30', '15-07-2026 11:29:00'],
    ['2026-01-15T23:59:00-0100', '16-01-2026 00:59:00'],
    ['15-07-2026 12:59:00', '15-07-2026 12:59:00'],
    ['2026-02-30T12:59:00Z', undefined],
    ['2026-07-15T12:60:00', undefined],
    ['yesterday', undefined],
  ] as const) {
    const verdict = bank.readCallback('eupago', plain({ transaction: { ...eupagoTransaction(), date } }), [
      ACCOUNT,
    ]);
    const params = verdict.kind === 'notification' ? verdict.notification.params : null;
    expect([date, params?.payment_datetime]).toEqual([date, expected]);
  }
});
