import { describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../../src/banks/accounts.ts';
import { type BankAccount, BankUnavailable, type CallbackRequest } from '../../src/banks/port.ts';
import { ACQUIRERS, type Acquirer } from '../../src/kernel/acquirer.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { cents } from '../../src/kernel/money.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { sandbox } from '../sandbox/support.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { DIALECTS, ORDER_ID, order, push } from './conformance-kit.ts';
import { adapter, handMadeBank, json } from './support.ts';

const NOON = Date.UTC(2026, 6, 15, 12);

/** An account at the simulated bank, with what arrived at its callback address. */
async function atSandbox(acquirer: Acquirer) {
  const callbacks: CallbackRequest[] = [];
  const shop = await startReceiver(({ method, path, headers, body }, response) => {
    const query = new URL(path, 'http://shop').searchParams;
    callbacks.push({ method, headers, query, body: Buffer.from(body) });
    response.end();
  }, 'plain');
  const { url, post } = await sandbox({ clock: systemClock });
  const { bank } = adapter(url, systemClock, 1000);
  const account: BankAccount = {
    id: 'acc_1',
    acquirer,
    credentials: sandboxCredentials(systemRandom, acquirer),
  };
  await bank.registerCallback(account, `http://127.0.0.1:${shop.port}/callbacks/${acquirer}`);
  const control = async (path: string, body: unknown) => {
    const answer = await post(`/control/${path}`, body);
    expect(answer.status, path).toBe(200);
    return answer.body;
  };
  const accepted = async (bankOrderId: string, phoneNumber?: string) => {
    const outcome = await bank.createPush(account, push(bankOrderId, phoneNumber));
    if (outcome.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(outcome)}`);
    return outcome.requestId;
  };
  return { bank, account, callbacks, control, accepted, read: bank.readCallback };
}

describe.each(ACQUIRERS)('%s at the sandbox', (acquirer) => {
  test('a push is paid by its state, its row in the list and its notification, all of one identity', async () => {
    const { bank, account, callbacks, control, accepted } = await atSandbox(acquirer);
    const requestId = await accepted('PUSH-1');
    const inquire = () => bank.inquirePush(account, { requestId, bankOrderId: 'PUSH-1' });
    expect(await inquire()).toEqual({ kind: 'waiting' });
    await control('mbway', { phoneNumber: '912345678', outcome: 'accept' });
    const state = await inquire();
    const now = Date.now();
    for (const filter of [
      { bankOrderId: 'PUSH-1' },
      { requestId },
      { from: now - 60_000, to: now + 60_000 },
    ]) {
      const { records, complete } = await bank.listPayments(account, filter);
      expect(complete).toBe(true);
      expect(records).toHaveLength(1);
      expect(records[0]).toMatchObject({ amount: 1250, bankOrderId: 'PUSH-1', requestId });
      expect(state).toMatchObject({ kind: 'paid', identity: records[0]?.identity });
    }
    const callback = await until(() => callbacks[0]);
    expect(bank.readCallback(acquirer, callback, [account])).toMatchObject({
      notification: { kind: 'payment', bankOrderId: 'PUSH-1', amount: 1250, accountId: account.id },
    });
    expect(JSON.stringify(bank.readCallback(acquirer, callback, [account]))).not.toContain(
      String(Object.values(account.credentials as object).at(-1)),
    );
  });

  test('a reference paid twice is two records, the same under every filter', async () => {
    const { bank, account, control } = await atSandbox(acquirer);
    const created = await bank.createReference(account, order('REF-1'));
    if (created.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(created)}`);
    const { entity, reference } = created;
    expect(created.expiresAt).toBeGreaterThan(Date.now() + 2 * 86_400_000);
    for (let times = 0; times < 2; times++) await control('multibanco', { entity, reference });
    const now = Date.now();
    const byOrder = await bank.listPayments(account, { bankOrderId: 'REF-1' });
    const byTime = await bank.listPayments(account, { from: now - 60_000, to: now + 60_000 });
    const identities = byOrder.records.map(({ identity }) => identity).sort();
    expect(new Set(identities).size).toBe(2);
    expect(byTime.records.map(({ identity }) => identity).sort()).toEqual(identities);
    expect(byOrder.records[0]).toMatchObject({ method: 'REFERENCE', amount: 1250, entity, reference });
  });

  test.each([
    ['911000002', 'rejected'],
    ['911000003', 'waiting'],
    ['911000004', 'declined'],
  ])('the test phone %s ends as %s', async (phoneNumber, kind) => {
    const { bank, account, accepted } = await atSandbox(acquirer);
    const requestId = await accepted('PUSH-2', phoneNumber);
    await until(
      async () => (await bank.inquirePush(account, { requestId, bankOrderId: 'PUSH-2' })).kind === kind,
    );
  });

  test('an unknown phone is refused; every fault of a create leaves the push unknown', async () => {
    const { bank, account, control } = await atSandbox(acquirer);
    const refused = await bank.createPush(account, push('PUSH-3', '911000005'));
    expect(refused).toMatchObject({ kind: 'refused', reason: 'phone-unknown' });
    for (const mode of ['refuse', 'error500', 'garbage', 'hang']) {
      await control('faults', { mode, times: 1 });
      expect([mode, (await bank.createPush(account, push(`F-${mode}`))).kind]).toEqual([mode, 'unknown']);
    }
    for (const mode of ['error500-inquiry', 'hang-inquiry']) {
      await control('faults', { mode, times: 1 });
      const list = bank.listPayments(account, { bankOrderId: 'F-hang' });
      await expect(list).rejects.toThrow(BankUnavailable);
    }
  });

  test('a refund is made in full or in part, refused with its reason, or unknown', async () => {
    const { bank, account, callbacks, control, accepted } = await atSandbox(acquirer);
    await accepted('PUSH-4', '911000001');
    const paid = await until(async () => {
      const { records } = await bank.listPayments(account, { bankOrderId: 'PUSH-4' });
      return records[0];
    });
    const refund = (amount: number) =>
      bank.refund(account, {
        refundId: 'ref_1',
        requestId: paid.paymentId ?? paid.requestId ?? '',
        reason: 'returned',
        amount: cents(amount),
      });
    expect(await refund(500)).toEqual({ kind: 'done' });
    const announced = await until(() =>
      callbacks
        .map((callback) => bank.readCallback(acquirer, callback, [account]))
        .find((verdict) => verdict.kind === 'notification' && verdict.notification.kind === 'refund'),
    );
    expect(announced).toMatchObject({
      notification: { requestId: paid.paymentId ?? paid.requestId, amount: 500, accountIds: ['acc_1'] },
    });
    expect(await refund(751)).toMatchObject({ kind: 'refused' });
    await control('faults', { mode: 'insufficient-refund', times: 1 });
    expect(await refund(100)).toEqual({ kind: 'refused', reason: 'INSUFFICIENT_FUNDS' });
    for (const mode of ['error500-refund', 'hang-refund']) {
      await control('faults', { mode, times: 1 });
      expect([mode, (await refund(100)).kind]).toEqual([mode, 'unknown']);
    }
    // However the record shows refunds, none is new money and the payment keeps its identity.
    for (const rows of ['unchanged', 'reduced', 'status', 'gone', 'negative', 'extra']) {
      await control('refund-rows', { mode: rows });
      const now = Date.now();
      const { records, complete } = await bank.listPayments(account, {
        from: now - 60_000,
        to: now + 60_000,
      });
      expect([rows, complete]).toEqual([rows, true]);
      for (const { identity } of records) expect([rows, identity]).toEqual([rows, paid.identity]);
    }
  });
});

describe.each(ACQUIRERS)('%s at a simulated bank', (acquirer) => {
  const dialect = DIALECTS[acquirer];
  const { account, requestId } = dialect;
  const withBank = async (answer: Parameters<typeof handMadeBank>[0], clock = fakeClock(NOON)) => {
    const { url } = await handMadeBank(answer);
    return adapter(url, clock).bank;
  };
  const answering = ([body, status]: [unknown, number]) =>
    withBank((_request, response) => {
      if (typeof body === 'string') response.writeHead(status).end(body);
      else json(response, body, status);
    });

  test('an unclear answer to a create is unknown, and without a connection nothing was sent', async () => {
    for (const answer of dialect.unclear) {
      const bank = await answering(answer);
      expect([answer, (await bank.createPush(account, push())).kind]).toEqual([answer, 'unknown']);
      expect((await bank.createReference(account, order())).kind).toBe('unknown');
    }
    // A refused port, and a host that does not exist.
    for (const nowhere of ['http://127.0.0.1:9', 'http://bank.invalid']) {
      const { bank } = adapter(nowhere);
      expect((await bank.createPush(account, push())).kind).toBe('unreachable');
      expect((await bank.createReference(account, order())).kind).toBe('unreachable');
      const ref = { refundId: 'ref_1', requestId, amount: cents(1), reason: null } as const;
      expect((await bank.refund(account, ref)).kind).toBe('unreachable');
    }
  });

  test('a readable refusal is a refusal, and of the phone only when it names the phone', async () => {
    const sent = async (answer: [unknown, number]) => (await answering(answer)).createPush(account, push());
    expect(await sent(dialect.phoneRefused)).toMatchObject({ kind: 'refused', reason: 'phone-unknown' });
    expect(await sent(dialect.refused)).toMatchObject({ kind: 'refused', reason: 'other' });
    const bank = await answering(dialect.referenceRefused);
    expect((await bank.createReference(account, order())).kind).toBe('refused');
  });

  test('amounts are read from numbers and from text, exactly', async () => {
    for (const amount of dialect.amounts) {
      const bank = await withBank(dialect.bank({ amount, at: '2026-07-15 12:00:00' }));
      const { records } = await bank.listPayments(account, { bankOrderId: ORDER_ID });
      expect([amount, records.map((record) => record.amount)]).toEqual([amount, [1250]]);
    }
    for (const amount of ['12,50', '12.505', 'x', null]) {
      const bank = await withBank(dialect.bank({ amount, at: '2026-07-15 12:00:00' }));
      const { records, complete } = await bank.listPayments(account, { bankOrderId: ORDER_ID });
      expect([amount, records, complete]).toEqual([amount, [], false]);
    }
  });

  // Lisbon changes its clock on 2026-03-29 and 2026-10-25 at 01:00 UTC. A repeated time counts as the later one.
  test.each([
    ['2026-03-29 00:59:59', Date.UTC(2026, 2, 29, 0, 59, 59)],
    ['2026-03-29 02:00:00', Date.UTC(2026, 2, 29, 1, 0, 0)],
    ['2026-10-25 00:59:59', Date.UTC(2026, 9, 24, 23, 59, 59)],
    ['2026-10-25 01:30:00', Date.UTC(2026, 9, 25, 1, 30, 0)],
    ['2026-10-25 02:00:00', Date.UTC(2026, 9, 25, 2, 0, 0)],
  ])('the time of payment %s is a time in Lisbon', async (at, expected) => {
    const bank = await withBank(dialect.bank({ amount: '12.50', at }), fakeClock(Date.UTC(2026, 11, 1)));
    const state = await bank.inquirePush(account, { requestId, bankOrderId: ORDER_ID });
    expect(state).toMatchObject({ kind: 'paid', paidAt: expected });
    const { records } = await bank.listPayments(account, { from: expected, to: expected });
    expect(records.map(({ paidAt }) => paidAt)).toEqual([expected]);
    for (const notification of dialect.notifications({ at })) {
      const verdict = bank.readCallback(acquirer as Acquirer, notification, [account]);
      const [day = '', time] = at.split(' ');
      expect(verdict).toMatchObject({
        notification: { params: { payment_datetime: `${day.split('-').reverse().join('-')} ${time}` } },
      });
    }
  });

  test('garbage and errors are no answer', async () => {
    for (const answer of [
      ['<html>', 200],
      ['', 500],
      [{}, 200],
      [[], 200],
    ] as [unknown, number][]) {
      const bank = await answering(answer);
      const inquiry = bank.inquirePush(account, { requestId, bankOrderId: ORDER_ID });
      await expect(inquiry).rejects.toThrow(BankUnavailable);
      await expect(bank.listPayments(account, { bankOrderId: ORDER_ID })).rejects.toThrow(BankUnavailable);
      await expect(bank.listPayments(account, { from: 0, to: 1 })).rejects.toThrow(BankUnavailable);
    }
  });

  test('every form of a genuine notification is read alike, and repetitions are equal', () => {
    const { bank } = adapter('http://127.0.0.1:9');
    const read = (request: CallbackRequest) => bank.readCallback(acquirer as Acquirer, request, [account]);
    for (const notification of dialect.notifications()) {
      expect(read(notification)).toMatchObject({
        kind: 'notification',
        notification: { accountId: account.id, bankOrderId: ORDER_ID, amount: 1250, kind: 'payment' },
      });
      expect(read(notification)).toEqual(read(notification));
    }
    for (const notification of dialect.notifications({ amount: 'much' })) {
      expect(read(notification)).toMatchObject({ notification: { bankOrderId: ORDER_ID, amount: null } });
    }
  });

  test('a notification without the proof of an account is forged', () => {
    const { bank } = adapter('http://127.0.0.1:9');
    for (const request of dialect.forged())
      expect(bank.readCallback(acquirer as Acquirer, request, [account])).toEqual({ kind: 'forged' });
    const [genuine] = dialect.notifications();
    if (genuine === undefined) throw new Error('there is no genuine notification');
    expect(bank.readCallback(acquirer as Acquirer, genuine, [])).toEqual({ kind: 'forged' });
  });
});
