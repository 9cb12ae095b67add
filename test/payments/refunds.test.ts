import { expect, test } from 'vitest';
import { type Line, refusedHere } from '../cli/support.ts';
import { selectRow } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { installation } from './refund-kit.ts';

/** An installation, and what happens to its refunds. */
async function refunding() {
  const made = await installation();
  const { folder, service, json } = made;
  const refused = (line: Line) => refusedHere(folder, line);
  const settle = (id: string, outcome: string, note: string) =>
    json(['refund', 'settle', id, '--outcome', outcome, '--note', note]);
  const fault = (mode: string, times = 1) => service.control('/faults', { mode, times });
  const reaches = (id: string, state: string) =>
    until(async () => {
      const refund = await json(`refund show ${id}`);
      return refund.state === state ? refund : null;
    }, `${id} to be ${state}`);
  return { ...made, refused, settle, fault, reaches };
}

const states = (refund: { history: { state: string }[] }) => refund.history.map(({ state }) => state);

test('a refund in two parts: the JSON of the contract, and the transaction stays paid', async () => {
  const { shop, json, reaches, refused } = await refunding();
  const id = await shop.pay();
  const { receipts } = await json(`transaction show ${id}`);
  const part = await json(`refund create --transaction ${id} --amount 5 --reason broken`);
  expect(part).toEqual({
    refundId: expect.stringMatching(/^ref_/),
    receiptId: receipts[0].id,
    transactionId: id,
    amount: 5,
    state: 'done',
  });
  const shown = await until(async () => {
    const refund = await json(`refund show ${part.refundId}`);
    return refund.history.at(-1).note === 'notified by the bank' ? refund : null;
  }, 'the notification');
  expect(shown).toEqual({
    ...part,
    method: 'MBWAY',
    acquirer: 'ifthenpay',
    reason: 'broken',
    iban: null,
    name: 'Ana Silva',
    detail: null,
    retryOf: null,
    exportedAt: null,
    createdAt: expect.stringMatching(/Z$/),
    settledAt: expect.stringMatching(/Z$/),
    history: expect.arrayContaining([
      { at: shown.createdAt, state: 'requested', actor: 'command line', note: 'broken' },
      { at: expect.any(String), state: 'sent', actor: 'service', note: null },
    ]),
  });
  // The notification arrives before or after the answer.
  expect([...new Set(states(shown))]).toEqual(['requested', 'sent', 'done']);
  expect(await refused(`refund create --transaction ${id} --amount 15`)).toContain('at most 14.99 EUR');
  const rest = await json(`refund create --receipt ${part.receiptId}`);
  expect(rest).toMatchObject({ amount: 14.99, state: 'done' });
  expect(await refused(`refund create --transaction ${id}`)).toContain('no money left to refund');
  await reaches(rest.refundId, 'done');
  expect(await json(`transaction show ${id}`)).toMatchObject({
    transaction: { status: 'paid' },
    receipts: [{ id: part.receiptId, amount: 19.99, refunded: 19.99 }],
    refunds: [
      { id: part.refundId, receiptId: part.receiptId, amount: 5, state: 'done' },
      { id: rest.refundId, receiptId: part.receiptId, amount: 14.99, state: 'done' },
    ],
  });
  const list = await json(`refund list --merchant ${shop.merchantId} --state done`);
  expect(list.map(({ refundId }: { refundId: string }) => refundId)).toEqual([part.refundId, rest.refundId]);
  expect(list[0]).not.toHaveProperty('history');
  const { merchantId: other } = await json('merchant create --name Other --domain other.pt');
  expect(await json(`refund list --merchant ${other}`)).toEqual([]);
  expect(await json(`refund list --after ${part.refundId} --limit 1`)).toMatchObject([{ amount: 14.99 }]);
});

test('refusals fail with the reason of the bank, free the sum, and can be repeated once', async () => {
  const { shop, json, refused, fault } = await refunding();
  const id = await shop.pay();
  await fault('insufficient-refund');
  const poor = await json(`refund create --transaction ${id}`);
  expect(poor.state).toBe('failed');
  expect(await json(`refund show ${poor.refundId}`)).toMatchObject({ detail: 'INSUFFICIENT_FUNDS' });
  await fault('refuse-refund');
  const again = await json(`refund retry ${poor.refundId}`);
  expect(again).toMatchObject({ state: 'failed', amount: 19.99, retryOf: poor.refundId });
  expect(again.detail).toBe('The refund was refused');
  expect(await refused(`refund retry ${poor.refundId}`)).toContain(`repeated already by ${again.refundId}`);
  expect(await json(`refund retry ${again.refundId}`)).toMatchObject({ state: 'done' });
  expect(await refused(`refund settle ${poor.refundId} --outcome done --note checked`)).toContain(
    'is failed',
  );
  expect(await json(`transaction show ${id}`)).toMatchObject({ receipts: [{ refunded: 19.99 }] });
});

test('a lost answer is unknown, never sent again, blocks further refunds and is settled by a person', async () => {
  const { shop, json, refused, settle, fault, service } = await refunding();
  const id = await shop.pay();
  await fault('error500-refund');
  const lost = await json(`refund create --transaction ${id} --amount 5`);
  expect(lost.state).toBe('unknown');
  expect(await refused(`refund create --transaction ${id} --amount 5`)).toContain('is unknown');
  expect(await refused(`refund retry ${lost.refundId}`)).toContain('is unknown');
  expect(await refused(`refund settle ${lost.refundId} --outcome maybe --note x`)).toContain(
    'done or failed',
  );
  const settled = await settle(lost.refundId, 'failed', 'not at the bank');
  expect(settled).toMatchObject({ state: 'failed' });
  expect(settled.history.at(-1)).toMatchObject({
    state: 'failed',
    actor: 'command line',
    note: 'not at the bank',
  });
  expect(await json(`refund create --transaction ${id}`)).toMatchObject({ amount: 19.99, state: 'done' });
  const calls = await (await fetch(`${service.url}/metrics`)).text();
  expect(calls).toMatch(/operation="refund",outcome="unknown"\} 1/);
  expect(calls).toMatch(/operation="refund",outcome="done"\} 1/);
});

test('the notification of the bank settles a refund whose answer never came', async () => {
  const { shop, json, settle, fault, reaches } = await refunding();
  const id = await shop.pay();
  await fault('hang-refund');
  const unannounced = await json(`refund create --transaction ${id} --amount 5`);
  expect(unannounced.state).toBe('done');
  // The time-out comes later and undoes nothing.
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect(states(await reaches(unannounced.refundId, 'done'))).toEqual(['requested', 'sent', 'done']);

  await fault('hang-refund');
  await fault('drop-callback');
  const quiet = await json(`refund create --transaction ${id} --amount 5`);
  expect(quiet.state).toBe('unknown');
  await settle(quiet.refundId, 'done', 'seen');

  await fault('hang-refund');
  await fault('wrong-amount-callback');
  expect(await json(`refund create --transaction ${id} --amount 5`)).toMatchObject({ state: 'unknown' });
});

test('Multibanco money goes back by bank transfer, with a valid IBAN that is never shown in full', async () => {
  const { service, shop, json, refused, settle } = await refunding();
  const id = await shop.payReference();
  const made = await json(`refund create --transaction ${id} --amount 4`);
  expect(made.state).toBe('awaiting_transfer');
  // Several transfers of one receipt may wait.
  expect(await json(`refund create --transaction ${id} --amount 5`)).toMatchObject({
    state: 'awaiting_transfer',
  });
  expect(await refused(`refund create --transaction ${id} --amount 11`)).toContain('at most 10.99 EUR');
  const wrong = await refused(['refund', 'set', made.refundId, '--iban', 'PT50 0002 0123 1234 5678 9015 5']);
  expect(wrong).toBe('the IBAN is not valid in SEPA: check its digits and its country\n');
  const iban = 'pt50 0002 0123 1234 5678 9015 4';
  const set = await json(['refund', 'set', made.refundId, '--iban', iban, '--name', 'Rui']);
  expect(set).toMatchObject({ iban: '0154', name: 'Rui', state: 'awaiting_transfer' });
  const { iban: stored } = await selectRow(service.app.deps.db, 'refunds', { id: made.refundId });
  expect(stored).toMatch(/^v1\./);
  const done = await settle(made.refundId, 'done', 'transferred today');
  expect(done).toMatchObject({ state: 'done', settledAt: expect.any(String) });
  expect(await refused(['refund', 'set', made.refundId, '--iban', 'PT50000201231234567890154'])).toContain(
    'is done',
  );
});

test('a held sale, a receipt marked as returned and unpaid transactions are not refunded', async () => {
  const { shop, json, refused } = await refunding();
  await json(`merchant set ${shop.merchantId} --hold true`);
  const id = await shop.push('911000001');
  const [receipt] = await until(async () => {
    const { receipts } = await json(`transaction show ${id}`);
    return receipts.length > 0 ? receipts : null;
  }, 'the receipt');
  expect(await refused(`refund create --transaction ${id}`)).toContain('is held');
  expect(await refused(`refund create --receipt ${receipt.id}`)).toContain('is held');
  expect(await refused(`transaction credit ${id}`)).toContain('release it instead');
  await json(`transaction release ${id}`);
  expect(await json(`refund create --receipt ${receipt.id}`)).toMatchObject({ state: 'done' });
  expect(await refused(`refund create --transaction ${await shop.init()}`)).toContain('is not paid');
  expect(await refused('refund create --transaction tx_1')).toContain('there is no transaction tx_1');
  expect(await refused('refund create --receipt rcp_1')).toContain('there is no receipt rcp_1');
  expect(await refused('refund create --receipt rcp_1 --amount 1.005')).toContain('two decimals');
  expect(await refused('refund create --receipt rcp_1 --amount 0')).toContain('above 0');
  expect(await refused('refund show ref_1')).toContain('there is no refund ref_1');
  expect(await refused('refund list --state odd')).toContain('requested, sent, done');
});

test('an unreachable bank fails a refund, which the next start would not repeat', async () => {
  const { shop, json, service } = await refunding();
  const id = await shop.pay();
  const { bank } = service.app.deps as { bank: { refund: unknown } };
  bank.refund = async () => ({ kind: 'unreachable', detail: 'refused' });
  const failed = await json(`refund create --transaction ${id}`);
  expect(failed.state).toBe('failed');
  expect(await json(`refund show ${failed.refundId}`)).toMatchObject({ detail: 'BANK_UNAVAILABLE' });
});
