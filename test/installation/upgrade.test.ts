import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { copyDatabase } from '../../src/installation/copy/copy.ts';
import { openSource } from '../../src/installation/copy/source-store.ts';
import { type Clock, DAY_MS, systemClock } from '../../src/kernel/clock.ts';
import { showTransaction } from '../../src/payments/show.ts';
import { transactionEvents } from '../../src/webhooks/history.ts';
import { visitor } from '../backoffice/support.ts';
import { databaseUrl, engine, temporaryFolder } from '../support/database.ts';
import { api, startService } from '../support/harness.ts';
import { checkTotals } from '../support/recount.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

/** What the version of the service that wrote the database knew of it. */
interface Known {
  madeAt: number;
  secretKey: string;
  shop: { merchantId: `mer_${string}`; apiKey: string; webhookSecret: string };
  password: string;
  ids: Record<'paid' | 'failed' | 'referenced' | 'keyed' | 'waiting' | 'due', `tx_${string}`>;
  live: { reference: string };
  statuses: Record<string, { paidAt?: string }>;
}

/** The clock of a service that starts a few seconds after the database was written. */
function clockFrom(madeAt: number): Clock {
  const offset = Date.now() - madeAt;
  return { ...systemClock, now: () => Date.now() - offset };
}

/** Restores the database of that version; on PostgreSQL it arrives by `copy`, as an installation would. */
async function restore(folder: string, webhookUrl: string): Promise<void> {
  const file = engine === 'sqlite' ? join(folder, 'service.db') : join(folder, 'old.db');
  const handle = new Sqlite(file);
  const dump = readFileSync(join(FIXTURES, '2026-11-22.sql'), 'utf8');
  handle.exec(dump.replaceAll('https://WEBHOOK', webhookUrl));
  // That version counted money on the day of its event, and attempts that the bank did not accept.
  handle.exec(`update transactions set paid_at = paid_at - ${DAY_MS} where order_id = 'PAID-1'`);
  handle.exec(`
    insert into attempts (id, transaction_id, merchant_id, account_id, method, state, amount_cents, bank_order_id,
        created_at, accepted, silent_count, clear_reads)
      select 'att_refused', transaction_id, merchant_id, account_id, method, 'failed', amount_cents, 'refused', created_at, 0, 0, 0
      from attempts where state = 'rejected';
    update daily_method_totals set attempts_count = attempts_count + 1 where method = 'MBWAY'`);
  handle.close();
  if (engine === 'sqlite') return;
  await (await openDatabase(`sqlite:${file}`)).close();
  const source = await openSource(`sqlite:${file}`);
  const target = await openDatabase(await databaseUrl(folder, onTestFinished));
  await copyDatabase(source, target, { to: 'the server', onProgress() {}, finish: async () => {} });
  await target.close();
  await source.close();
}

test('a database of the version of 2026-11-22 is served as before, sends its due delivery and takes new payments', async () => {
  const known: Known = JSON.parse(readFileSync(join(FIXTURES, '2026-11-22.json'), 'utf8'));
  const { shop, ids } = known;
  const receiver = await startReceiver();
  const folder = temporaryFolder();
  await restore(folder, receiver.url);
  const service = await startService({
    folder,
    clock: clockFrom(known.madeAt),
    webhookCa: receiver.ca,
    env: { SERVICE_SECRET_KEY: known.secretKey, SERVICE_SEED_DEMO: 'false' },
  });
  const { db } = service.app.deps;
  const merchant = api(service.url, shop.apiKey);

  const dayBefore = new Date(Date.parse(known.statuses[ids.paid]?.paidAt ?? '') - DAY_MS).toISOString();
  known.statuses[ids.paid] = { ...known.statuses[ids.paid], paidAt: dayBefore };
  for (const [id, status] of Object.entries(known.statuses))
    expect(await merchant.status(id)).toEqual(status);
  await checkTotals(db.read);
  const { receipts } = await showTransaction(service.app.deps, ids.referenced);
  expect(receipts.map(({ flags }) => flags)).toEqual([[], ['duplicate']]);

  // The last of four attempts was still to be made.
  await until(() => receiver.requests.length === 1, 'the due delivery');
  const delivery = receiver.requests[0];
  const body = delivery?.body ?? '';
  expect(JSON.parse(body.toString()).data.id).toBe(ids.due);
  const signature = createHmac('sha256', shop.webhookSecret).update(body).digest('hex');
  expect(delivery?.headers['x-service-signature']).toContain(signature);
  await until(async () => {
    const { deliveries } = await transactionEvents(db.read, ids.due);
    return deliveries[0]?.state === 'delivered';
  }, 'its end to be recorded');

  const input = {
    orderId: 'KEYED-1',
    amount: 7,
    storeUrl: 'https://shop.pt',
    customer: { name: 'Eva', email: 'eva@example.pt' },
    items: [{ id: 1, name: 'Chá', quantity: 1, price: 7 }],
  };
  const replayed = await merchant.post('/payments/init', input, { 'idempotency-key': 'kept' });
  expect([replayed.body.transactionId, replayed.headers.get('idempotency-replayed')]).toEqual([
    ids.keyed,
    'true',
  ]);
  const live = await merchant.post('/payments/multibanco', { transactionId: ids.waiting });
  expect(live.body).toMatchObject(known.live);

  await merchant.pay({ orderId: 'NEW-1' });
  await until(() => receiver.requests.length === 2, 'the event of the new payment');
  await checkTotals(db.read);

  const owner = visitor(service.url);
  expect((await owner.signIn('ana@loja.pt', known.password)).value).toMatchObject({ outcome: 'signed_in' });
});
