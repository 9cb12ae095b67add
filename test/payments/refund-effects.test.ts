import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { eraseLead } from '../../src/erasure/erase-lead.ts';
import { jsonHere, type Line, runHere } from '../cli/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { startService, startWithMerchant } from '../support/harness.ts';
import { knownUrl } from '../support/known-urls.ts';
import { selectRow, selectRows, updateRows } from '../support/rows.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { installation } from './refund-kit.ts';

test('with refund events on, a refund of the order sends payment.refunded in order; a refund of a surplus sends nothing', async () => {
  const folder = temporaryFolder();
  const receiver = await startReceiver();
  const service = await startService({ folder, webhookCa: receiver.ca });
  const shop = await service.merchant({ webhookUrl: receiver.url });
  const json = (line: Line) => jsonHere(folder, line);
  const unannounced = await shop.pay({ orderId: 'UNANNOUNCED' });
  await json(`refund create --transaction ${unannounced} --amount 1`);
  expect(await json(`merchant set ${shop.merchantId} --refund-events true`)).toMatchObject({
    refunds: true,
    refundEvents: true,
    autoRecover: false,
    customerMails: false,
    alerts: true,
  });

  const { id, mb } = await shop.reference({ orderId: 'OVER', amount: 10 });
  await service.control('/multibanco', { ...mb, amount: 12 });
  await shop.reaches(id, 'paid');
  for (const amount of [2, 3, 4]) {
    const { refundId } = await json(`refund create --transaction ${id} --amount ${amount}`);
    await json(['refund', 'settle', refundId, '--outcome', 'done', '--note', 'transferred']);
  }
  const sent = () =>
    receiver.requests.filter(({ headers }) => headers['x-service-event'] === 'payment.refunded');
  await until(() => sent().length === 2, 'the events');
  const { refunds, events } = await json(`transaction show ${id}`);
  expect(JSON.parse(String(sent()[0]?.body))).toEqual({
    event: 'payment.refunded',
    timestamp: expect.stringMatching(/Z$/),
    data: {
      id: refunds[1].id,
      transactionId: id,
      externalOrderId: 'OVER',
      status: 'refunded',
      paymentMethod: 'REFERENCE',
      amount: 3,
      currency: 'EUR',
      refundedAt: expect.stringMatching(/Z$/),
    },
  });
  expect(Object.keys(JSON.parse(String(sent()[0]?.body)).data)).toEqual([
    ...['id', 'transactionId', 'externalOrderId', 'status'],
    ...['paymentMethod', 'amount', 'currency', 'refundedAt'],
  ]);
  expect(events.map(({ event: kind }: { event: string }) => kind)).toEqual([
    'payment.success',
    'payment.refunded',
    'payment.refunded',
  ]);
  const deliveries = await selectRows(service.app.deps.db, 'deliveries', { transaction_id: id });
  expect(deliveries.map(({ lane_position }) => lane_position)).toEqual([1, 2, 3]);
  expect((await shop.status(id)).status).toBe('paid');
});

test('erasing a person erases the account holder, and the person in the texts of a refund', async () => {
  const { service, shop, json } = await installation();
  const id = await shop.pay();
  const reason = ['--reason', 'Ana Silva asked for it', '--iban', 'PT50000201231234567890154'];
  const { refundId } = await json(['refund', 'create', '--transaction', id, ...reason]);
  const { db } = service.app.deps;
  const { lead_id } = await selectRow(db, 'transactions');
  if (lead_id === null) throw new Error('no lead');
  await eraseLead(service.app.deps, lead_id);
  const shown = await json(`refund show ${refundId}`);
  expect(shown).toMatchObject({ iban: null, name: null, reason: '[erased] asked for it', amount: 19.99 });
  expect(JSON.stringify(shown)).not.toContain('Ana');
  expect(JSON.stringify(await selectRows(db, 'audit_log'))).not.toContain('Ana Silva');
});

test('a refund left sent by a dead process becomes unknown at the next start, and one not sent is sent then', async () => {
  const folder = temporaryFolder();
  const { service: first, merchant: shop } = await startWithMerchant({ folder });
  const [one, two] = [await shop.pay({ orderId: 'A' }), await shop.pay({ orderId: 'B' })];
  await first.app.close();

  const create = async (transaction: string) => {
    const line = `refund create --transaction ${transaction} --json`;
    return JSON.parse((await runHere(folder, line, { SERVICE_BANK_TIMEOUT_MS: '1000' })).stdout);
  };
  const [waiting, lost] = [await create(one), await create(two)];
  expect([waiting.state, lost.state]).toEqual(['requested', 'requested']);
  const db = await openDatabase(knownUrl(folder));
  // As a process leaves it that dies during the call; no running process has this id.
  await updateRows(
    db,
    'refunds',
    { state: 'sent', sent_at: Date.now(), instance_id: 'zzzzzzz' },
    { id: lost.refundId },
  );
  await db.close();

  await startService({ folder });
  const reaches = (id: string, state: string) =>
    until(async () => (await jsonHere(folder, `refund show ${id}`)).state === state, `${id} to be ${state}`);
  await reaches(waiting.refundId, 'done');
  await reaches(lost.refundId, 'unknown');
  const { history } = await jsonHere(folder, `refund show ${lost.refundId}`);
  expect(history.at(-1)).toMatchObject({ state: 'unknown', actor: 'service', note: 'interrupted' });
});

test('callbacks about refunds are no payments, and one with a wrong key changes nothing', async () => {
  const { service, shop, json } = await installation();
  const id = await shop.pay();
  await service.control('/faults', { mode: 'hang-refund', times: 1 });
  await service.control('/faults', { mode: 'bad-key-callback', times: 1 });
  const { refundId, state } = await json(`refund create --transaction ${id} --amount 6`);
  expect(state).toBe('unknown');
  const { db } = service.app.deps;
  const devolved = async () =>
    (await selectRows(db, 'bank_hints')).filter(({ params }) => params.includes('DEVOLVIDO'));
  expect(await devolved()).toEqual([]);
  await json(['refund', 'settle', refundId, '--outcome', 'failed', '--note', 'no trace']);

  await service.control('/faults', { mode: 'duplicate-callback', times: 1 });
  await json(`refund create --transaction ${id} --amount 5`);
  await until(async () => (await devolved()).length > 0, 'the notification');
  expect(await devolved()).toMatchObject([{ check_at: null, checks_count: 0 }]);
  expect(await selectRows(db, 'receipts')).toHaveLength(1);
});
