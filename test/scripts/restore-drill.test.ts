import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { jsonHere } from '../cli/support.ts';
import { temporaryFolder } from '../support/database.ts';

const DRILL = join(import.meta.dirname, '../../scripts/deploy/restore-drill.sh');

test('a drill with a backup that is damaged anywhere fails', async () => {
  const folder = temporaryFolder();
  await jsonHere(folder, 'merchant create --name Loja --domain shop.pt');
  const { file } = await jsonHere(folder, `backup ${join(folder, 'backup.db')}`);
  const env = {
    ...process.env,
    SERVICE_BANK: 'sandbox',
    SERVICE_SECRET_KEY: readFileSync(join(folder, 'secret.key'), 'utf8'),
  };
  const drill = () => promisify(execFile)(DRILL, [file], { env });
  expect(await drill()).toEqual({ stdout: '{"restored":true}\n', stderr: '' });
  const backup = new Sqlite(file, { readonly: true });
  const page = backup.prepare(`select rootpage from sqlite_master where name = 'audit_log'`).pluck().get();
  const pageBytes = Number(backup.pragma('page_size', { simple: true }));
  backup.close();
  const bytes = readFileSync(file);
  bytes.fill(0xff, (Number(page) - 1) * pageBytes, Number(page) * pageBytes);
  writeFileSync(file, bytes);
  await expect(drill()).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`${file} is damaged: use an earlier backup.`),
  });
}, 60_000);
