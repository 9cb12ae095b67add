import { copyFileSync, linkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMeta, writeMeta } from '../../src/db/meta.ts';
import { openDatabase } from '../../src/db/open.ts';
import { temporaryFolder } from '../support/database.ts';

test('a file with a second name is not opened, because each name would have its own log', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'service.db');
  const db = await openDatabase(`sqlite:${file}`);
  const second = join(folder, 'second.db');
  linkSync(file, second);
  const refused = /^SERVICE_DATABASE_URL: cannot use the database file [^\n]+ \(hard link\)[^\n]+$/;
  await expect(openDatabase(`sqlite:${second}`)).rejects.toThrow(refused);
  await db.unit((tx) => writeMeta(tx, 'backup_at', 'kept'));
  await db.close();
  await expect(openDatabase(`sqlite:${file}`)).rejects.toThrow(refused);

  rmSync(second);
  const again = await openDatabase(`sqlite:${file}`);
  expect(await readMeta(again.read, 'backup_at')).toBe('kept');
  await again.close();
});

test('while the file is moved, replaced or deleted, no unit of work is acknowledged that would be lost', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const aside = `${file}.aside`;
  const db = await openDatabase(`sqlite:${file}`);
  const write = (text: string) => db.unit((tx) => writeMeta(tx, 'backup_at', text));
  await write('1');

  renameSync(file, aside);
  await expect(write('2')).rejects.toThrow('the database file was moved, replaced or deleted');
  copyFileSync(aside, file);
  await expect(write('2')).rejects.toThrow('the database file was moved, replaced or deleted');
  rmSync(file);
  await expect(write('2')).rejects.toThrow('the database file was moved, replaced or deleted');
  expect(await readMeta(db.read, 'backup_at')).toBe('1');

  renameSync(aside, file);
  await write('3');
  await db.close();
  const again = await openDatabase(`sqlite:${file}`);
  expect(await readMeta(again.read, 'backup_at')).toBe('3');
  await again.close();
});

test('while the log is moved, replaced or deleted, no unit is acknowledged, and a stop keeps the earlier ones', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const [log, aside] = [`${file}-wal`, `${file}.aside`];
  const link = join(temporaryFolder(), 'link.db');
  symlinkSync(file, link);
  const db = await openDatabase(`sqlite:${link}`);
  const write = (text: string) => db.unit((tx) => writeMeta(tx, 'backup_at', text));
  await write('1');

  renameSync(log, aside);
  await expect(write('2')).rejects.toThrow('the -wal file of the database was moved, replaced or deleted');
  renameSync(aside, log);
  await write('3');
  rmSync(log);
  await expect(write('4')).rejects.toThrow('the -wal file of the database was moved, replaced or deleted');
  writeFileSync(log, '');
  await expect(write('4')).rejects.toThrow('the -wal file of the database was moved, replaced or deleted');
  await db.close();
  const again = await openDatabase(`sqlite:${file}`);
  expect(await readMeta(again.read, 'backup_at')).toBe('3');
  await again.close();
});

test('a missing or empty file beside its log is not opened, because SQLite would delete the log', async () => {
  const file = join(temporaryFolder(), 'service.db');
  writeFileSync(`${file}-wal`, 'frames');
  const refused =
    /^SERVICE_DATABASE_URL: cannot use the database file [^\n]+ its -wal file is there; [^\n]+$/;
  await expect(openDatabase(`sqlite:${file}`)).rejects.toThrow(refused);
  writeFileSync(file, '');
  await expect(openDatabase(`sqlite:${file}`)).rejects.toThrow(refused);
});
