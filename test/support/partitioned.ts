import type pg from 'pg';

const PARTITIONS = 4;

interface Constraint {
  table: string;
  name: string;
  kind: 'p' | 'u' | 'f';
  /** The constraint as `alter table … add` takes it. */
  def: string;
  target: string | null;
}

// In descending order, because foreign keys (f) need the unique keys (p, u).
const CONSTRAINTS = `select conrelid::regclass::text as table, conname as name, contype as kind,
  pg_get_constraintdef(oid) as def, nullif(confrelid, 0)::regclass::text as target
  from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f') order by contype desc`;
const INDEXES = `select tablename as table, indexdef as def from pg_indexes
  where schemaname = 'public' and indexname not in (select conname from pg_constraint)`;
const OWNED = `select table_name as table, is_nullable = 'YES' as nullable from information_schema.columns
  where table_schema = 'public' and column_name = 'merchant_id'`;

/** Turns empty tables into tables partitioned by a hash of `merchant_id`. Unique and foreign keys get the column. */
export async function partitionByMerchant(client: pg.Client, tables: readonly string[]): Promise<void> {
  const constraints: Constraint[] = (await client.query(CONSTRAINTS)).rows;
  const indexes: { table: string; def: string }[] = (await client.query(INDEXES)).rows;
  const owned = new Map<string, boolean>(
    (await client.query(OWNED)).rows.map(({ table, nullable }) => [table, nullable]),
  );
  const isPartitioned = (name: string | null) => name !== null && tables.includes(name);
  const ddl: string[] = [];
  for (const table of tables) {
    ddl.push(
      `create table new_table (like ${table} including all excluding indexes) partition by hash (merchant_id)`,
      `drop table ${table} cascade`,
      `alter table new_table rename to ${table}`,
    );
    for (let i = 0; i < PARTITIONS; i++) {
      ddl.push(
        `create table ${table}_p${i} partition of ${table} for values with (modulus ${PARTITIONS}, remainder ${i})`,
      );
    }
  }
  const unique = (def: string) =>
    /\bmerchant_id\b/.test(def.split(' WHERE ')[0] ?? '') ? def : def.replace('(', '(merchant_id, ');
  for (const { table, kind, def, name, target } of constraints) {
    if (kind === 'f' && !isPartitioned(table) && !isPartitioned(target)) continue;
    if (kind !== 'f' && !isPartitioned(table)) continue;
    let added = kind === 'f' ? def : unique(def);
    if (owned.get(table) === true) added = added.replace('PRIMARY KEY', 'UNIQUE');
    if (isPartitioned(target) && !def.includes('merchant_id')) {
      if (!owned.has(table)) throw new Error(`${name}: ${table} needs merchant_id`);
      added = def.replaceAll('(', '(merchant_id, ');
    }
    ddl.push(`alter table ${table} add constraint ${name} ${added}`);
  }
  for (const { def } of indexes.filter((index) => isPartitioned(index.table)))
    ddl.push(def.startsWith('CREATE UNIQUE') ? unique(def) : def);
  for (const statement of ddl) {
    await client.query(statement).catch((error: Error) => {
      throw new Error(`${error.message}: ${statement}`);
    });
  }
}

interface Plan {
  'Relation Name'?: string;
  'Actual Loops'?: number;
  Plans?: Plan[];
}

/** Makes the planner take the partitions for tables of a million rows, which it reads by index. */
const LARGE = "update pg_class set reltuples = 1e6, relpages = 1 where relname ~ '_p[0-9]$'";

/** The partitions, by number, that a statement reads or changes: by its plan for these values, or as it runs. Changes nothing. */
export async function partitionsOf(client: pg.Client, text: string, values: unknown[]): Promise<string[]> {
  const explain = async (options: string) => {
    const { rows } = await client.query(`explain (${options} format json) ${text}`, values);
    return numbersIn(rows[0]['QUERY PLAN'][0].Plan);
  };
  await client.query(`begin; ${LARGE}`);
  try {
    const planned = await explain('');
    return planned.length > 1 ? await explain('analyze,') : planned;
  } finally {
    await client.query('rollback');
  }
}

function numbersIn(plan: Plan): string[] {
  const own = plan['Actual Loops'] === 0 ? undefined : /_p(\d)$/.exec(plan['Relation Name'] ?? '')?.[1];
  const numbers = (plan.Plans ?? []).flatMap(numbersIn);
  return [...new Set(own === undefined ? numbers : [own, ...numbers])];
}
