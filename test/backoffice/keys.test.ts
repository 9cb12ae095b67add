import { afterAll, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../src/merchants/keys.ts';
import { api, startService } from '../support/harness.ts';
import { auditLog, shopWithOwner, signedIn } from './support.ts';

const service = await startService({ whenOver: afterAll });

async function opens(apiKey: string): Promise<boolean> {
  return (await api(service.url, apiKey).get('/payments/methods')).status === 200;
}

test('a named key is shown once, listed with its last characters, and ends with its revocation', async () => {
  const { merchant, merchantId, owner } = await shopWithOwner(service);
  const made = await owner.mutate('keys.create', { merchantId, name: ' ERP ' });
  expect(made).toMatchObject({ status: 200, value: { apiKey: expect.stringMatching(/^sk_\S{43}$/) } });
  const { apiKey, keyId } = made.value;
  expect([await opens(apiKey), await opens(merchant.apiKey)]).toEqual([true, true]);
  const trial = (await owner.mutate('keys.create', { merchantId, name: 'Trial', expiresInDays: 7 })).value;
  const viewer = await signedIn(service, { role: 'viewer', merchantId });
  const listed = async () => (await viewer.query('keys.list', { merchantId })).value.keys;
  const [first, second] = await listed();
  expect(first).toMatchObject({ keyId: trial.keyId, name: 'Trial', state: 'ending', lastUsedAt: null });
  expect(first.expiresAt - first.createdAt).toBe(7 * 86_400_000);
  const masked = `sk_••••••••${apiKey.slice(-4)}`;
  expect(second).toMatchObject({ keyId, name: 'ERP', masked, state: 'current', expiresAt: null });
  expect(JSON.stringify(await listed())).not.toContain(apiKey);
  expect((await owner.mutate('keys.reveal', { merchantId, keyId })).error.code).toBe('NOT_FOUND');

  expect((await owner.mutate('keys.revoke', { merchantId, keyId })).status).toBe(200);
  expect(await opens(apiKey)).toBe(false);
  expect([await opens(trial.apiKey), await opens(merchant.apiKey)]).toEqual([true, true]);
  expect(await listed()).toMatchObject([
    { name: 'Trial', state: 'ending' },
    { name: null, state: 'current' },
    { name: 'ERP', state: 'ended' },
  ]);
  const entries = await auditLog(service, { merchant_id: merchantId });
  expect(entries.filter(({ action }) => action.startsWith('key.'))).toMatchObject([
    { action: 'key.created', target: keyId, actor: owner.email },
    { action: 'key.created', target: trial.keyId, actor: owner.email },
    { action: 'key.revoked', target: keyId, actor: owner.email },
  ]);
});

test('a rolled key works until its grace period ends and is then not revealed; other keys work on', async () => {
  const { merchant, merchantId, owner } = await shopWithOwner(service);
  const bystander = await service.merchant();
  const { value: named } = await owner.mutate('keys.create', { merchantId, name: 'ERP' });
  const { value } = await owner.mutate('keys.roll', { merchantId, graceHours: 1 });
  const unnamedKeys = async () =>
    (await owner.query('keys.list', { merchantId })).value.keys.filter(
      ({ name }: { name: string | null }) => name === null,
    );
  const masked = `sk_••••••••${value.apiKey.slice(-4)}`;
  expect(await unnamedKeys()).toMatchObject([{ state: 'current', masked }, { state: 'ending' }]);
  expect((await merchant.get('/payments/methods')).status).toBe(200);
  await owner.mutate('keys.roll', { merchantId, graceHours: 0 });
  const keys = await unnamedKeys();
  expect(keys).toMatchObject([{ state: 'current' }, { state: 'ended' }, { state: 'ended' }]);
  expect((await merchant.get('/payments/methods')).status).toBe(401);
  expect([await opens(named.apiKey), await opens(bystander.apiKey)]).toEqual([true, true]);
  const { keyId } = keys[1];
  expect((await owner.mutate('keys.reveal', { merchantId, keyId })).error.reason).toBe('key_ended');
  expect((await owner.mutate('keys.roll', { merchantId, graceHours: 169 })).status).toBe(400);
});

test('a refused name, expiry or revocation has a reason that the pages translate', async () => {
  const own = await shopWithOwner(service);
  const { merchantId, owner } = own;
  const create = async (input: object) =>
    (await owner.mutate('keys.create', { merchantId, ...input })).error?.reason;
  const { keyId } = (await owner.mutate('keys.create', { merchantId, name: 'ERP' })).value;
  expect(await create({ name: 'ERP' })).toBe('key_name_taken');
  expect(await create({ name: ' ' })).toBe('key_name');
  expect(await create({ name: 'x'.repeat(51) })).toBe('key_name');
  expect(await create({ name: 'P\u202eOS' })).toBe('key_name');
  for (const expiresInDays of [0, 3661])
    expect(await create({ name: 'POS', expiresInDays })).toBe('key_days');
  const other = await shopWithOwner(service);
  const revoke = async (who: typeof other) =>
    (await who.owner.mutate('keys.revoke', { merchantId: who.merchantId, keyId })).error?.reason;
  expect(await revoke(other), 'the key of another merchant').toBe('key_absent');
  const unnamed = (await owner.query('keys.list', { merchantId })).value.keys.find(
    ({ name }: { name: string | null }) => name === null,
  );
  expect(
    (await owner.mutate('keys.revoke', { merchantId, keyId: unnamed.keyId })).error,
    'the key without a name is replaced instead',
  ).toMatchObject({ reason: 'key_absent' });
  const reveal = { merchantId: other.merchantId, keyId: unnamed.keyId };
  expect(
    (await other.owner.mutate('keys.reveal', reveal)).error,
    'the key of another merchant',
  ).toMatchObject({ code: 'NOT_FOUND' });
  await owner.mutate('keys.revoke', { merchantId, keyId });
  expect(await revoke(own), 'a revoked key').toBe('key_absent');
  expect(await create({ name: 'ERP' }), 'the name of an ended key is free').toBeUndefined();
});

test('a working key stays listed and its name taken, however many keys have ended since; at most 20 work', async () => {
  const { merchantId, owner } = await shopWithOwner(service);
  const { deps } = service.app;
  await createKey(deps, merchantId, { name: 'ERP', expiresInDays: undefined });
  for (let n = 0; n < 101; n++) {
    const { keyId } = await createKey(deps, merchantId, { name: 'Short', expiresInDays: undefined });
    await revokeKey(deps, merchantId, keyId);
  }
  const again = await owner.mutate('keys.create', { merchantId, name: 'ERP' });
  expect(again.error).toMatchObject({ reason: 'key_name_taken' });
  const { keys } = (await owner.query('keys.list', { merchantId })).value;
  expect(keys.map(({ name }: { name: string | null }) => name).slice(0, 2)).toEqual(['ERP', null]);
  expect(keys).toHaveLength(22);
  for (let n = 3; n <= 20; n++)
    await createKey(deps, merchantId, { name: `Till ${n}`, expiresInDays: undefined });
  const more = await owner.mutate('keys.create', { merchantId, name: 'POS' });
  expect(more.error).toMatchObject({ reason: 'key_too_many', values: { max: 20 } });
});
