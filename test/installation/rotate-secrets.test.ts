import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ENCRYPTED_COLUMNS } from '../../src/installation/encrypted-columns.ts';
import { replaceSecret, secretsAfter } from '../../src/installation/encrypted-columns-store.ts';
import { claimIdentity } from '../../src/installation/identity.ts';
import { rotateSecrets } from '../../src/installation/rotate-secrets.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { selectRows, updateRows } from '../support/rows.ts';
import { type Kit, webhookKit } from '../webhooks/kit.ts';

const [old, next] = [randomBytes(32), randomBytes(32)];

async function manyMerchants(count: number): Promise<Kit> {
  const kit = await webhookKit();
  const deps = { ...kit.deps, box: createSecretBox(old, systemRandom) };
  await claimIdentity(deps);
  for (let made = 0; made < count; made++)
    await createMerchant(deps, { name: `Shop ${made}`, domains: ['shop.pt'] });
  return kit;
}

const changing = (kit: Kit) => ({ ...kit.deps, box: createSecretBox(next, systemRandom, old) });

/** Rotates; `between` runs after each page. */
async function run(kit: Kit, between: () => Promise<unknown> = async () => {}) {
  const rotation = rotateSecrets(changing(kit), { serviceStopped: true });
  for (;;) {
    const step = await rotation.next();
    if (step.done) return step.value;
    await between();
  }
}

test('a key rotation can be interrupted and restarted, and needs the old key until it is complete', async () => {
  const kit = await manyMerchants(230);
  const settled = { ...kit.deps, box: createSecretBox(next, systemRandom) };
  const before = { ...kit.deps, box: createSecretBox(old, systemRandom) };
  let renewed = 0;
  for (const pages of [1, 2, 5]) {
    const rotation = rotateSecrets(changing(kit), { serviceStopped: true });
    for (let page = 0; page < pages; page++) renewed = Number((await rotation.next()).value);
    await rotation.return({ secrets: 0, renewed: 0, unreadable: 0, unreadablePlaces: [] });
    await expect(claimIdentity(settled)).rejects.toThrow(/SERVICE_SECRET_KEY is the new key/);
    // It could not decrypt what has been renewed.
    await expect(claimIdentity(before)).rejects.toThrow(/SERVICE_SECRET_KEY is the old key/);
    expect(await claimIdentity(changing(kit))).toBe('changing');
  }
  expect(renewed).toBeGreaterThan(0);
  // A process without the new key: the pages of the first column have passed its merchant.
  const addWithOldKey = () => createMerchant(before, { name: 'Late', domains: ['shop.pt'] });
  let pages = 0;
  const late = async () => ++pages === 4 && (await addWithOldKey());
  expect(await run(kit, late)).toEqual({ secrets: 462, renewed: 132, unreadable: 0, unreadablePlaces: [] });
  expect(await selectRows(kit.db, 'audit_log', { action: 'secret_key.changed' })).toMatchObject([
    { details: '{"secrets":462,"renewed":132}' },
  ]);
  expect(await claimIdentity(settled)).toBe('settled');
  expect(await run(kit)).toMatchObject({ secrets: 462, renewed: 0 });
  await expect(run(kit, addWithOldKey)).rejects.toThrow(
    /^secrets are still being encrypted with the old key/,
  );
});

test('a secret that no key opens is reported and does not stop the rotation of the others', async () => {
  const kit = await manyMerchants(3);
  const [first] = await kit.db.read.selectFrom('api_keys').selectAll().execute();
  await updateRows(kit.db, 'api_keys', { secret: 'v1.bm90aGluZw==' }, { id: first?.id ?? 'key_none' });
  expect(await run(kit)).toEqual({
    secrets: 6,
    renewed: 5,
    unreadable: 1,
    unreadablePlaces: [`api_keys.secret of ${first?.id}`],
  });
  expect(await claimIdentity({ ...kit.deps, box: createSecretBox(next, systemRandom) })).toBe('settled');
});

test('a secret that has changed since it was read is not overwritten', async () => {
  const kit = await manyMerchants(1);
  const column = ENCRYPTED_COLUMNS.find(({ table }) => table === 'api_keys');
  if (column === undefined) throw new Error('no such column');
  await kit.db.unit(async (tx) => {
    const [row] = await secretsAfter(tx, column, '', 1);
    if (row === undefined) throw new Error('no secret');
    expect(await replaceSecret(tx, column, { ...row, encrypted: 'v1.before' }, 'v1.renewed')).toBe(false);
    expect(await secretsAfter(tx, column, '', 1)).toEqual([row]);
    expect(await replaceSecret(tx, column, row, 'v1.renewed')).toBe(true);
  });
});
