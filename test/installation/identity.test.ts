import { expect, onTestFinished, test } from 'vitest';
import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { readMeta, writeMeta } from '../../src/db/meta.ts';
import { SCHEMA_VERSION } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { claimIdentity } from '../../src/installation/identity.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { jsonHere, refusedHere } from '../cli/support.ts';
import { testConfig } from '../merchants/support.ts';
import { databaseUrl, temporaryDatabase, temporaryFolder } from '../support/database.ts';

const boxOf = (fill: number) => createSecretBox(Buffer.alloc(32, fill), systemRandom);
const sandbox = testConfig().settings;
const ifthenpay = testConfig({ SERVICE_BANK: 'ifthenpay' }).settings;

test('a database belongs to the bank and the key that opened it first', async () => {
  const db = await temporaryDatabase();
  for (let start = 0; start < 3; start++) {
    expect(await claimIdentity({ db, box: boxOf(1), settings: ifthenpay }, { start: true })).toBe('settled');
  }
  expect(await readMeta(db.read, 'bank')).toBe('real');
  await expect(claimIdentity({ db, box: boxOf(1), settings: sandbox })).rejects.toThrow(
    /^SERVICE_BANK is sandbox, but this database belongs to a real bank;/,
  );
});

test('a database that remembers an acquirer counts as real', async () => {
  const db = await temporaryDatabase();
  await db.unit((tx) => writeMeta(tx, 'bank', 'ifthenpay'));
  await claimIdentity({ db, box: boxOf(1), settings: ifthenpay });
  await expect(claimIdentity({ db, box: boxOf(1), settings: sandbox })).rejects.toThrow(/a real bank;/);
});

test('another secret key is refused, and the first one still opens the database', async () => {
  const db = await temporaryDatabase();
  await claimIdentity({ db, box: boxOf(1), settings: sandbox });
  await expect(claimIdentity({ db, box: boxOf(2), settings: sandbox })).rejects.toThrow(
    /^SERVICE_SECRET_KEY does not open this database/,
  );
  await claimIdentity({ db, box: boxOf(1), settings: sandbox });
});

test('of processes that start together on a new database, those of one bank bind it', async () => {
  const db = await temporaryDatabase();
  const claims = Array.from({ length: 8 }, (_, place) =>
    claimIdentity({ db, box: boxOf(1), settings: place % 2 === 0 ? sandbox : ifthenpay }),
  );
  const ends = await Promise.allSettled(claims);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
});

test('a start or a command that is refused leaves the database of an older version as it was', async () => {
  const folder = temporaryFolder();
  const url = await databaseUrl(folder, onTestFinished);
  const db = await openDatabase(url);
  onTestFinished(() => db.close());
  await claimIdentity({ db, box: boxOf(1), settings: sandbox });
  const setSchema = (version: number) => db.unit((tx) => writeMeta(tx, 'schema_version', String(version)));
  await setSchema(SCHEMA_VERSION - 1);
  onTestFinished(() => setSchema(SCHEMA_VERSION));

  const settings = (fill: number) => ({
    SERVICE_DATABASE_URL: url,
    SERVICE_SECRET_KEY: Buffer.alloc(32, fill).toString('base64'),
  });
  const other = /^SERVICE_SECRET_KEY does not open this database/;
  await expect(startApp(readConfig(settings(2)))).rejects.toThrow(other);
  expect(await refusedHere(folder, 'merchant list', settings(2))).toMatch(other);
  expect(await readMeta(db.read, 'schema_version')).toBe(String(SCHEMA_VERSION - 1));

  expect(await jsonHere(folder, 'merchant list', settings(1))).toEqual([]);
  expect(await readMeta(db.read, 'schema_version')).toBe(String(SCHEMA_VERSION));
});
