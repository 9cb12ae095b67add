import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { runs } from '../support/package.ts';

/** Runs a command in which mounts are allowed and end with it. */
const MOUNTS = 'unshare --user --map-root-user --mount';
const canMount = spawnSync('sh', ['-c', `${MOUNTS} true`]).status === 0;

/** Returns the error of the settings with the database `file`, read by a program that a shell script starts as "$@". */
async function settingsError(script: string, file: string): Promise<string> {
  const code = `
    const { readConfig } = await import('./src/config.ts');
    try { readConfig(process.env) } catch ({ message }) { console.log(message) }`;
  const reader = [process.execPath, '--input-type=module', '--eval', code];
  const env = { PATH: process.env.PATH ?? '', SERVICE_DATABASE_URL: `sqlite:${file}` };
  return (await runs('sh', ['-c', script, 'sh', ...reader], { env })).out;
}

test("a disk without space for the sandbox's secret key keeps no empty file, which would stop every later start", async () => {
  const folder = temporaryFolder();
  const error = await settingsError('ulimit -f 0; exec "$@"', join(folder, 'service.db'));
  expect(error).toMatch(/^SERVICE_SECRET_KEY cannot be kept in [^\n]*secret\.key: [^\n]+\n$/);
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(!canMount)('a read-only file system is named, with the full path of the folder', async () => {
  const disk = join(temporaryFolder(), 'disk');
  mkdirSync(disk);
  const script = `exec ${MOUNTS} sh -c 'mount -t tmpfs -o ro tmpfs "$0" && exec "$@"' '${disk}' "$@"`;
  const error = await settingsError(script, join(disk, 'data', 'service.db'));
  expect(error).toContain(
    `SERVICE_DATABASE_URL: cannot create the folder ${disk}/data: EROFS: read-only file system`,
  );
});
