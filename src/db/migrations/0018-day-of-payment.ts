import { type Kysely, type RawBuilder, sql } from 'kysely';
import { lisbonDay } from '../../kernel/lisbon.ts';

const PAGE_ROWS = 5000;

/**
 * Daily totals count money on the day on which the bank received it, and only attempts that the bank accepted. Rows that were counted
 * otherwise are moved. The index finds the payments of a day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists transactions_paid_day on transactions (merchant_id, paid_at, id) where paid_at is not null`.execute(
    db,
  );
  const sums = new Map<string, Change>();
  const add = (row: Row, at: unknown, change: Partial<Change>) => {
    const key = {
      merchant_id: String(row.merchant_id),
      day: lisbonDay(Number(at)),
      method: String(row.method),
    };
    const name = Object.values(key).join(' ');
    const sum = sums.get(name) ?? { ...key, attempts_count: 0, paid_count: 0, paid_cents: 0 };
    sum.attempts_count += change.attempts_count ?? 0;
    sum.paid_count += change.paid_count ?? 0;
    sum.paid_cents += change.paid_cents ?? 0;
    sums.set(name, sum);
  };
  // Lisbon is at UTC or one hour ahead: the days can differ only if they differ in one of the two.
  const paid = sql`
    select t.id, t.merchant_id, t.paid_method as method, t.amount_cents, t.paid_at, e.created_at
    from transactions t join events e on e.transaction_id = t.id and e.kind = 'payment.success'
    where t.status = 'paid' and (t.paid_at / 86400000 <> e.created_at / 86400000
      or (t.paid_at + 3600000) / 86400000 <> (e.created_at + 3600000) / 86400000)`;
  await eachRow(db, paid, (row) => {
    const cents = Number(row.amount_cents);
    add(row, row.created_at, { paid_count: -1, paid_cents: -cents });
    add(row, row.paid_at, { paid_count: 1, paid_cents: cents });
  });
  await eachRow(db, sql`select id, merchant_id, method, created_at from attempts where accepted = 0`, (row) =>
    add(row, row.created_at, { attempts_count: -1 }),
  );
  for (const change of sums.values()) await apply(db, change);
}

type Row = Record<string, unknown>;

interface Change {
  merchant_id: string;
  day: string;
  method: string;
  attempts_count: number;
  paid_count: number;
  paid_cents: number;
}

/** Hands every row of `rows` on, by pages in the order of their ids. */
async function eachRow(
  db: Kysely<unknown>,
  rows: RawBuilder<unknown>,
  handle: (row: Row) => void,
): Promise<void> {
  for (let after = ''; ; ) {
    const page = await sql<Row>`
      select * from (${rows}) as paged where id > ${after} order by id limit ${PAGE_ROWS}`.execute(db);
    for (const row of page.rows) handle(row);
    if (page.rows.length < PAGE_ROWS) return;
    after = String(page.rows.at(-1)?.id);
  }
}

async function apply(db: Kysely<unknown>, { merchant_id, day, method, ...change }: Change): Promise<void> {
  const { attempts_count, paid_count, paid_cents } = change;
  if (attempts_count === 0 && paid_count === 0 && paid_cents === 0) return;
  await sql`
    insert into daily_method_totals (merchant_id, day, method, attempts_count, paid_count, paid_cents, part)
    values (${merchant_id}, ${day}, ${method}, ${attempts_count}, ${paid_count}, ${paid_cents}, 0)
    on conflict (merchant_id, day, method, part) do update set
      attempts_count = daily_method_totals.attempts_count + excluded.attempts_count,
      paid_count = daily_method_totals.paid_count + excluded.paid_count,
      paid_cents = daily_method_totals.paid_cents + excluded.paid_cents`.execute(db);
}
