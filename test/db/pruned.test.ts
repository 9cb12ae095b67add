import { expect, test } from 'vitest';
import { RETAINED_TABLES } from '../../src/retention/retention.ts';
import { pruneStep } from '../../src/retention/step.ts';
import { shopWithOwner } from '../backoffice/support.ts';
import { jsonHere } from '../cli/support.ts';
import { bankCredentials } from '../support/bank-credentials.ts';
import { temporaryFolder } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { type Service, startService, startWithMerchant } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

/** Prunes every table as the service would in a hundred days. */
async function pruneAll({ app }: Service): Promise<void> {
  const clock = fakeClock(Date.now() + 100 * 86_400_000);
  for (const kind of RETAINED_TABLES) await pruneStep({ ...app.deps, clock }, kind);
}

test('a delivery whose attempts were pruned still shows its state and count, and can be resent', async () => {
  const folder = temporaryFolder();
  const receiver = await startReceiver((_request, response, count) => {
    response.writeHead(count === 1 ? 500 : 200).end('thanks');
  });
  // The bank's list would add the fee to the receipt between the two looks.
  const env = { SERVICE_RECONCILE_SECONDS: '3600' };
  const service = await startService({ folder, webhookCa: receiver.ca, env });
  const { merchant: shop, merchantId, owner } = await shopWithOwner(service, { webhookUrl: receiver.url });
  const id = await shop.push('911000001');
  const detail = async () => (await owner.query('transaction.show', { merchantId, id })).value;
  const { deliveryId } = await until(async () => {
    const [newest] = (await detail()).deliveries;
    return newest?.state === 'delivered' ? newest : null;
  }, 'the delivery to succeed');
  const command = (line: string) =>
    jsonHere(folder, line, { SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
  const before = await command(`transaction show ${id}`);
  const [complete] = before.deliveries;
  expect(complete.attempts).toHaveLength(2);
  expect(Object.keys(complete).sort()).toEqual([
    'attempts',
    'deliveryId',
    'event',
    'eventId',
    'recovery',
    'state',
  ]);

  await pruneAll(service);
  const after = await command(`transaction show ${id}`);
  expect(after.deliveries).toEqual([{ ...complete, attempts: [] }]);
  expect({ ...after, deliveries: [] }).toEqual({ ...before, deliveries: [] });

  const shown = await detail();
  expect(shown.deliveries).toMatchObject([{ state: 'delivered', attemptsCount: 2, status: null }]);
  expect(shown.timeline.at(-1)).toMatchObject({ kind: 'delivery', attemptsCount: 2, status: null });
  const request = (await owner.query('transaction.request', { merchantId, deliveryId })).value;
  expect(request).toMatchObject({ body: expect.stringContaining(id), attempts: [] });

  const line = (await owner.query('webhook.deliveries', { merchantId, limit: 10 })).value.rows;
  expect(line).toMatchObject([
    { deliveryId, state: 'delivered', attemptsCount: 2, status: null, error: null },
  ]);
  const delivery = (await owner.query('webhook.delivery', { merchantId, deliveryId })).value;
  expect(delivery).toMatchObject({ attemptsCount: 2, attempts: [], attemptsKeptDays: 90 });

  const again = (await command(`webhook resend ${deliveryId}`)).deliveryId;
  await until(async () => {
    const [first, second] = (await detail()).deliveries;
    return first?.status === null && second?.deliveryId === again && second.state === 'delivered';
  }, 'the second delivery');
  const bodies = receiver.requests.map(({ body }) => String(body));
  expect(new Set(bodies).size, 'the same bytes each time').toBe(1);
  expect(bodies).toHaveLength(3);
});

test('a callback repeated after the first one was pruned credits nothing twice', async () => {
  const { service, merchant: shop } = await startWithMerchant();
  const id = await shop.init();
  // Its callback comes three times.
  await shop.post('/payments/mbway', { transactionId: id, phoneNumber: '911000007' });
  await shop.reaches(id, 'paid');
  const { db } = service.app.deps;
  const notifications = () => selectRows(db, 'bank_hints');
  const [notification] = await until(async () => {
    const all = await notifications();
    return all.length > 0 && all.every(({ check_at }) => check_at === null) ? all : null;
  }, 'the callbacks to be settled');
  await pruneAll(service);
  expect(await notifications()).toEqual([]);
  const { antiPhishingKey } = await bankCredentials(service.app.deps, shop.merchantId);
  const query = new URLSearchParams({ ...JSON.parse(notification?.params ?? '{}'), key: antiPhishingKey });
  expect((await fetch(`${service.url}/callbacks/ifthenpay?${query}`)).status).toBe(200);
  await until(
    async () => (await notifications())[0]?.check_at === null,
    'the repeated callback to be settled',
  );
  const receipts = await selectRows(db, 'receipts', { transaction_id: id });
  expect(receipts).toHaveLength(1);
});
