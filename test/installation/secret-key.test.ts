import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { readConfig } from '../../src/config.ts';
import { ENCRYPTED_COLUMNS } from '../../src/installation/encrypted-columns.ts';
import { revealApiKey } from '../../src/merchants/secrets.ts';
import { signedIn } from '../backoffice/support.ts';
import { CREDENTIALS } from '../banks/support.ts';
import { createSession } from '../checkout/support.ts';
import { refusedHere, runHere } from '../cli/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { api, startService } from '../support/harness.ts';
import { selectRow, updateRows } from '../support/rows.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

const newKey = () => randomBytes(32).toString('base64');
const OLD = newKey();
const NEW = newKey();
const onlyOld = { SERVICE_SECRET_KEY: OLD };
const onlyNew = { SERVICE_SECRET_KEY: NEW };
const both = { SERVICE_SECRET_KEY: NEW, SERVICE_SECRET_KEY_PREVIOUS: OLD };

/** Every `table.column` of which some value looks encrypted, with the values. */
function encryptedIn(folder: string): Map<string, string[]> {
  const handle = new Sqlite(join(folder, 'service.db'), { readonly: true });
  const tables = handle
    .prepare("select name from sqlite_master where type = 'table' and name <> 'search_index'")
    .pluck()
    .all();
  const found = new Map<string, string[]>();
  for (const table of tables) {
    for (const row of handle.prepare(`select * from "${table}"`).all() as Record<string, unknown>[]) {
      for (const [column, value] of Object.entries(row)) {
        if (typeof value !== 'string' || !value.startsWith('v1.')) continue;
        const name = table === 'meta' ? `meta.${row.key}` : `${table}.${column}`;
        found.set(name, [...(found.get(name) ?? []), value]);
      }
    }
  }
  handle.close();
  return found;
}

const KNOWN = ENCRYPTED_COLUMNS.flatMap(({ table, column, only }) =>
  (only ?? [column]).map((name) => `${table}.${name}`),
);

test('a secret key is rotated while the service runs, and every secret is re-encrypted', async () => {
  const folder = temporaryFolder();
  const receiver = await startReceiver();
  const start = (env: Record<string, string>) => startService({ folder, env, webhookCa: receiver.ca });
  const rotate = 'secrets rotate --json';
  let service = await start(onlyOld);
  const shop = await service.merchant({ webhookUrl: receiver.url });
  await setBankAccount(service.app.deps, { merchantId: shop.merchantId, credentials: CREDENTIALS });
  await runHere(folder, ['webhook', 'rotate', shop.merchantId], onlyOld);
  const { box } = service.app.deps;
  const seller = await service.merchant({ name: 'Sells' });
  const sale = await seller.pay();
  expect((await createSession(service, seller)).status).toBe(200);
  await runHere(folder, ['link', 'create', '--merchant', seller.merchantId, '--title', 'Mug'], onlyOld);
  const account = ['--iban', 'PT50000201231234567890154'];
  await runHere(folder, ['refund', 'create', '--transaction', sale, ...account], onlyOld);
  const operator = await signedIn(service, { role: 'operator' });
  const { secret: totp } = (await operator.mutate('account.totpBegin')).value;
  await service.app.deps.db.unit(async (tx) => {
    await tx
      .updateTable('users')
      .set((eb) => ({ totp_secret: eb.ref('totp_pending') }))
      .execute();
    const plannedAt = Date.now() + 3_600_000;
    await service.app.deps.queueMail(tx, { kind: 'invitation', entity: 'later', link: '/x', plannedAt });
    await tx
      .insertInto('meta')
      .values({ key: 'demo_login', value: box.encrypt('{}', 'meta.demo_login') })
      .execute();
  });

  // Nothing is re-encrypted while the service knows only the old key.
  expect(await refusedHere(folder, rotate, onlyOld)).toContain('PREVIOUS is not set');
  expect(await refusedHere(folder, rotate, both)).toMatch(
    /^the service has not been started with the new key yet.*--stopped/,
  );
  await service.app.close();

  service = await start(both);
  expect(service.logged()).toContain('secret key rotation is incomplete');
  const fresh = await service.merchant({ name: 'Encrypted with the new key' });
  expect(await revealApiKey(service.app.deps, shop.merchantId)).toBe(shop.apiKey);
  await runHere(folder, ['webhook', 'test', shop.merchantId], both);
  await until(() => receiver.requests.length === 1, 'a delivery signed with a secret of the old key');
  await expect(start(onlyOld)).rejects.toThrow(
    /^SERVICE_SECRET_KEY is the old key, and the change to a new one/,
  );
  await expect(start(onlyNew)).rejects.toThrow(
    /^SERVICE_SECRET_KEY is the new key, but some secrets still use the old one/,
  );

  const before = encryptedIn(folder);
  const beforeCount = KNOWN.reduce((sum, name) => sum + (before.get(name)?.length ?? 0), 0);
  const outcome = await runHere(folder, rotate, both);
  expect(outcome.code).toBe(0);
  expect(outcome.stderr).toContain('SERVICE_SECRET_KEY_PREVIOUS can be removed now');
  const counts = JSON.parse(outcome.stdout);
  expect(counts).toMatchObject({ secrets: beforeCount, unreadable: 0, unreadablePlaces: [] });
  expect(counts.renewed).toBeGreaterThan(0);
  expect(counts.renewed).toBeLessThan(beforeCount);
  await runHere(folder, ['webhook', 'test', shop.merchantId], both);
  await until(() => receiver.requests.length === 2, 'a delivery after the change');
  await service.app.close();

  const encrypted = encryptedIn(folder);
  expect([...encrypted.keys()].sort()).toEqual([...KNOWN, 'meta.secret_check'].sort());
  const left = [...encrypted].filter(([name, values]) =>
    values.some((value) => before.get(name)?.includes(value)),
  );
  // Only what the new key had encrypted already.
  expect(left.map(([name]) => name).sort()).toEqual(['api_keys.secret', 'merchants.webhook_secret']);

  await expect(start(onlyOld)).rejects.toThrow(
    /^SERVICE_SECRET_KEY does not open this database; set the key/,
  );
  service = await start(onlyNew);
  const { deps } = service.app;
  expect(await revealApiKey(deps, shop.merchantId)).toBe(shop.apiKey);
  expect(await revealApiKey(deps, fresh.merchantId)).toBe(fresh.apiKey);
  const routed = await deps.bankAccounts.routed(deps.db.read, shop.merchantId, 'MBWAY');
  expect(routed?.account.credentials).toEqual(CREDENTIALS);
  const user = await selectRow(deps.db, 'users', { id: operator.userId });
  for (const secret of [user.totp_secret, user.totp_pending]) {
    expect(deps.box.decrypt(secret ?? '', `users.totp_secret:${user.id}`)).toBe(totp);
  }
  expect((await api(service.url, shop.apiKey).get('/payments/methods')).status).toBe(200);
  await runHere(folder, ['webhook', 'test', shop.merchantId], onlyNew);
  await until(() => receiver.requests.length === 3, 'a delivery with the new key alone');

  await updateRows(deps.db, 'api_keys', { secret: 'v1.bm90aGluZw==' }, { merchant_id: fresh.merchantId });
  expect(await runHere(folder, rotate, both)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('1 secrets cannot be decrypted with either key and are unchanged'),
  });
});

test('a malformed previous key, or one equal to the current key, stops the start with one line', () => {
  const read = (previous: string) =>
    readConfig({ SERVICE_SECRET_KEY: NEW, SERVICE_SECRET_KEY_PREVIOUS: previous }).secrets.previousSecretKey;
  expect(read(OLD)).toEqual(Buffer.from(OLD, 'base64'));
  expect(read('')).toBe(null);
  expect(() => read('short')).toThrow(/^SERVICE_SECRET_KEY_PREVIOUS must be 32 bytes in base64/);
  expect(() => read(NEW)).toThrow(/^SERVICE_SECRET_KEY_PREVIOUS is the same as SERVICE_SECRET_KEY/);
});
