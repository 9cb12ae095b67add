import { expect, test } from 'vitest';
import { createBank } from '../../src/banks/bank.ts';
import { noMetrics } from '../../src/deps.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { cents } from '../../src/kernel/money.ts';
import { ACCOUNT, adapter, CREDENTIALS, handMadeBank, json, keptLog } from './support.ts';

const ORDER = { refundId: 'ref_1', requestId: 'a+b', amount: cents(1155), reason: null } as const;

async function answered(body: unknown, status = 200) {
  const { url, requests } = await handMadeBank((_request, response) => {
    if (typeof body === 'string') response.writeHead(status).end(body);
    else json(response, body, status);
  });
  const { bank, calls } = adapter(url);
  return { outcome: await bank.refund(ACCOUNT, ORDER), requests, calls };
}

test('a refund is one request with the key, the request id and the amount as text', async () => {
  const { outcome, requests, calls } = await answered({ Code: 1, Message: 'Success' });
  expect(outcome).toEqual({ kind: 'done' });
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ method: 'POST', url: '/v2/payments/refund' });
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
    backofficekey: '1111-2222-3333-4444',
    requestId: 'a+b',
    amount: '11.55',
  });
  expect(calls).toEqual([{ operation: 'refund', outcome: 'done' }]);
});

test.each([
  [{ Code: '1', Message: 'Success' }, 200, { kind: 'done' }],
  [{ Code: -1, Message: 'no funds' }, 200, { kind: 'refused', reason: 'INSUFFICIENT_FUNDS' }],
  [{ code: '-1', message: 'no funds' }, 200, { kind: 'refused', reason: 'INSUFFICIENT_FUNDS' }],
  [{ Code: 0, Message: 'Too late' }, 200, { kind: 'refused', reason: 'Too late' }],
  [{ Code: '0', Message: 'Too late' }, 400, { kind: 'refused', reason: 'Too late' }],
  [{ Message: 'No such call' }, 404, { kind: 'refused', reason: 'No such call' }],
  ['<html>', 404, { kind: 'refused', reason: 'HTTP 404' }],
  ['', 405, { kind: 'refused', reason: 'HTTP 405' }],
  [{ Code: 0, Message: 'Broken' }, 500, { kind: 'unknown' }],
  [{ Code: 7, Message: 'New' }, 200, { kind: 'unknown' }],
  [{ Code: 1 }, 400, { kind: 'unknown' }],
  ['{"Code":', 200, { kind: 'unknown' }],
  [{ Message: 'Request timed out' }, 408, { kind: 'unknown' }],
  [{ Code: 0, Message: 'Already in progress' }, 409, { kind: 'unknown' }],
  ['<html>', 429, { kind: 'unknown' }],
  ['', 302, { kind: 'unknown' }],
])('%j with HTTP %d is %j', async (body, status, expected) => {
  expect((await answered(body, status)).outcome).toMatchObject(expected);
});

test('the path of the refund call is a setting', async () => {
  const { url, requests } = await handMadeBank((_request, response) => json(response, { Code: 1 }));
  const settings = { bankTimeoutMs: 1000, ifthenpayRefundPath: '/endpoint/payments/refund' } as const;
  const deps = { clock: systemClock, metrics: noMetrics, log: keptLog().log, settings };
  const bank = createBank(deps, { sandboxUrl: url });
  await bank.refund(ACCOUNT, ORDER);
  await bank.close();
  expect(requests[0]?.url).toBe('/endpoint/payments/refund');
});

test('a callback with the status DEVOLVIDO announces a refund', () => {
  const { bank } = adapter('http://127.0.0.1:9');
  const read = (status: string) => {
    const query = new URLSearchParams({
      key: CREDENTIALS.antiPhishingKey,
      status,
      amount: '5.00',
      requestId: 'a b',
    });
    const request = { method: 'GET', headers: {}, query, body: Buffer.alloc(0) };
    const verdict = bank.readCallback('ifthenpay', request, [{ ...ACCOUNT, id: 'acc_2' }, ACCOUNT]);
    return verdict.kind === 'notification' ? verdict.notification : verdict;
  };
  expect(read('DEVOLVIDO')).toMatchObject({
    kind: 'refund',
    requestId: 'a+b',
    amount: 500,
    accountIds: ['acc_1', 'acc_2'],
  });
  expect(read('PAGO')).toMatchObject({ kind: 'payment' });
});
