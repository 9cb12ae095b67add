import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { temporaryFolder } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { knownUrl } from '../support/known-urls.ts';
import { insertRows, selectRow } from '../support/rows.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { jsonHere, runHere } from './support.ts';

test('a webhook secret is rotated, and the rotation finished, from the command line', async () => {
  const folder = temporaryFolder();
  const made = await jsonHere(folder, 'merchant create --name Loja --domain shop.pt');
  const rotated = await jsonHere(folder, `webhook rotate ${made.merchantId}`);
  expect(rotated).toEqual({ webhookSecret: expect.stringMatching(/^whsec_/) });
  expect(rotated.webhookSecret).not.toBe(made.webhookSecret);
  const second = await runHere(folder, `webhook rotate ${made.merchantId} --json`);
  expect(second).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^a rotation of mer_\w+ [^\n]+\n$/),
  });
  expect(await jsonHere(folder, `webhook rotate-finish ${made.merchantId}`)).toEqual(rotated);
  await jsonHere(folder, `webhook rotate ${made.merchantId}`);
  const now = await jsonHere(folder, `webhook rotate ${made.merchantId} --now`);
  expect(Object.keys(now)).toEqual(['webhookSecret']);
  expect(await jsonHere(folder, `webhook rotate-finish ${made.merchantId}`)).toEqual(now);
});

test('skipped events are recovered while the server runs, and the export has the bodies that were sent', async () => {
  const folder = temporaryFolder();
  const receiver = await startReceiver();
  const { merchant } = await startService({ folder, webhookCa: receiver.ca });
  const env = { SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' };
  const shop = await merchant({ webhookUrl: receiver.url });
  const id = shop.merchantId;
  await runHere(folder, `merchant set ${id} --webhook-enabled false`, env);
  const transactions = [await shop.pay(), await shop.pay()];
  for (const tx of transactions) {
    await until(
      async () => (await jsonHere(folder, `transaction show ${tx}`)).deliveries[0]?.state === 'skipped',
      'the delivery to be skipped',
    );
  }
  await runHere(folder, `merchant set ${id} --webhook-enabled true`, env);

  const run = await jsonHere(folder, `webhook recover ${id} --since 2020-01-01`);
  expect(run).toEqual({
    recoveryId: expect.stringMatching(/^rcv_/),
    since: '2020-01-01T00:00:00.000Z',
    latest: false,
    startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    complete: true,
    queued: 2,
    due: expect.any(Number),
    delivered: expect.any(Number),
    undelivered: 0,
    skipped: 0,
  });
  await until(async () => (await jsonHere(folder, `webhook recovery ${id}`))[0].delivered === 2, 'the drain');
  const again = await runHere(folder, `webhook recover ${id} --since 2020-01-01T00:00Z --latest`);
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^latest +yes$/m)]);
  expect(again.stderr).toMatch(/^0 events queued\n0 events queued; run "webhook recovery mer_\w+" [^\n]+\n$/);

  const shown = await jsonHere(folder, `transaction show ${transactions[1]}`);
  expect(shown.events).toMatchObject([{ event: 'payment.success' }]);
  expect(Object.keys(shown.events[0])).toEqual(['id', 'event', 'createdAt']);
  expect(shown.deliveries).toMatchObject([{ state: 'skipped' }, { state: 'delivered' }]);
  const events = await jsonHere(folder, `event export ${id} --after 0`);
  expect(events).toMatchObject([
    { sequence: 1, event: 'payment.success', transactionId: transactions[0] },
    { sequence: 2, event: 'payment.success', transactionId: transactions[1] },
  ]);
  for (const event of events) {
    const sent = receiver.requests.find(({ headers }) => headers['webhook-id'] === event.id);
    expect(sent?.body.equals(Buffer.from(event.body))).toBe(true);
  }
  expect(await jsonHere(folder, `event export ${id} --limit 1`)).toEqual(events.slice(0, 1));
  const lines = await runHere(folder, `event export ${id} --after 1 --limit 5`);
  expect(lines).toEqual({ code: 0, stdout: `${JSON.stringify(events[1])}\n`, stderr: '' });
  expect(await jsonHere(folder, `event export ${id} --after 2`)).toEqual([]);
  expect((await runHere(folder, `event export ${id} --after 2`)).stdout).toBe('');
});

test('the waits of automatic recovery count from when it is switched on, also when no service saw it off', async () => {
  const folder = temporaryFolder();
  const { merchantId } = await jsonHere(folder, 'merchant create --name Loja --domain shop.pt');
  const set = (value: boolean) => jsonHere(folder, `merchant set ${merchantId} --auto-recover ${value}`);
  await set(true);
  const db = await openDatabase(knownUrl(folder));
  onTestFinished(() => db.close());
  const state = () => selectRow(db, 'auto_recoveries', { merchant_id: merchantId });
  const resting = { merchant_id: merchantId, since_at: 1, phase: 'resting', missed_at: 2, step: 5 } as const;
  await insertRows(db, 'auto_recoveries', { ...resting, after_at: 3, after_id: 'dlv_1' });
  await set(true);
  expect(await state()).toMatchObject(resting);
  await set(false);
  await set(true);
  const { since_at, ...restarted } = await state();
  expect(restarted).toMatchObject({ phase: 'idle', missed_at: null, step: 0, after_id: '' });
  expect(Date.now() - since_at).toBeLessThan(60_000);
});
