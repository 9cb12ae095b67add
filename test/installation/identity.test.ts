import { expect, test } from 'vitest';
import { readMeta, writeMeta } from '../../src/db/meta.ts';
import { claimIdentity } from '../../src/installation/identity.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { testConfig } from '../merchants/support.ts';
import { temporaryDatabase } from '../support/database.ts';

const boxOf = (fill: number) => createSecretBox(Buffer.alloc(32, fill), systemRandom);
const sandbox = testConfig().settings;
const ifthenpay = testConfig({ SERVICE_BANK: 'ifthenpay' }).settings;

test('a database belongs to the bank and the key that opened it first', async () => {
  const db = await temporaryDatabase();
  await claimIdentity({ db, box: boxOf(1), settings: ifthenpay });
  await claimIdentity({ db, box: boxOf(1), settings: ifthenpay });
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
