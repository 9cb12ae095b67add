import Sqlite from 'better-sqlite3';
import { lisbonDay } from '../../src/kernel/lisbon.ts';
import type { Rows } from './generate.ts';

const CACHE_KIB = 1024 * 1024;
const PAID =
  "select min(created_at) from events e where e.merchant_id = merchants.id and kind = 'payment.success'";
/** The times at which a shop called the API: each init and each method step. */
const CALLS =
  'select merchant_id, created_at from transactions union all select merchant_id, created_at from attempts';
const DERIVED = [
  // The identity that the acquirers' adapters give a payment by MB WAY.
  `update receipts set identity = (select acquirer from bank_accounts a where a.id = account_id) || ':' || request_id
   where method = 'MBWAY' and request_id is not null`,
  `update events set sequence = numbered.number
   from (select id, row_number() over (partition by merchant_id order by created_at, id) as number from events) numbered
   where numbered.id = events.id`,
  `update merchants set first_paid_at = (${PAID})`,
  'insert into event_counters (merchant_id, last_sequence) select merchant_id, max(sequence) from events group by 1',
  `insert into daily_totals (merchant_id, day, created_count, created_cents, ended_count, ended_cents)
   select merchant_id, day, sum(created), sum(created * cents), sum(ended), sum(ended * cents) from (
     select merchant_id, lisbon_day(created_at) as day, amount_cents as cents, 1 as created, 0 as ended from transactions
     union all select t.merchant_id, lisbon_day(min(e.created_at)), t.amount_cents, 0, 1
       from transactions t join events e on e.transaction_id = t.id group by t.id)
   group by 1, 2`,
  `insert into daily_method_totals (merchant_id, day, method, attempts_count, paid_count, paid_cents)
   select merchant_id, day, method, sum(attempt), sum(1 - attempt), sum((1 - attempt) * cents) from (
     select merchant_id, lisbon_day(created_at) as day, method, 1 as attempt, 0 as cents from attempts where accepted = 1
     union all select merchant_id, lisbon_day(paid_at), paid_method, 0, amount_cents from transactions where status = 'paid')
   group by 1, 2, 3`,
  `update leads set (last_seen_at, orders_count, asked_cents, paid_count, paid_cents) = (
     select max(created_at), count(*), sum(amount_cents), sum(status = 'paid'), sum(iif(status = 'paid', amount_cents, 0))
     from transactions t where t.lead_id = leads.id)`,
  `update leads set items = (select items from transactions t where t.lead_id = leads.id order by id desc limit 1),
   tracking = (select tracking from transactions t where t.lead_id = leads.id and tracking is not null order by id desc limit 1),
   campaign = (select tracking ->> 'utm_campaign' from transactions t where t.lead_id = leads.id
     and tracking ->> 'utm_campaign' is not null order by id desc limit 1)`,
  `update api_keys set last_used_at = (select max(created_at) from (${CALLS}) c where c.merchant_id = api_keys.merchant_id
   and c.created_at >= api_keys.created_at and c.created_at < coalesce(api_keys.expires_at, 9e15))`,
  'analyze',
];

/** Inserts the rows without waiting for the disk. */
export function insertRows(file: string, rows: Rows): void {
  withFile(file, (db) => {
    for (const [table, list] of Object.entries(rows)) {
      const columns = Object.keys(list[0] ?? {});
      if (columns.length === 0) continue;
      const values = columns.map((name) => `@${name}`).join(', ');
      const statement = db.prepare(`insert into ${table} (${columns.join(', ')}) values (${values})`);
      for (const row of list) statement.run(row);
    }
  });
}

/** Derives the totals, counters and times that the service maintains. */
export function deriveTotals(file: string): void {
  withFile(file, (db) => {
    db.function('lisbon_day', { deterministic: true }, (at: unknown) => lisbonDay(Number(at)));
    for (const statement of DERIVED) db.exec(statement);
  });
}

function withFile(file: string, write: (db: Sqlite.Database) => void): void {
  const db = new Sqlite(file);
  try {
    db.pragma('synchronous = OFF');
    // Large enough to keep the indexes in memory, because ids and search keys are inserted in random order.
    db.pragma(`cache_size = -${CACHE_KIB}`);
    db.pragma('foreign_keys = OFF');
    db.transaction(write)(db);
    if (db.pragma('foreign_key_check', { simple: true }) !== undefined)
      throw new Error('a generated row refers to none');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}
