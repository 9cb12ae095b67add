import { expect, test } from 'vitest';
import { type BankAccount, BankUnavailable } from '../../src/banks/port.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { ACCOUNT, adapter, CREDENTIALS, callbackOf, handMadeBank, json } from './support.ts';

const NOON = Date.UTC(2026, 6, 15, 12, 0, 0);

async function inquire(answer: unknown) {
  const { url, requests } = await handMadeBank((_request, response) => json(response, answer));
  const { bank, calls, lines } = adapter(url, fakeClock(NOON));
  return {
    state: await bank.inquirePush(ACCOUNT, { requestId: 'i2s+3', bankOrderId: 'A1' }).catch((error) => error),
    requests,
    calls,
    lines,
  };
}

test('a push is paid, rejected, declined or waiting; expired and pending both mean waiting', async () => {
  const answer = { RequestId: 'i2s+3', UpdateAt: '15-07-2026 12:30:15', Message: 'x' };
  const paid = await inquire({ ...answer, Status: '000' });
  expect(paid.state).toEqual({
    kind: 'paid',
    paidAt: Date.UTC(2026, 6, 15, 11, 30, 15),
    identity: 'ifthenpay:i2s+3',
  });
  expect(paid.requests[0]?.url).toBe('/spg/payment/mbway/status?mbWayKey=ABC-123456&requestId=i2s%2B3');
  expect(paid.calls).toEqual([{ operation: 'inquire', outcome: 'ok' }]);
  expect((await inquire({ ...answer, Status: '020' })).state).toEqual({ kind: 'rejected' });
  expect((await inquire({ ...answer, Status: '122' })).state).toEqual({ kind: 'declined' });
  for (const Status of ['101', '123', '999']) {
    expect((await inquire({ ...answer, Status })).state).toEqual({ kind: 'waiting' });
  }
});

test('a payment without a readable time is dated now, and none is dated in the future', async () => {
  for (const UpdateAt of ['15-07-2026 14:00:00', '01-01-0001 00:00:00', '', null]) {
    expect((await inquire({ Status: '000', UpdateAt })).state).toMatchObject({ kind: 'paid', paidAt: NOON });
  }
});

test('an answer about another push, or with an unknown status, means unavailable', async () => {
  for (const answer of [{ Status: '000', RequestId: 'another' }, { Status: 'error' }]) {
    const { state, calls } = await inquire(answer);
    expect(state).toBeInstanceOf(BankUnavailable);
    expect(calls).toEqual([{ operation: 'inquire', outcome: 'unavailable' }]);
  }
});

test('a request without an answer ends at the time-out, and its error contains no key', async () => {
  const clock = fakeClock(NOON);
  const { url, requests } = await handMadeBank(() => {});
  const failed = adapter(url, clock)
    .bank.inquirePush(ACCOUNT, { requestId: 'r1', bankOrderId: 'A1' })
    .catch((error) => error);
  await until(() => requests.length > 0);
  await clock.advance(5000);
  const error = await failed;
  expect(error).toBeInstanceOf(BankUnavailable);
  expect(String(error)).not.toContain(CREDENTIALS.mbWayKey);
});

test('a callback is registered for both methods, with every placeholder, in 300 characters', async () => {
  const { url, requests } = await handMadeBank((_request, response) => response.end('OK: done'));
  await adapter(url).bank.registerCallback(ACCOUNT, 'https://pay.example.pt/callbacks/ifthenpay');
  expect(requests.map(({ url: path }) => path)).toEqual(Array(2).fill('/api/endpoint/callback/activation'));
  const bodies = requests.map(({ body }) => JSON.parse(body));
  const urlCb =
    'https://pay.example.pt/callbacks/ifthenpay?key=[ANTI_PHISHING_KEY]&orderId=[ORDER_ID]&amount=[AMOUNT]' +
    '&requestId=[REQUEST_ID]&entity=[ENTITY]&reference=[REFERENCE]&payment_datetime=[PAYMENT_DATETIME]&status=[STATUS]';
  const shared = { chave: CREDENTIALS.backofficeKey, apKey: CREDENTIALS.antiPhishingKey, urlCb };
  expect(bodies).toEqual([
    { ...shared, entidade: 'MBWAY', subentidade: CREDENTIALS.mbWayKey },
    { ...shared, entidade: 'MB', subentidade: CREDENTIALS.mbKey },
  ]);
  expect(urlCb.length).toBeLessThanOrEqual(300);
});

test('a registration that the bank does not confirm fails, as does an address too long for it', async () => {
  const { url } = await handMadeBank((_request, response) => response.end('ERROR: no'));
  const { bank } = adapter(url);
  await expect(bank.registerCallback(ACCOUNT, 'https://pay.example.pt/x')).rejects.toThrow(BankUnavailable);
  await expect(bank.registerCallback(ACCOUNT, `https://${'a'.repeat(200)}.pt/x`)).rejects.toThrow(
    OperatorError,
  );
});

test('a callback notification has the account of its key, the parameters without the key, and plus signs that arrived as spaces', () => {
  const { bank } = adapter('http://127.0.0.1:9');
  const other: BankAccount = {
    id: 'acc_2',
    acquirer: 'ifthenpay',
    credentials: { ...CREDENTIALS, antiPhishingKey: 'the+key+of-another' },
  };
  const forOther = callbackOf('key=the+key%2Bof-another&orderId=A1');
  expect(bank.readCallback('ifthenpay', forOther, [other, ACCOUNT])).toMatchObject({
    notification: { accountId: 'acc_2' },
  });
  const callback = callbackOf(
    `key=${CREDENTIALS.antiPhishingKey}&orderId=A1&amount=12.50&requestId=a+b%2Bc&entity=[ENTITY]&status=PAGO`,
  );
  expect(bank.readCallback('ifthenpay', callback, [other, ACCOUNT])).toMatchObject({
    kind: 'notification',
    notification: {
      kind: 'payment',
      accountId: 'acc_1',
      accountIds: ['acc_1'],
      bankOrderId: 'A1',
      requestId: 'a+b+c',
      amount: 1250,
      params: { orderId: 'A1', amount: '12.50', requestId: 'a b+c', entity: '[ENTITY]', status: 'PAGO' },
    },
  });
});
