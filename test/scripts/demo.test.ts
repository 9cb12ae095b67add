import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { fillDemo, removeDemo } from '../../scripts/demo/fill.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/open.ts';
import { cents } from '../../src/kernel/money.ts';
import { signedIn } from '../backoffice/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { run } from '../support/process.ts';
import { checkTotals } from '../support/recount.ts';
import { selectRows } from '../support/rows.ts';
import { until } from '../support/until.ts';

const UNTIL = Date.UTC(2026, 4, 20, 21, 30);
const COUNT = 1500;
const CHEAP = 4;

const file = join(temporaryFolder(afterAll), 'demo.db');
const logins = await fillDemo(options(file, COUNT));
const db = new Sqlite(file, { readonly: true });
afterAll(() => db.close());

function options(target: string, count: number) {
  const config = readConfig({ SERVICE_DATABASE_URL: `sqlite:${target}` });
  return { file: target, config, seed: 'test', count, until: UNTIL, passwordCost: CHEAP };
}

/** The rows of a query that must find nothing. */
const none = (query: string) => expect(db.prepare(query).all(), query).toEqual([]);
const count = (query: string) => Number(db.prepare(`select count(*) from ${query}`).pluck().get());

test('the data has every state, flag, ending and role', () => {
  const distinct = (query: string) => new Set(db.prepare(query).pluck().all());
  expect(count('transactions')).toBeGreaterThanOrEqual(COUNT - 2);
  expect(distinct('select status from transactions')).toEqual(
    new Set(['pending', 'paid', 'failed', 'cancelled']),
  );
  expect(distinct('select state from attempts')).toEqual(
    new Set(['open', 'paid', 'rejected', 'declined', 'lapsed', 'expired', 'dead']),
  );
  expect(distinct('select state from deliveries')).toEqual(new Set(['delivered', 'undelivered', 'skipped']));
  for (const flag of ['late', 'duplicate', 'under', 'over', 'unmatched']) {
    expect(count(`receipts where ${flag} = 1`), flag).toBeGreaterThan(0);
  }
  expect(count('transactions where held = 1')).toBeGreaterThan(0);
  expect(count('receipts where settlement is not null')).toBeGreaterThan(0);
  expect(distinct('select state from refunds')).toEqual(
    new Set(['done', 'failed', 'unknown', 'awaiting_transfer']),
  );
  expect(distinct('select acquirer from receipts join bank_accounts a on a.id = account_id')).toEqual(
    new Set(['ifthenpay', 'eupago']),
  );
  expect(distinct('select action from audit_log')).toContain('transaction.released');
  expect(logins.map(({ role }) => role).sort()).toEqual(['operator', 'owner', 'owner', 'owner', 'viewer']);
});

test('each change of status has one event, events are numbered without gaps, and a payment has one success event', () => {
  none(`select t.id from transactions t left join events e on e.transaction_id = t.id
        group by t.id having count(e.id) <> t.events_count`);
  none(`select t.id from transactions t left join events e on e.transaction_id = t.id and e.kind = 'payment.success'
        group by t.id having (t.status = 'paid') <> (count(e.id) = 1)`);
  none(`select t.id from transactions t where status in ('failed', 'cancelled')
        and not exists (select 1 from events e where e.transaction_id = t.id and e.kind = 'payment.' || t.status)`);
  none(
    `select id from transactions where status = 'pending' and held = 0 and (events_count > 0 or deadline_at is null)`,
  );
  none(`select merchant_id from events group by merchant_id
        having min(sequence) <> 1 or max(sequence) <> count(*) or count(distinct sequence) <> count(*)
        or max(sequence) <> (select last_sequence from event_counters c where c.merchant_id = events.merchant_id)`);
});

test('every delivery is finished, in order, with its attempts', () => {
  none(
    `select id from deliveries where state = 'due' or blocked <> 0 or finished_at is null or next_attempt_at is not null`,
  );
  none(`select d.id from deliveries d left join delivery_attempts a on a.delivery_id = d.id
        group by d.id having count(a.number) <> d.attempts_count`);
  none(`select e.id from events e where not exists
        (select 1 from deliveries d where d.event_id = e.id and d.lane_position is not null)`);
  none(`select a.id from deliveries a join deliveries b on b.transaction_id = a.transaction_id
        and b.lane_position = a.lane_position + 1 where a.finished_at > b.finished_at`);
  none(`select delivery_id from delivery_attempts a where error is not null and number < 4 and not exists
        (select 1 from delivery_attempts n where n.delivery_id = a.delivery_id and n.number = a.number + 1)`);
});

test('every paid transaction has a receipt of its full amount', () => {
  none(`select t.id from transactions t where (status = 'paid' or held = 1)
        and not exists (select 1 from receipts r where r.transaction_id = t.id and r.amount_cents >= t.amount_cents)`);
  none(`select t.id from transactions t where status <> 'paid' and held = 0
        and exists (select 1 from receipts r where r.transaction_id = t.id and r.amount_cents >= t.amount_cents)`);
  none(`select r.id from receipts r join attempts a on a.id = r.attempt_id
        where a.transaction_id <> r.transaction_id or a.bank_order_id <> r.bank_order_id`);
  none(`select id from attempts where state <> 'open' and (check_at is not null or ended_at is null)`);
});

test('refunds stay within their receipts, and fees add up where they are known', () => {
  none(`select r.id from receipts r where refund_cents <>
        (select coalesce(sum(amount_cents), 0) from refunds f where f.receipt_id = r.id and state <> 'failed')`);
  none(`select f.id from refunds f join receipts r on r.id = f.receipt_id where f.merchant_id is not r.merchant_id
        or f.created_at < r.recorded_at or f.state in ('requested', 'sent', 'accepted')`);
  none('select id from receipts where net_cents is not null and fee_cents + net_cents <> amount_cents');
  expect(count('receipts where fee_cents is not null')).toBeGreaterThan(COUNT / 3);
  expect(count('receipts where fee_cents is null')).toBeGreaterThan(0);
});

test('the stored totals are the sums of the rows', async () => {
  none(`select l.id from leads l left join transactions t on t.lead_id = l.id group by l.id
        having count(t.id) <> orders_count or sum(t.amount_cents) <> asked_cents
        or sum(t.status = 'paid') <> paid_count or sum(iif(t.status = 'paid', t.amount_cents, 0)) <> paid_cents`);
  none(`select m.id from merchants m where first_paid_at <>
        (select min(created_at) from events e where e.merchant_id = m.id and kind = 'payment.success')`);
  const stored = await openDatabase(`sqlite:${file}`);
  onTestFinished(() => stored.close());
  await checkTotals(stored.read);
});

test('keys were used and users signed in', () => {
  expect(count('api_keys')).toBeGreaterThan(3);
  none(`select id from api_keys where last_used_at is null or last_used_at < created_at or last_used_at > ${UNTIL}
        or last_used_at >= expires_at`);
  none(`select id from audit_log where action = 'user.signed_in'
        and (target not like 'ses_%' or details is not null or user_id is null or address is null)`);
  none(`select u.id from users u where signed_in_at is not
        (select max(at) from audit_log where user_id = u.id and action = 'user.signed_in')`);
});

test('nothing is in the future and no URL or e-mail address is real', () => {
  expect(db.pragma('foreign_key_check')).toEqual([]);
  for (const [table, column] of [
    ['transactions', 'created_at'],
    ['events', 'created_at'],
    ['receipts', 'recorded_at'],
    ['deliveries', 'finished_at'],
    ['audit_log', 'at'],
  ]) {
    none(`select id from ${table} where ${column} > ${UNTIL}`);
  }
  none(`select webhook_url from merchants where webhook_url not like 'https://127.0.0.1:%'`);
  none(`select email from leads where email not like '%.example'`);
  none(`select email from users where email not like '%.example'`);
});

test('the same seed creates the same orders, another seed other orders', async () => {
  const made = async (seed: string) => {
    const target = join(temporaryFolder(), 'service.db');
    await fillDemo({ ...options(target, 60), seed });
    const handle = new Sqlite(target, { readonly: true });
    onTestFinished(() => void handle.close());
    return handle
      .prepare(
        `select order_id, t.amount_cents, status, customer, t.created_at, paid_at, group_concat(state) as states
         from transactions t left join attempts a on a.transaction_id = t.id group by t.id order by t.id`,
      )
      .all();
  };
  const first = await made('a');
  expect(await made('a')).toEqual(first);
  expect(await made('b')).not.toEqual(first);
});

test('the bank knows the payments by MB WAY: they can be refunded, and none is taken for new money', async () => {
  const folder = temporaryFolder();
  const target = join(folder, 'service.db');
  await fillDemo({ ...options(target, 300), until: Date.now() });
  const { app, url } = await startService({ folder });
  const { read } = app.deps.db;
  const receipts = async () => (await selectRows(app.deps.db, 'receipts')).length;
  const before = await receipts();
  const operator = await signedIn({ app, url }, { role: 'operator' });
  for (const acquirer of ['ifthenpay', 'eupago'] as const) {
    const { id, amount_cents } = await read
      .selectFrom('receipts')
      .innerJoin('bank_accounts', 'bank_accounts.id', 'account_id')
      .innerJoin('transactions', 'transactions.id', 'receipts.transaction_id')
      .select(['receipts.id', 'receipts.amount_cents'])
      .where('held', '=', 0)
      .where('acquirer', '=', acquirer)
      .where('method', '=', 'MBWAY')
      .where('refund_cents', '=', cents(0))
      .where('settlement', 'is', null)
      .where('under', '=', 0)
      .orderBy('receipts.id', 'desc')
      .executeTakeFirstOrThrow();
    const of = { merchantId: null, receiptId: id };
    const refund = await operator.mutate('refunds.create', { ...of, amountCents: amount_cents });
    expect(refund.status).toBe(200);
    await until(async () => {
      const { value } = await operator.query('refunds.ofReceipt', of);
      return value.refunds[0]?.state === 'done';
    }, `the refund by ${acquirer}`);
  }
  await until(async () => {
    const accounts = await selectRows(app.deps.db, 'bank_accounts');
    return accounts.every(({ list_read_at }) => list_read_at !== null);
  }, 'the lists of payments to be read');
  expect(await receipts()).toEqual(before);
});

test('the command takes its options, and the service starts on what it made', async () => {
  const env = { SERVICE_PORT: '0', SERVICE_SANDBOX_PORT: '0' };
  const target = join(temporaryFolder(), 'service.db');
  const program = run('scripts/demo/main.ts', ['--file', target, '--count', '20'], env);
  await until(() => program.out().includes('Back office    http://'), 'the start');
});

test('a file with rows is refused, and only a file that the demo created is removed', async () => {
  await expect(fillDemo(options(file, 5))).rejects.toThrow(/has rows already.*--force/);
  const foreign = join(temporaryFolder(), 'service.db');
  await (await openDatabase(`sqlite:${foreign}`)).close();
  await expect(removeDemo(foreign)).rejects.toThrow(/not made by this command/);
  const text = join(temporaryFolder(), 'notes.txt');
  writeFileSync(text, 'not a database');
  await expect(removeDemo(text)).rejects.toThrow(/notes\.txt/);
});
