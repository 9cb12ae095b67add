import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { lockForServer } from '../../src/db/sqlite/server-lock.ts';
import { temporaryFolder } from '../support/database.ts';
import { refusalOf } from '../support/process.ts';

/** File modes do not bind the superuser, so the service starts as another user. */
const OTHER_USER = process.getuid?.() === 0 ? 65_534 : undefined;
const mayRun = canRun();

function canRun(): boolean {
  const user = OTHER_USER === undefined ? {} : { uid: OTHER_USER, gid: OTHER_USER };
  try {
    execFileSync(process.execPath, ['--check', join(import.meta.dirname, '../../src/main.ts')], user);
    return process.platform !== 'win32';
  } catch {
    return false;
  }
}

async function refusal(url: string): Promise<string> {
  const env = {
    SERVICE_DATABASE_URL: url,
    SERVICE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    SERVICE_PORT: '0',
    SERVICE_SANDBOX_PORT: '0',
  };
  return refusalOf('src/main.ts', [], env, OTHER_USER === undefined ? {} : { uid: OTHER_USER });
}

/** A folder with a database that was closed in order. */
async function installation(): Promise<{ folder: string; file: string }> {
  const folder = temporaryFolder();
  const file = join(folder, 'service.db');
  await (await openDatabase(`sqlite:${file}`)).close();
  onTestFinished(() => chmodSync(folder, 0o700));
  return { folder, file };
}

test.runIf(mayRun)('a read-only file or folder stops the start with one line that names it', async () => {
  const both = await installation();
  chmodSync(both.file, 0o444);
  chmodSync(both.folder, 0o555);
  const file = await installation();
  chmodSync(file.file, 0o444);
  chmodSync(file.folder, 0o777);
  const folder = await installation();
  chmodSync(folder.file, 0o666);
  chmodSync(folder.folder, 0o555);
  const empty = temporaryFolder();
  chmodSync(empty, 0o555);
  const files = [both.file, file.file, folder.file, join(empty, 'service.db')];
  for (const line of await Promise.all(files.map((path) => refusal(`sqlite:${path}`)))) {
    expect(line).toMatch(/SERVICE_DATABASE_URL.*service\.db.*writable/);
  }
});

test('a folder at the path of the database file stops the start with one line', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'service.db'));
  await expect(openDatabase(`sqlite:${join(folder, 'service.db')}`)).rejects.toThrow(
    /^SERVICE_DATABASE_URL: cannot use the database file [^\n]+service\.db: it cannot be opened; [^\n]+$/,
  );
});

test.skipIf(OTHER_USER === undefined)(
  'a start as root leaves files that the owner of the database can use',
  async () => {
    const { folder, file } = await installation();
    chownSync(file, OTHER_USER ?? 0, OTHER_USER ?? 0);
    const db = await openDatabase(`sqlite:${file}`);
    lockForServer(`sqlite:${file}`).release();
    const owners = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).uid]);
    await db.close();
    expect(owners).toContainEqual(['service.db-lock', OTHER_USER]);
    expect(owners.filter(([, uid]) => uid !== OTHER_USER)).toEqual([]);
  },
);

test.runIf(mayRun)(
  'a file of another user stops the start with one line that names its permissions',
  async () => {
    const { folder, file } = await installation();
    chmodSync(folder, 0o777);
    chmodSync(file, 0o000);
    expect(await refusal(`sqlite:${file}`)).toMatch(
      /service\.db.*the user of this process may read and write/,
    );
  },
);
