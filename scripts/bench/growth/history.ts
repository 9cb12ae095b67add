import Sqlite from 'better-sqlite3';
import type { Settings } from '../../../src/config.ts';
import { type IdPrefix, idFloor } from '../../../src/kernel/ids.ts';
import { lisbonDay } from '../../../src/kernel/lisbon.ts';
import { integer, progress } from '../statistics.ts';

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const CHUNK_ROWS = 250_000;
const ID_DIGITS = 16;
const CACHE_KIB = 200_000;
/** Every second transaction belongs to the measured merchant, the others to these merchants. */
const OTHERS = 25;

export interface History {
  readonly file: string;
  readonly merchantId: string;
  /** The bank account of all attempts. */
  readonly accountId: string;
  readonly rows: number;
  /** The number of days for which the service keeps delivery attempts and callbacks. */
  readonly retention: Pick<Settings, 'deliveryAttemptDays' | 'bankHintDays'>;
}

/**
 * Fills the database of a stopped service with a year of closed transactions, 80 % of them paid, each with its lead, attempt,
 * receipt, callback, event and delivery. Writes without fsync and recreates the indexes at the end.
 */
export function fillHistory({ file, merchantId, accountId, rows, retention }: History): void {
  const now = Date.now();
  const since = now - YEAR_MS;
  const recent = (days: number) => `at > ${now - days * DAY_MS}`;
  const statements = rowsSql(
    accountId,
    recent(retention.bankHintDays),
    recent(retention.deliveryAttemptDays),
  );
  const handle = new Sqlite(file);
  for (const pragma of ['journal_mode = MEMORY', 'synchronous = OFF', 'foreign_keys = OFF'])
    handle.pragma(pragma);
  handle.pragma(`cache_size = -${CACHE_KIB}`);
  handle.function('row_id', { deterministic: true }, (prefix, at, n) =>
    rowId(String(prefix), Number(at), Number(n)),
  );
  handle.function('lisbon_day', { deterministic: true }, (at) => lisbonDay(Number(at)));
  const indexes = handle
    .prepare<[], { name: string; sql: string }>(
      "select name, sql from sqlite_master where type = 'index' and sql is not null order by tbl_name",
    )
    .all();
  handle.exec('begin');
  for (const { name } of indexes) handle.exec(`drop index ${name}`);
  handle.exec(merchantsSql(merchantId));
  for (let from = 1; from <= rows; from += CHUNK_ROWS) {
    const to = Math.min(rows, from + CHUNK_ROWS - 1);
    handle.exec(numbersSql(merchantId, from, to, since, YEAR_MS / rows));
    for (const statement of statements) handle.exec(statement);
    if (rows > CHUNK_ROWS) progress(`growth: ${integer(to)} of ${integer(rows)} transactions written`);
  }
  for (const statement of totalsSql()) handle.exec(statement);
  for (const { sql } of indexes) handle.exec(sql);
  handle.exec('commit');
  handle.pragma('journal_mode = WAL');
  handle.close();
}

/** Returns an id in the service's format that encodes the time and number of its row. */
function rowId(prefix: string, at: number, n: number): string {
  return `${idFloor(prefix as IdPrefix, at)}${String(n).padStart(ID_DIGITS, '0')}`;
}

function merchantsSql(merchantId: string): string {
  return `
    insert into merchants (id, name, active, hold, webhook_url, webhook_enabled, webhook_secret, created_at)
      with recursive n (i) as (select 0 union all select i + 1 from n where i < ${OTHERS - 1})
      select row_id('mer', 0, i), 'Other shop ' || i, 1, 0, null, 0, '', 0 from n;
    create temp table chunk (i integer primary key, at integer, merchant text, place integer, tx text, lead text, attempt text,
      event text, delivery text, status text, method text, cents integer, customer integer);
    create temp table own (id text);
    insert into own values ('${merchantId}');`;
}

/** Fills the temporary table `chunk`, from which all rows of the transactions `from` to `to` derive. */
function numbersSql(merchantId: string, from: number, to: number, since: number, gapMs: number): string {
  return `
    delete from chunk;
    insert into chunk
      with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to}),
      dated (i, at) as (select i, cast(${since} + i * ${gapMs} as integer) from n)
      select i, at,
        case i % 2 when 0 then '${merchantId}' else row_id('mer', 0, (i % ${2 * OTHERS} - 1) / 2) end,
        case i % 2 when 0 then i / 2 else i / ${2 * OTHERS} + 1 end,
        row_id('tx', at, i), row_id('led', ${since}, iif(i % 2 = 0, i / 4 * 2, i)), row_id('att', at, i), row_id('evt', at + 5000, i), row_id('dlv', at + 5000, i),
        case i / 2 % 10 when 8 then 'failed' when 9 then 'cancelled' else 'paid' end,
        case when i / 2 % 10 < 6 or i / 2 % 10 > 7 then 'MBWAY' else 'REFERENCE' end,
        100 + i % 9000, iif(i % 2 = 0, i / 4 * 2, i)
      from dated;`;
}

/** Order ids of equal length: none is a prefix of another. */
const ORDER = `'PAST-' || printf('%08d', i)`;
const CUSTOMER = `'{"name":"Maria Silva ' || customer || '","email":"maria.silva.' || customer || '@past.example","phone":"91' || printf('%07d', customer % 10000000)
  || '","address":"Rua da Prata 80, 2 Esq","city":"Lisboa","postalCode":"1100-420","country":"PT"}'`;
const ITEMS = `'[{"id":"MUG-1","name":"Enamel mug","quantity":1,"priceInCents":1250},{"id":"TEA-7","name":"Green tea from Gorreana, 100 g","quantity":2,"priceInCents":475}]'`;
const TRACKING = `'{"utm_source":"newsletter","utm_campaign":"autumn"}'`;
const KIND = `case status when 'paid' then 'payment.success' when 'failed' then 'payment.failed' else 'payment.cancelled' end`;

function rowsSql(accountId: string, recentHint: string, recentAttempt: string): string[] {
  const body = `'{"event":"' || ${KIND} || '","timestamp":"2026-01-15T12:00:00.000Z","data":{"id":"' || tx || '","externalOrderId":"' || ${ORDER}
    || '","amount":19.99,"currency":"EUR","paymentMethod":"MBWAY","status":"' || status || '","paidAt":"2026-01-15T12:00:00.000Z"}}'`;
  return [
    `insert or ignore into leads (id, merchant_id, identity, email, phone, name, first_seen_at, last_seen_at, orders_count, asked_cents,
       paid_count, paid_cents, items, tracking, campaign)
     select lead, merchant, 'email:maria.silva.' || customer || '@past.example', 'maria.silva.' || customer || '@past.example',
       '91' || printf('%07d', customer % 10000000), 'Maria Silva ' || customer, at, at, 2, 2 * cents, 2, 2 * cents, ${ITEMS}, ${TRACKING}, 'autumn' from chunk`,
    `insert into transactions (id, merchant_id, order_id, amount_cents, status, held, paid_at, paid_method, paid_attempt_id, store_domain,
       customer, items, tracking, lead_id, created_at, events_count)
     select tx, merchant, ${ORDER}, cents, status, 0, iif(status = 'paid', at + 4000, null), iif(status = 'paid', method, null),
       iif(status = 'paid', attempt, null), 'bench-shop.example', ${CUSTOMER}, ${ITEMS}, ${TRACKING}, lead, at, 1 from chunk`,
    `insert into attempts (id, transaction_id, merchant_id, account_id, method, state, amount_cents, bank_order_id, request_id, phone_number,
       entity, reference, expires_at, created_at, accepted, silent_count, clear_reads, accepted_at, ended_at)
     select attempt, tx, merchant, '${accountId}', method, case status when 'paid' then 'paid' when 'failed' then 'rejected' else 'lapsed' end, cents,
       'P' || printf('%014d', i), 'past-' || i, iif(method = 'MBWAY', '91' || printf('%07d', customer % 10000000), null),
       iif(method = 'REFERENCE', '11249', null), iif(method = 'REFERENCE', printf('%09d', i), null), at + 240000, at, 1, 0, 0, at + 100, at + 4000 from chunk`,
    `insert into receipts (id, identity, transaction_id, attempt_id, merchant_id, account_id, method, amount_cents, paid_at, recorded_at, late,
       duplicate, under, over, unmatched, request_id, bank_order_id, record)
     select row_id('rcp', at + 4000, i), 'past:' || i, tx, attempt, merchant, '${accountId}', method, cents, at + 4000, at + 4000, 0, 0, 0, 0, 0,
       'past-' || i, 'P' || printf('%014d', i), '{"requestId":"past-' || i || '"}' from chunk where status = 'paid'`,
    `insert into bank_hints (id, account_id, identity, bank_order_id, request_id, amount_cents, params, received_at, checks_count)
     select row_id('hnt', at + 4000, i), '${accountId}', 'past:' || i, 'P' || printf('%014d', i), 'past-' || i, cents, '{}', at + 4000, 1 from chunk where status = 'paid' and ${recentHint}`,
    `insert into events (id, merchant_id, transaction_id, kind, body, created_at, sequence)
     select event, merchant, tx, ${KIND}, ${body}, at + 5000, place from chunk`,
    `insert into deliveries (id, event_id, merchant_id, transaction_id, kind, state, lane_position, blocked, attempts_count, created_at, finished_at)
     select delivery, event, merchant, tx, ${KIND}, 'delivered', 1, 0, 1, at + 5000, at + 5100 from chunk`,
    `insert into delivery_attempts (delivery_id, merchant_id, number, started_at, duration_ms, status, response)
     select delivery, merchant, 1, at + 5000, 80, 200, 'ok' from chunk where ${recentAttempt}`,
  ];
}

/** Fills the counters and totals that the service maintains. */
function totalsSql(): string[] {
  return [
    'insert into event_counters (merchant_id, last_sequence) select merchant_id, max(sequence) from events group by merchant_id',
    `update merchants set first_paid_at = created_at where id in (select id from own)`,
    `insert into daily_totals (merchant_id, day, created_count, created_cents, ended_count, ended_cents)
     select merchant_id, lisbon_day(created_at), count(*), sum(amount_cents), count(*), sum(amount_cents)
     from transactions group by 1, 2`,
    `insert into daily_method_totals (merchant_id, day, method, attempts_count, paid_count, paid_cents)
     select merchant_id, lisbon_day(created_at), method, count(*), sum(state = 'paid'), sum(iif(state = 'paid', amount_cents, 0))
     from attempts group by 1, 2, 3`,
  ];
}
