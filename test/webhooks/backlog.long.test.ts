import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { newWebhookSecret } from '../../src/merchants/secrets.ts';
import * as due from '../../src/webhooks/delivery/due-store.ts';
import { temporaryFolder } from '../support/database.ts';
import { explainOn } from '../support/explained.ts';
import { freePort, run } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

/** The variable `DUE` changes the number. */
const DUE = Number(process.env.DUE ?? 150_000);
/** A backlog that is no burden, large enough not to end while it is watched. */
const FEW_DUE = 20_000;
/** The processor time for which the draining service is watched: on a busy machine, wall-clock time would say little. */
const WATCHED_CPU_SECONDS = 3;
/** How much more resident memory they may take than a few. */
const MORE_MB_MAX = 64;
const KEY = randomBytes(32);

/** A database with so many due deliveries of so many merchants, as the service itself would have written them. */
async function filled(folder: string, url: string, merchants: number, due: number): Promise<string> {
  const file = join(folder, `service-${merchants}-${due}.db`);
  await (await openDatabase(`sqlite:${file}`)).close();
  const handle = new Sqlite(file);
  for (const pragma of ['synchronous = OFF', 'journal_mode = OFF', 'foreign_keys = OFF'])
    handle.pragma(pragma);
  handle.pragma('cache_size = -200000');
  const box = createSecretBox(KEY, randomBytes);
  handle.exec('create temp table shops (place integer primary key, id text)');
  const shop = handle.prepare(
    `insert into merchants (id, name, active, hold, webhook_url, webhook_enabled, webhook_secret, created_at)
     values (?, 'Shop', 1, 0, ?, 1, ?, 0)`,
  );
  const place = handle.prepare('insert into shops values (?, ?)');
  for (let i = 0; i < merchants; i++) {
    const id = `mer_${String(i).padStart(26, '0')}`;
    shop.run(id, url, box.encrypt(newWebhookSecret(randomBytes), `merchants.webhook_secret:${id}`));
    place.run(i, id);
  }
  // Rows first, indexes afterwards: several times faster.
  const indexes = handle
    .prepare<[], { name: string; sql: string }>(
      `select name, sql from sqlite_master
       where type = 'index' and sql is not null and tbl_name in ('transactions', 'events', 'deliveries')`,
    )
    .all();
  handle.exec('begin');
  for (const { name } of indexes) handle.exec(`drop index ${name}`);
  handle.exec(rowsSql(merchants, due, Date.now() - 3_600_000));
  for (const { sql } of indexes) handle.exec(sql);
  handle.exec('commit');
  handle.close();
  return file;
}

function rowsSql(merchants: number, due: number, since: number): string {
  return `
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${due})
    insert into transactions (id, merchant_id, order_id, amount_cents, status, held, paid_at, paid_method, store_domain, created_at, events_count)
    select 'tx_' || printf('%026d', i), shops.id, 'order-' || i, 1999, 'paid', 0, ${since}, 'MBWAY', 'shop.pt', ${since} + i, 1
    from n join shops on shops.place = i % ${merchants};
    insert into events (id, merchant_id, transaction_id, kind, body, created_at, sequence)
    select 'evt_' || substr(id, 4), merchant_id, id, 'payment.success',
      '{"event":"payment.success","timestamp":"2026-01-15T12:00:00.000Z","data":{"id":"' || id || '","externalOrderId":"' || order_id ||
      '","amount":19.99,"currency":"EUR","paymentMethod":"MBWAY","status":"paid","paidAt":"2026-01-15T12:00:00.000Z"}}',
      created_at, row_number() over (partition by merchant_id order by id)
    from transactions;
    insert into event_counters (merchant_id, last_sequence) select merchant_id, count(*) from events group by merchant_id;
    insert into deliveries (id, event_id, merchant_id, transaction_id, kind, state, lane_position, blocked, attempts_count, next_attempt_at, created_at)
    select 'dlv_' || substr(id, 5), id, merchant_id, transaction_id, kind, 'due', 1, 0, 0, created_at, created_at from events;`;
}

interface Drain {
  /** From the start of the process to the first request. */
  firstMs: number;
  sent: number;
  /** The most resident memory that was seen. */
  residentMb: number;
}

/** Starts the service on this database and watches it send for this processor time. */
async function drain(
  folder: string,
  file: string,
  receiver: Receiver,
  watchedSeconds = WATCHED_CPU_SECONDS,
): Promise<Drain> {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const ca = join(folder, 'receiver.pem');
  writeFileSync(ca, receiver.ca);
  receiver.requests.length = 0;
  const startedAt = Date.now();
  const service = run('src/main.ts', [], {
    SERVICE_DATABASE_URL: `sqlite:${file}`,
    SERVICE_PORT: String(port),
    SERVICE_SANDBOX_PORT: String(sandboxPort),
    SERVICE_SECRET_KEY: KEY.toString('base64'),
    SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    SERVICE_SEED_DEMO: 'false',
    SERVICE_LOG_LEVEL: 'warn',
    NODE_EXTRA_CA_CERTS: ca,
  });
  await until(() => receiver.requests.length > 0, 'the first delivery', 60_000);
  const firstMs = (receiver.requests[0]?.at ?? 0) - startedAt;
  const { cpuSeconds, ...first } = await usageOf(port);
  let { residentMb } = first;
  await until(
    async () => {
      const now = await usageOf(port);
      residentMb = Math.max(residentMb, now.residentMb);
      return now.cpuSeconds >= cpuSeconds + watchedSeconds;
    },
    'the watched time to be over',
    60_000,
  );
  const sent = receiver.requests.length;
  service.kill('SIGKILL');
  await service.ended;
  return { firstMs, sent, residentMb };
}

async function usageOf(port: number): Promise<{ residentMb: number; cpuSeconds: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^pcs_process_${name} (\\S+)`, 'm').exec(text)?.[1]);
  return {
    residentMb: metric('resident_memory_bytes') / 2 ** 20,
    cpuSeconds: metric('cpu_seconds_total'),
  };
}

/** How the engine would find what the dispatcher asks for, on this very file. */
async function plans(file: string): Promise<string[]> {
  const handle = new Sqlite(file);
  const { db, explained } = explainOn(handle);
  const now = Date.now();
  const [first] = await due.dueHead(db, { now }, 'fresh', 1);
  if (!first) throw new Error('nothing is due');
  await due.dueOfMerchant(db, { merchantId: first.merchant_id, now }, 'fresh', 10);
  await due.walkMerchants(db, { after: '', now, limit: 10 }, 'fresh');
  await due.nextDueAt(db, now);
  await due.queueState(db, now);
  handle.close();
  return explained.flatMap(({ plan }) => plan);
}

test(`${DUE} due deliveries, of one merchant or of 200, are sent from the start, in bounded memory, without a table scan`, async () => {
  const folder = temporaryFolder();
  const receiver = await startReceiver();
  const empty = await drain(folder, await filled(folder, receiver.url, 1, 1), receiver, 0);
  for (const merchants of [1, 200]) {
    const few = await drain(folder, await filled(folder, receiver.url, merchants, FEW_DUE), receiver);
    const file = await filled(folder, receiver.url, merchants, DUE);
    const found = await plans(file);
    expect(found.filter((detail) => /^SCAN deliveries|TEMP B-TREE/.test(detail))).toEqual([]);
    const { firstMs, sent, residentMb } = await drain(folder, file, receiver);
    const shown =
      `${merchants} merchants: first after ${firstMs} ms (empty: ${empty.firstMs}), ${sent} sent (few due: ${few.sent}), ` +
      `at most ${Math.round(residentMb)} MB resident (few due: ${Math.round(few.residentMb)})`;
    expect(firstMs, shown).toBeLessThan(3 * empty.firstMs + 2000);
    expect(sent, shown).toBeGreaterThan(few.sent / 3);
    expect(residentMb - few.residentMb, shown).toBeLessThan(MORE_MB_MAX);
    process.stdout.write(`${shown}\n`);
    rmSync(file);
  }
});
