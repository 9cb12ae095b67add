import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';

/**
 * Part of `npm run check`: every table is written by the slice that owns it, the folders of src import each other without cycles,
 * type imports included, and the map of the code names existing files. Prints one line per violation and exits with 1 when there
 * is any.
 */

/** The tables that only the files of each folder under src may insert into, update and delete from. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  db: ['meta'],
  audit: ['audit_log'],
  merchants: ['merchants', 'api_keys', 'store_domains'],
  banks: ['bank_accounts', 'bank_routes', 'bank_hints'],
  payments: [
    ...['transactions', 'attempts', 'receipts', 'receipt_notes', 'refunds', 'refund_history'],
    ...['reported_refunds', 'daily_totals', 'daily_method_totals'],
  ],
  checkout: ['checkout_sessions', 'checkout_pushes', 'payment_links', 'merchant_brands'],
  webhooks: [
    ...['events', 'event_counters', 'auto_recoveries', 'recoveries'],
    ...['deliveries', 'delivery_attempts'],
  ],
  leads: ['leads'],
  erasure: ['lead_erasures', 'lead_erasure_waits'],
  rpc: ['idempotency'],
  http: ['post_counts'],
  requests: ['api_requests'],
  mail: ['mails'],
  search: ['search_documents', 'search_sections', 'search_index'],
  backoffice: [
    ...['users', 'recovery_codes', 'passkeys', 'passkey_challenges', 'memberships', 'sessions'],
    ...['user_links'],
  ],
};
const OWNERS = new Map(
  Object.entries(TABLES).flatMap(([folder, tables]) => tables.map((table) => [table, folder] as const)),
);

/** Writes by other folders than the owner, by file and table; `*` stands for every table. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'rpc/store.ts api_keys': 'authentication records the last use of a key, and rpc is below the slices',
  'installation/copy/store.ts *': 'a copy writes every table of the new database',
  'installation/encrypted-columns-store.ts *': 'a key rotation encrypts every secret again',
};

/** Folders that the owners do not concern: migrations fill new columns, and the simulated bank has its own database. */
const EXCLUDED = ['db/migrations/', 'sandbox/'];

const SQL_WRITE =
  /\b(?:insert\s+into|delete\s+from|update)\s+"?([a-z_]+)"?\s*(?:set\b|\(|values\b|where\b|$)/gim;
const BUILT_WRITE =
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*(?:'([a-z_]+)(?: as \w+)?'|[^')])/g;
const DYNAMIC_WRITE = /\b(?:insert\s+into|delete\s+from|update)\s+\$\{/i;
/** A file, or a folder with a slash at the end. */
const MAP_PATH = /[\w./-]+\.(?:tsx?|md|yml)\b|[\w/-]+\/(?=[\s`),|])/g;
const IMPORT = /\b(?:from|import\()\s*'(\.[^']+)'/g;

/** The tables that a source file writes; `*` for a table whose name is not in the text. */
function writtenTables(text: string): Set<string> {
  const code = text.replace(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '');
  const tables = new Set<string>();
  for (const [, table] of code.matchAll(BUILT_WRITE)) tables.add(table ?? '*');
  for (const [, table] of code.matchAll(SQL_WRITE)) if (table && OWNERS.has(table)) tables.add(table);
  if (DYNAMIC_WRITE.test(code)) tables.add('*');
  return tables;
}

/** Returns the writes of tables by folders that do not own them. `files` maps paths under src to texts. */
export function ownershipViolations(files: ReadonlyMap<string, string>): string[] {
  const violations: string[] = [];
  for (const [file, text] of files) {
    if (EXCLUDED.some((folder) => file.startsWith(folder))) continue;
    const [folder] = file.split('/');
    for (const table of writtenTables(text)) {
      if (OWNERS.get(table) === folder || `${file} ${table}` in EXCEPTIONS || `${file} *` in EXCEPTIONS)
        continue;
      violations.push(`src/${file} writes ${ownershipFault(table)}`);
    }
  }
  return violations;
}

/** What is wrong with a write of the table, and what to do; `*` stands for a table whose name is not in the text. */
function ownershipFault(table: string): string {
  if (table === '*')
    return 'a table that its text does not name: write the name of the table in the statement';
  const owner = OWNERS.get(table);
  return owner === undefined
    ? `the table ${table}, which has no owner: add it to TABLES in scripts/structure.ts`
    : `the table ${table}, which belongs to ${owner}: call a function of src/${owner} that writes it`;
}

/**
 * Returns one line per pair of folders of src whose import lies on a cycle or between cycles. `files` maps paths under src to texts.
 */
export function folderCycles(files: ReadonlyMap<string, string>): string[] {
  const edges = new Map<string, { from: string; to: string; by: string }>();
  for (const [file, text] of files) {
    for (const [, path = ''] of text.matchAll(IMPORT)) {
      const target = normalize(join(file, '..', path));
      const [from = '', to = ''] = [file, target].map((name) => name.split('/', 1)[0]);
      const isBetween = file.includes('/') && target.includes('/') && from !== to && to !== '..';
      if (isBetween) edges.set(`${from} → ${to}`, { from, to, by: `${file} → ${target}` });
    }
  }
  // A folder that no other imports, or that imports no other, lies on no cycle.
  for (let count = 0; count !== edges.size; ) {
    count = edges.size;
    const importing = new Set([...edges.values()].map(({ from }) => from));
    const imported = new Set([...edges.values()].map(({ to }) => to));
    for (const [name, { from, to }] of edges)
      if (!imported.has(from) || !importing.has(to)) edges.delete(name);
  }
  return [...edges].map(([name, { by }]) => `cycle of folders: ${name} (${by})`);
}

/** Returns one line per path in the map that no file has, from any folder on. */
export function wrongPaths(map: string, files: readonly string[]): string[] {
  const named = new Set(map.match(MAP_PATH));
  const all = files.map((file) => `/${file}`);
  return [...named]
    .filter(
      (path) =>
        !all.some((file) => (path.endsWith('/') ? file.includes(`/${path}`) : file.endsWith(`/${path}`))),
    )
    .map((path) => `src/README.md names ${path}, which does not exist`);
}

function namesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => name.split(sep).join('/'));
}

function sourceFiles(root: string): Map<string, string> {
  const names = namesIn(root).filter((name) => /\.tsx?$/.test(name));
  return new Map(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const files = sourceFiles(join(root, 'src'));
  const map = readFileSync(join(root, 'src/README.md'), 'utf8');
  const names = ['src', 'scripts'].flatMap((folder) =>
    namesIn(join(root, folder)).map((name) => `${folder}/${name}`),
  );
  const violations = [...ownershipViolations(files), ...folderCycles(files), ...wrongPaths(map, names)];
  for (const violation of violations) process.stdout.write(`${violation}\n`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
