import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import type { Tables } from '../../src/db/tables/tables.ts';

/** Values of the required columns that tests which write rows directly do not depend on. */
const ANY = {
  merchants: {
    name: 'Shop',
    active: 1,
    hold: 0,
    webhook_enabled: 0,
    webhook_secret: 'encrypted',
    created_at: 0,
  },
  bank_accounts: { acquirer: 'ifthenpay', current: 0, credentials: 'encrypted', created_at: 1 },
  checkout_sessions: {
    token: 'encrypted',
    methods: 'MBWAY,REFERENCE',
    locale: 'pt',
    created_at: 1,
    expires_at: 2,
  },
  bank_hints: { params: '{}', checks_count: 1 },
  transactions: {
    order_id: 'order-1',
    amount_cents: 1999,
    status: 'paid',
    held: 0,
    paid_method: 'MBWAY',
    store_domain: 'shop.pt',
    events_count: 0,
  },
  attempts: {
    method: 'MBWAY',
    state: 'open',
    amount_cents: 1999,
    accepted: 1,
    silent_count: 0,
    clear_reads: 0,
  },
  receipts: {
    method: 'MBWAY',
    amount_cents: 1,
    paid_at: 1,
    recorded_at: 1,
    record: 'null',
    late: 0,
    duplicate: 0,
    under: 0,
    over: 0,
    unmatched: 0,
  },
  receipt_notes: { at: 1, actor: 'service', kind: 'note', by_operator: 1, internal: 1 },
  refunds: { state: 'done', amount_cents: 1, created_at: 0 },
  reported_refunds: {},
  post_counts: {},
  daily_method_totals: {},
  passkey_challenges: {},
  lead_erasures: { started_at: 1, left_count: 0, done_count: 0, finished_at: 1 },
  leads: { first_seen_at: 1, last_seen_at: 1, orders_count: 1, asked_cents: 1, paid_count: 0, paid_cents: 0 },
  events: { body: '{}' },
  deliveries: { blocked: 0, attempts_count: 0 },
  auto_recoveries: { phase: 'resting', step: 9, after_at: 0, after_id: '' },
  delivery_attempts: { duration_ms: 5, status: 500, error: 'no' },
  idempotency: { fingerprint: 'f', response: '{}' },
  audit_log: { at: 1, actor: 'service' },
} as const;

const CHUNK = 500;

type Row<T extends keyof typeof ANY> = {
  [C in keyof Insertable<Tables[T]>]?: Value<Insertable<Tables[T]>[C]>;
};
/** An amount needs no mark that it is in cents. */
type Value<V> = V extends number ? number : V;

/** Writes rows that the service would need many steps to make; columns that they leave out have any valid value. */
export async function insertRows<T extends keyof typeof ANY>(
  db: Pick<Database, 'unit'>,
  table: T,
  ...rows: readonly Row<T>[]
): Promise<void> {
  const full = rows.map((row) => ({ ...ANY[table], ...row }));
  await db.unit(async (tx) => {
    for (let at = 0; at < full.length; at += CHUNK)
      await tx
        .insertInto(table as keyof Tables)
        .values(full.slice(at, at + CHUNK) as never)
        .execute();
  });
}

type Values<T extends keyof Tables> = { [C in keyof Selectable<Tables[T]>]?: unknown };

/** The same values. Throws when one is undefined, which Kysely would leave out of the condition. */
function defined(values: object): object {
  for (const [column, value] of Object.entries(values))
    if (value === undefined) throw new Error(`the value of ${column} is undefined`);
  return values;
}

/** Returns the rows of a table that have these values, in the order of its first column, which for most tables is that of creation. */
export async function selectRows<T extends keyof Tables>(
  { read }: Pick<Database, 'read'>,
  table: T,
  values: Values<T> = {},
): Promise<Selectable<Tables[T]>[]> {
  const query = read.selectFrom(table as 'transactions').selectAll();
  return (await query
    .where((eb) => eb.and(defined(values)))
    .orderBy(sql`1`)
    .execute()) as never;
}

/** Returns the first of these rows. Throws when there is none. */
export async function selectRow<T extends keyof Tables>(
  ...rows: Parameters<typeof selectRows<T>>
): Promise<Selectable<Tables[T]>> {
  const [first] = await selectRows(...rows);
  if (first === undefined) throw new Error(`there is no such row in ${rows[1]}`);
  return first;
}

/** Changes the rows of a table that have these values. */
export async function updateRows<T extends keyof Tables>(
  { unit }: Pick<Database, 'unit'>,
  table: T,
  changes: { [C in keyof Updateable<Tables[T]>]?: Value<Updateable<Tables[T]>[C]> },
  values: Values<T> = {},
): Promise<void> {
  await unit((tx) =>
    tx
      .updateTable(table as 'transactions')
      .set(changes as never)
      .where((eb) => eb.and(defined(values)))
      .execute(),
  );
}
