import { type Kysely, sql } from 'kysely';
import { lisbonDay } from '../../kernel/lisbon.ts';

/**
 * The daily totals, and what transactions are searched by. It only adds; the totals of what there is are counted here. An
 * e-mail is searched in the register of leads, by the index that it has: no second copy of it to be erased.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await tables(db);
  await search(db);
  await fill(db);
}

async function tables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('daily_totals')
    .addColumn('merchant_id', 'text', (c) => c.notNull().references('merchants.id'))
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('created_count', 'integer', (c) => c.notNull())
    .addColumn('created_cents', 'bigint', (c) => c.notNull())
    .addColumn('ended_count', 'integer', (c) => c.notNull())
    .addColumn('ended_cents', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('daily_totals_pk', ['merchant_id', 'day'])
    .execute();
  await db.schema
    .createTable('daily_method_totals')
    .addColumn('merchant_id', 'text', (c) => c.notNull().references('merchants.id'))
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('attempts_count', 'integer', (c) => c.notNull())
    .addColumn('paid_count', 'integer', (c) => c.notNull())
    .addColumn('paid_cents', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('daily_method_totals_pk', ['merchant_id', 'day', 'method'])
    .execute();
}

async function search(db: Kysely<unknown>): Promise<void> {
  await sql`create index transactions_order on transactions (merchant_id, order_id, id)`.execute(db);
  // Leads are numbered as they come: of new customers, which most are, each entry goes to the end.
  await sql`create index transactions_lead on transactions (lead_id, id) where lead_id is not null`.execute(
    db,
  );
  await sql`create index attempts_phone on attempts (merchant_id, phone_number, transaction_id) where phone_number is not null`.execute(
    db,
  );
  await sql`create index attempts_reference_number on attempts (merchant_id, reference, entity, transaction_id) where reference is not null`.execute(
    db,
  );
}

/** A row of totals under the columns of its key, its numbers adding up. */
type Sums = Map<string, Record<string, string | number>>;

const DAY = { created_count: 0, created_cents: 0, ended_count: 0, ended_cents: 0 };
const METHOD_DAY = { attempts_count: 0, paid_count: 0, paid_cents: 0 };
const PAGE_ROWS = 5000;

async function fill(db: Kysely<unknown>): Promise<void> {
  const days: Sums = new Map();
  const methodDays: Sums = new Map();
  const add = (sums: Sums, key: Record<string, string>, zero: object, numbers: Record<string, number>) => {
    const name = Object.values(key).join(' ');
    const row = sums.get(name) ?? { ...key, ...zero };
    sums.set(name, row);
    for (const [column, value] of Object.entries(numbers)) row[column] = Number(row[column]) + value;
  };
  await eachRow(db, sql`select id, merchant_id, created_at, amount_cents from transactions`, (row) =>
    add(days, dayOf(row), DAY, { created_count: 1, created_cents: Number(row.amount_cents) }),
  );
  await eachRow(db, sql`select id, merchant_id, created_at, method from attempts`, (row) =>
    add(methodDays, { ...dayOf(row), method: String(row.method) }, METHOD_DAY, { attempts_count: 1 }),
  );
  // Every change of state has its event. The first of a transaction ended its being pending.
  const changes = sql`
    select e.id, e.merchant_id, e.created_at, e.kind, t.amount_cents, t.paid_method as method,
      (select min(o.id) from events o where o.transaction_id = e.transaction_id) as first_id
    from events e join transactions t on t.id = e.transaction_id`;
  await eachRow(db, changes, (row) => {
    const amount = Number(row.amount_cents);
    if (row.id === row.first_id) add(days, dayOf(row), DAY, { ended_count: 1, ended_cents: amount });
    if (row.kind === 'payment.success') {
      const key = { ...dayOf(row), method: String(row.method) };
      add(methodDays, key, METHOD_DAY, { paid_count: 1, paid_cents: amount });
    }
  });
  await insertAll(db, 'daily_totals', days);
  await insertAll(db, 'daily_method_totals', methodDays);
}

function dayOf(row: Record<string, unknown>): { merchant_id: string; day: string } {
  return { merchant_id: String(row.merchant_id), day: lisbonDay(Number(row.created_at)) };
}

/** Hands every row of `rows` on, by pages in the order of their ids. */
async function eachRow(
  db: Kysely<unknown>,
  rows: ReturnType<typeof sql>,
  handle: (row: Record<string, unknown>) => void,
): Promise<void> {
  for (let after = ''; ; ) {
    const page = await sql<Record<string, unknown>>`
      select * from (${rows}) as paged where id > ${after} order by id limit ${PAGE_ROWS}`.execute(db);
    for (const row of page.rows) handle(row);
    if (page.rows.length < PAGE_ROWS) return;
    after = String(page.rows.at(-1)?.id);
  }
}

async function insertAll(db: Kysely<unknown>, table: string, sums: Sums): Promise<void> {
  for (const row of sums.values()) {
    const columns = Object.keys(row).map((name) => sql.ref(name));
    await sql`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(Object.values(row))})`.execute(
      db,
    );
  }
}
