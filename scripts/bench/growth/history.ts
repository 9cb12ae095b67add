import Sqlite from 'better-sqlite3';
import { readConfig } from '../../../src/config.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { type IdPrefix, idFloor } from '../../../src/kernel/ids.ts';
import { lisbonDay } from '../../../src/kernel/lisbon.ts';
import type { Installation } from '../service.ts';
import { integer, progress } from '../statistics.ts';

const YEAR_MS = 365 * DAY_MS;
const CHUNK_ROWS = 250_000;
const ID_DIGITS = 16;
const PRAGMAS = ['journal_mode = MEMORY', 'synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -200000'];
const INDEXES =
  "select name, sql from sqlite_master where type = 'index' and sql is not null order by tbl_name";

/**
 * Fills the database of a stopped service with a year of closed transactions, 80 % of them paid, each with its lead, attempt,
 * receipt, callback, event and delivery. Every second one belongs to the merchant, the others to 25 more. Writes without fsync and
 * recreates the indexes at the end.
 */
export function fillHistory({ url, env, merchantId }: Installation, accountId: string, rows: number): void {
  const { deliveryAttemptDays, bankHintDays } = readConfig(env).settings;
  const now = Date.now();
  const handle = new Sqlite(url.replace(/^sqlite:/, ''));
  for (const pragma of PRAGMAS) handle.pragma(pragma);
  handle.function('row_id', { deterministic: true }, (prefix, at, n) => {
    // An id in the service's format that encodes the time and number of its row.
    return idFloor(prefix as IdPrefix, Number(at)) + String(n).padStart(ID_DIGITS, '0');
  });
  handle.function('lisbon_day', { deterministic: true }, (at) => lisbonDay(Number(at)));
  const indexes = handle.prepare<[], { name: string; sql: string }>(INDEXES).all();
  handle.exec('begin');
  for (const { name } of indexes) handle.exec(`drop index ${name}`);
  handle.exec(TABLES);
  handle
    .prepare('insert into run values (?, ?, ?, ?, ?, ?)')
    .run([
      ...[merchantId, accountId, now - YEAR_MS, YEAR_MS / rows],
      ...[now - bankHintDays * DAY_MS, now - deliveryAttemptDays * DAY_MS],
    ]);
  for (let from = 1; from <= rows; from += CHUNK_ROWS) {
    const to = Math.min(rows, from + CHUNK_ROWS - 1);
    handle.exec(chunkSql(from, to));
    handle.exec(ROWS);
    progress(`growth: ${integer(to)} of ${integer(rows)} transactions written`);
  }
  handle.exec(TOTALS);
  for (const { sql } of indexes) handle.exec(sql);
  handle.exec('commit');
  handle.pragma('journal_mode = WAL');
  handle.close();
}

/** The values that all rows share, the rows of one chunk, and 25 more merchants. */
const TABLES = `
  create temp table run (own text, account text, since integer, gap real, hints_since integer, attempts_since integer);
  create temp table chunk (i integer primary key, at integer, merchant text, place integer, tx text, lead text, attempt text,
    event text, delivery text, status text, kind text, method text, cents integer,
    order_id text, bank_order text, request text, name text, email text, phone text);
  insert into merchants (id, name, active, hold, webhook_url, webhook_enabled, webhook_secret, created_at)
    with recursive n (i) as (select 0 union all select i + 1 from n where i < 24)
    select row_id('mer', 0, i), 'Other shop ' || i, 1, 0, null, 0, '', 0 from n;`;

/** Fills the table `chunk`, from which all rows of the transactions `from` to `to` derive. Order ids have equal length: none is a prefix of another. */
function chunkSql(from: number, to: number): string {
  return `
    delete from chunk;
    insert into chunk
      with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to}),
      dated (i, at, customer, status) as (
        select i, cast(since + i * gap as integer), iif(i % 2 = 0, i / 4 * 2, i),
          case i / 2 % 10 when 8 then 'failed' when 9 then 'cancelled' else 'paid' end from n, run)
      select i, at, iif(i % 2 = 0, own, row_id('mer', 0, (i % 50 - 1) / 2)), iif(i % 2 = 0, i / 2, i / 50 + 1),
        row_id('tx', at, i), row_id('led', since, customer), row_id('att', at, i), row_id('evt', at + 5000, i), row_id('dlv', at + 5000, i),
        status, iif(status = 'paid', 'payment.success', 'payment.' || status), iif(i / 2 % 10 in (6, 7), 'REFERENCE', 'MBWAY'), 100 + i % 9000,
        'PAST-' || printf('%08d', i), 'P' || printf('%014d', i), 'past-' || i,
        'Maria Silva ' || customer, 'maria.silva.' || customer || '@past.example', '91' || printf('%07d', customer % 10000000)
      from dated, run;`;
}

const ITEMS = `'[{"id":"MUG-1","name":"Enamel mug","quantity":1,"priceInCents":1250},{"id":"TEA-7","name":"Green tea from Gorreana, 100 g","quantity":2,"priceInCents":475}]'`;
const TRACKING = `'{"utm_source":"newsletter","utm_campaign":"autumn"}'`;
const ROWS = `
  insert or ignore into leads (id, merchant_id, identity, email, phone, name, first_seen_at, last_seen_at, orders_count, asked_cents,
      paid_count, paid_cents, items, tracking, campaign)
    select lead, merchant, 'email:' || email, email, phone, name, at, at, 2, 2 * cents, 2, 2 * cents, ${ITEMS}, ${TRACKING}, 'autumn' from chunk;
  insert into transactions (id, merchant_id, order_id, amount_cents, status, held, paid_at, paid_method, paid_attempt_id, store_domain,
      customer, items, tracking, lead_id, created_at, events_count)
    select tx, merchant, order_id, cents, status, 0, iif(status = 'paid', at + 4000, null), iif(status = 'paid', method, null),
      iif(status = 'paid', attempt, null), 'bench-shop.example',
      '{"name":"' || name || '","email":"' || email || '","phone":"' || phone || '","address":"Rua da Prata 80, 2 Esq","city":"Lisboa","postalCode":"1100-420","country":"PT"}',
      ${ITEMS}, ${TRACKING}, lead, at, 1 from chunk;
  insert into attempts (id, transaction_id, merchant_id, account_id, method, state, amount_cents, bank_order_id, request_id, phone_number,
      entity, reference, expires_at, created_at, accepted, silent_count, clear_reads, accepted_at, ended_at)
    select attempt, tx, merchant, account, method, case status when 'paid' then 'paid' when 'failed' then 'rejected' else 'lapsed' end, cents,
      bank_order, request, iif(method = 'MBWAY', phone, null), iif(method = 'REFERENCE', '11249', null),
      iif(method = 'REFERENCE', printf('%09d', i), null), at + 240000, at, 1, 0, 0, at + 100, at + 4000 from chunk, run;
  insert into receipts (id, identity, transaction_id, attempt_id, merchant_id, account_id, method, amount_cents, paid_at, recorded_at, late,
      duplicate, under, over, unmatched, request_id, bank_order_id, record)
    select row_id('rcp', at + 4000, i), request, tx, attempt, merchant, account, method, cents, at + 4000, at + 4000, 0, 0, 0, 0, 0,
      request, bank_order, '{"requestId":"' || request || '"}' from chunk, run where status = 'paid';
  insert into bank_hints (id, account_id, identity, bank_order_id, request_id, amount_cents, params, received_at, checks_count)
    select row_id('hnt', at + 4000, i), account, request, bank_order, request, cents, '{}', at + 4000, 1
    from chunk, run where status = 'paid' and at > hints_since;
  insert into events (id, merchant_id, transaction_id, kind, body, created_at, sequence)
    select event, merchant, tx, kind, '{"event":"' || kind || '","timestamp":"2026-01-15T12:00:00.000Z","data":{"id":"' || tx || '","externalOrderId":"' || order_id
      || '","amount":19.99,"currency":"EUR","paymentMethod":"MBWAY","status":"' || status || '","paidAt":"2026-01-15T12:00:00.000Z"}}', at + 5000, place from chunk;
  insert into deliveries (id, event_id, merchant_id, transaction_id, kind, state, lane_position, blocked, attempts_count, created_at, finished_at)
    select delivery, event, merchant, tx, kind, 'delivered', 1, 0, 1, at + 5000, at + 5100 from chunk;
  insert into delivery_attempts (delivery_id, merchant_id, number, started_at, duration_ms, status, response)
    select delivery, merchant, 1, at + 5000, 80, 200, 'ok' from chunk, run where at > attempts_since;`;

/** The counters and totals that the service maintains. */
const TOTALS = `
  insert into event_counters (merchant_id, last_sequence) select merchant_id, max(sequence) from events group by merchant_id;
  update merchants set first_paid_at = created_at where id in (select own from run);
  insert into daily_totals (merchant_id, day, created_count, created_cents, ended_count, ended_cents)
    select merchant_id, lisbon_day(created_at), count(*), sum(amount_cents), count(*), sum(amount_cents) from transactions group by 1, 2;
  insert into daily_method_totals (merchant_id, day, method, attempts_count, paid_count, paid_cents)
    select merchant_id, lisbon_day(created_at), method, count(*), sum(state = 'paid'), sum(iif(state = 'paid', amount_cents, 0))
    from attempts group by 1, 2, 3;`;
