import { execFile } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';

const SCRIPTS = join(import.meta.dirname, '../../scripts/deploy/postgres');

/** A folder whose programs replace those of the machine, and a function that runs a script with them. */
function machine(programs: Record<string, string>) {
  const folder = temporaryFolder();
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const run = (script: string, ...args: string[]) =>
    promisify(execFile)(join(SCRIPTS, script), args, { env });
  return { folder, run };
}

test('a WAL file counts as archived only once its folder is flushed, also at a later attempt', async () => {
  const { folder, run } = machine({ sync: '[ ! -d "$1" ] || echo "$1" >>"$0.log"; [ ! -e "$0.broken" ]' });
  const [archive, log, broken] = [temporaryFolder(), join(folder, 'sync.log'), join(folder, 'sync.broken')];
  const wal = join(folder, '000000010000000000000001');
  writeFileSync(wal, 'a finished WAL file');
  await run('archive-wal.sh', wal, '1', archive);
  writeFileSync(broken, '');
  await expect(run('archive-wal.sh', wal, '1', archive)).rejects.toMatchObject({ code: 1 });
  rmSync(broken);
  await run('archive-wal.sh', wal, '1', archive);
  expect(readFileSync(log, 'utf8')).toBe(`${archive}\n`.repeat(3));
  expect(readdirSync(archive)).toEqual(['1']);
});

test('a complete base backup deletes what an interrupted one left more than a day ago, and no earlier backup', async () => {
  const { run } = machine({ pg_basebackup: 'mkdir "$3" && echo 16 >"$3/PG_VERSION"', pg_verifybackup: '' });
  const backups = temporaryFolder();
  const [old, recent] = ['base-20200101T000000Z.part', 'base-20200102T000000Z.part'];
  const earlier = 'base-20200103T000000Z';
  for (const name of [old, recent, earlier]) {
    mkdirSync(join(backups, name));
    writeFileSync(join(backups, name, 'PG_VERSION'), '16');
  }
  for (const name of [old, earlier]) utimesSync(join(backups, name), 0, 0);
  const link = join(temporaryFolder(), 'link');
  symlinkSync(backups, link);
  const { stdout } = await run('backup.sh', link);
  const [made] = /base-[^"]+/.exec(stdout) ?? [];
  expect(readdirSync(backups).sort()).toEqual([recent, earlier, made]);
});
