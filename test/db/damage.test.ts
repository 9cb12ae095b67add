import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { findDamage } from '../../src/db/sqlite/check-sound.ts';
import { backUp } from '../../src/installation/backup.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { showTransaction } from '../../src/payments/show.ts';
import { transactionEvents } from '../../src/webhooks/history.ts';
import { runHere } from '../cli/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { api, startService, startWithMerchant } from '../support/harness.ts';
import { until } from '../support/until.ts';

const NOT_SOUND =
  /^SERVICE_DATABASE_URL: cannot use the database file [^\n]+: it is damaged or not a database; put a backup in its place[^\n]+$/;

/** Writes nonsense over the first page of a table or an index, as a dying disk does. */
function ruinPage(file: string, name: string): void {
  const handle = new Sqlite(file);
  const page = handle
    .prepare('select rootpage from sqlite_schema where name = ?')
    .pluck()
    .get(name) as number;
  const bytes = handle.pragma('page_size', { simple: true }) as number;
  handle.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, (page - 1) * bytes);
  closeSync(descriptor);
}

async function emptyDatabase(): Promise<string> {
  const file = join(temporaryFolder(), 'service.db');
  await (await openDatabase(`sqlite:${file}`)).close();
  return file;
}

test('a damaged page in any table or a truncated file stops the start with one line that names the remedy', async () => {
  for (const name of ['transactions', 'receipts', 'deliveries_scheduled', 'attempts_transaction']) {
    const file = await emptyDatabase();
    ruinPage(file, name);
    await expect(openDatabase(`sqlite:${file}`, { check: true }), name).rejects.toThrow(NOT_SOUND);
  }
  const cut = await emptyDatabase();
  truncateSync(cut, 3 * 4096);
  await expect(openDatabase(`sqlite:${cut}`, { check: true })).rejects.toThrow(NOT_SOUND);
});

test('of a file too large for a complete check, both ends of every table and index are checked', async () => {
  const sound = await emptyDatabase();
  const handle = new Sqlite(sound);
  expect(findDamage(handle, 0)).toBeNull();
  handle.close();
  for (const name of ['transactions', 'receipts', 'attempts_transaction', 'sqlite_autoindex_receipts_2']) {
    const file = await emptyDatabase();
    ruinPage(file, name);
    const ruined = new Sqlite(file);
    expect(() => findDamage(ruined, 0), name).toThrow(/malformed/);
    ruined.close();
  }
});

test('a restored backup finds payments made since at the bank and announces them', async () => {
  const folder = temporaryFolder();
  const [file, copy] = [join(folder, 'service.db'), join(folder, 'copy.db')];
  const { service: before, merchant: shop } = await startWithMerchant({ folder });
  const paid = await shop.pay();
  const { id: open, mb } = await shop.reference();
  expect((await runHere(folder, ['backup', copy])).code).toBe(0);
  // Since the backup: a reference is paid, and an order is made and paid that the backup does not know.
  const lost = await shop.pay();
  await before.control('/multibanco', mb);
  await shop.reaches(open, 'paid');
  await before.app.close();

  ruinPage(file, 'transactions');
  await expect(startService({ folder })).rejects.toThrow(NOT_SOUND);
  copyFileSync(copy, file);
  for (const rest of ['-wal', '-shm']) rmSync(`${file}${rest}`, { force: true });

  const after = await startService({ folder });
  const again = api(after.url, shop.apiKey);
  expect((await again.status(paid)).status).toBe('paid');
  await again.reaches(open, 'paid');
  const { deps } = after.app;
  expect((await showTransaction(deps, open)).receipts).toHaveLength(1);
  for (const id of [paid, open]) {
    const { events } = await transactionEvents(deps.db.read, id as `tx_${string}`);
    expect(events.map(({ event }) => event)).toEqual(['payment.success']);
  }
  expect((await again.get(`/payments/status?transactionId=${lost}`)).status).toBe(404);
  const unmatched = await until(async () => {
    const { stdout } = await runHere(folder, ['receipt', 'list', '--flag', 'unmatched', '--json']);
    const receipts = JSON.parse(stdout);
    return receipts.length > 0 ? receipts : null;
  }, 'the money of the order that the backup does not know');
  expect(unmatched).toMatchObject([{ transactionId: null, amount: 19.99, method: 'MBWAY' }]);
});

test('a damaged copy is no backup', async () => {
  const db = await openDatabase(`sqlite:${await emptyDatabase()}`);
  const file = join(temporaryFolder(), 'copy.db');
  const damaging: Database['backup'] = async (to) => {
    const bytes = await db.backup(to);
    ruinPage(to, 'receipts');
    return bytes;
  };
  const backup = backUp({ db: { ...db, backup: damaging }, clock: systemClock }, file);
  await expect(backup).rejects.toThrow(/^the copy in .* is damaged: .*; copy to another disk$/s);
  expect(readdirSync(dirname(file))).toEqual([]);
  await db.close();
});

test('a file that is no database is closed again', async () => {
  const file = join(temporaryFolder(), 'service.db');
  writeFileSync(file, 'no database'.repeat(1000));
  const openFiles = () => readdirSync('/proc/self/fd').length;
  const before = openFiles();
  await expect(openDatabase(`sqlite:${file}`)).rejects.toThrow(NOT_SOUND);
  expect(openFiles()).toBe(before);
});
