import { expect, test } from 'vitest';
import { allAccounts, createBankAccounts, ensureSandboxAccount } from '../../src/banks/accounts.ts';
import { type BankAccount, BankUnavailable } from '../../src/banks/port.ts';
import { registerCallbacks } from '../../src/banks/register-callbacks.ts';
import { setRoute } from '../../src/banks/routes.ts';
import { setBank, setBankAccount } from '../../src/banks/set-account.ts';
import { markListRead } from '../../src/banks/store.ts';
import { errorText } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { temporaryDatabase } from '../support/database.ts';
import { depsOn } from '../support/deps.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { insertRows } from '../support/rows.ts';
import { CREDENTIALS, fakeBank } from './support.ts';

async function setup() {
  const db = await temporaryDatabase();
  const deps = depsOn(db, fakeClock());
  const merchantId = deps.ids('mer');
  await insertRows(db, 'merchants', { id: merchantId });
  const set = (owner: Id<'mer'> | null, changes: Partial<typeof CREDENTIALS> = {}) =>
    setBankAccount(deps, { merchantId: owner, credentials: { ...CREDENTIALS, ...changes } });
  return { db, deps, merchantId, set, accounts: createBankAccounts(deps) };
}

test("a merchant's attempts use its own account, else the default one, else none", async () => {
  const { db, merchantId, set, accounts } = await setup();
  expect(await accounts.routed(db.read, merchantId, 'MBWAY')).toBeNull();
  const { account: standard } = await set(null);
  expect((await accounts.routed(db.read, merchantId, 'MBWAY'))?.account.id).toBe(standard);
  const { account: own } = await set(merchantId, { mbWayKey: 'OWN-000001' });
  expect((await accounts.routed(db.read, merchantId, 'MBWAY'))?.account).toMatchObject({
    id: own,
    credentials: { mbWayKey: 'OWN-000001' },
  });
  expect((await accounts.routed(db.read, 'mer_other', 'MBWAY'))?.account.id).toBe(standard);
});

test('new credentials with the same method keys keep the account; other keys supersede it, and the old one stays readable', async () => {
  const { db, deps, set, accounts } = await setup();
  const { account: first } = await set(null);
  const renewed = await set(null, { antiPhishingKey: 'another-key' });
  expect(renewed.account).toBe(first);
  const { account: second } = await set(null, { mbKey: 'NEW-000001' });
  expect(second).not.toBe(first);
  expect(await accounts.byId(db.read, first)).toMatchObject({
    credentials: { antiPhishingKey: 'another-key' },
  });
  expect((await allAccounts(deps)).map(({ id, current }) => [id, current])).toEqual([
    [second, true],
    [first, false],
  ]);
});

test('keys of a superseded contract renew its account, which becomes current again', async () => {
  const { db, deps, merchantId, set, accounts } = await setup();
  const { account: first } = await set(null);
  const { account: second } = await set(null, { mbKey: 'NEW-000001' });
  await set(merchantId);
  const renewed = { backofficeKey: '9999-9999-9999-9999' };
  expect((await set(null, renewed)).account).toBe(first);
  expect(await accounts.byId(db.read, first)).toMatchObject({ credentials: renewed });
  expect((await set(null, { ...renewed, mbKey: 'NEW-000001' })).account).toBe(second);
  const own = (await allAccounts(deps)).filter(({ id }) => id === first || id === second);
  expect(own).toMatchObject([
    { id: second, current: true, credentials: renewed },
    { id: first, current: false, credentials: renewed },
  ]);
});

test('credentials that cannot be read are replaced in their account, whose attempts can still be paid', async () => {
  const { db, deps, set } = await setup();
  const { account } = await set(null);
  const damaged = { credentials: 'damaged', list_read_at: 1, long_read_at: 1 };
  await db.unit((tx) => tx.updateTable('bank_accounts').set(damaged).execute());
  expect(await set(null)).toMatchObject({ account });
  expect(await allAccounts(deps)).toMatchObject([{ credentials: CREDENTIALS, listReadAt: null }]);
});

test('a fallback account that cannot be read does not stop the payments at the other acquirer', async () => {
  const { db, deps, merchantId, set, accounts } = await setup();
  const { account } = await set(null);
  await insertRows(db, 'bank_accounts', { id: 'acc_fallback', acquirer: 'eupago', current: 1 });
  await setRoute(deps, merchantId, 'MBWAY', { acquirer: 'ifthenpay', fallback: 'eupago' });
  const routed = await accounts.routed(db.read, merchantId, 'MBWAY');
  expect(routed).toMatchObject({ account: { id: account }, fallback: null });
});

test('callbacks are registered although the credentials of another account cannot be read', async () => {
  const { db, deps, merchantId, set } = await setup();
  const { account } = await set(null);
  await insertRows(db, 'bank_accounts', { id: 'acc_unreadable', current: 1, merchant_id: merchantId });
  const registered: string[] = [];
  const bank = { ...fakeBank(), registerCallback: async ({ id }: BankAccount) => void registered.push(id) };
  const register = (only?: Id<'acc'>) =>
    registerCallbacks({ ...deps, bank } as never, 'https://service.pt', only);
  await register(account);
  await expect(register()).rejects.toThrow('not an encrypted secret');
  expect(registered).toEqual([account, account]);
});

test('an account at the bank itself is set without a request; its callbacks are registered by command', async () => {
  const { deps } = await setup();
  const registered: string[] = [];
  const bank = { ...fakeBank(), registerCallback: async ({ id }: BankAccount) => void registered.push(id) };
  for (const kind of ['ifthenpay', 'sandbox']) {
    const settings = { ...deps.settings, bank: kind };
    const input = { merchantId: null, credentials: CREDENTIALS };
    await setBank({ ...deps, bank, settings, serviceUrl: () => 'https://service.pt' } as never, input);
    expect(registered).toHaveLength(kind === 'sandbox' ? 1 : 0);
  }
});

test('a failed registration names its account, and the others are registered', async () => {
  const { deps, merchantId, set } = await setup();
  const { account: refused } = await set(null);
  const { account } = await set(merchantId, { mbWayKey: 'OWN-000001', mbKey: 'OWN-000002' });
  const registered: string[] = [];
  const registerCallback = async ({ id }: BankAccount) => {
    if (id === refused) throw new BankUnavailable('HTTP 200, not confirmed by the bank');
    registered.push(id);
  };
  const bank = { ...fakeBank(), registerCallback };
  const failure = await registerCallbacks({ ...deps, bank } as never, 'https://service.pt').catch((e) => e);
  expect(failure).toBeInstanceOf(BankUnavailable);
  expect(errorText(failure)).toBe(`account ${refused}: HTTP 200, not confirmed by the bank`);
  expect(registered).toEqual([account]);
});

test('the cursors of a thousand accounts that share a list are moved together', async () => {
  const { db } = await setup();
  const stored = Array.from({ length: 1001 }, (_, n) => `encrypted ${n}`);
  for (const [n, credentials] of stored.entries())
    await insertRows(db, 'bank_accounts', { id: `acc_${n}` as const, credentials, current: 0 });
  expect(await db.unit((tx) => markListRead(tx, stored, 1, false))).toBe(true);
});

test('after a change of the backoffice key the list is read from the beginning', async () => {
  const { db, deps, set } = await setup();
  await set(null);
  await db.unit((tx) => tx.updateTable('bank_accounts').set({ list_read_at: 1, long_read_at: 1 }).execute());
  await set(null, { antiPhishingKey: 'another-key' });
  expect((await allAccounts(deps))[0]).toMatchObject({ listReadAt: 1, longReadAt: 1 });
  await set(null, { backofficeKey: '9999-9999-9999-9999' });
  expect((await allAccounts(deps))[0]).toMatchObject({ listReadAt: null, longReadAt: null });
});

test('invalid credentials are refused by name, all at once, without their values', async () => {
  const { deps, set } = await setup();
  await expect(set(null, { mbWayKey: 'abc-1', antiPhishingKey: 'two words here' })).rejects.toThrow(
    'bank credentials: mbWayKey must look like ABC-123456; antiPhishingKey must have 8 to 100 printable characters without spaces, not only zeros',
  );
  await expect(set(null, { antiPhishingKey: '0'.repeat(32) })).rejects.toThrow('not only zeros');
  for (const credentials of [null, 'text', [], 7]) {
    await expect(setBankAccount(deps, { merchantId: null, credentials })).rejects.toThrow(
      'must be a JSON object',
    );
  }
  await expect(setBankAccount(deps, { merchantId: null, credentials: {} })).rejects.toThrow(
    'mbWayKey is missing; mbKey is missing; backofficeKey is missing; antiPhishingKey is missing',
  );
  await expect(set('mer_nobody')).rejects.toThrow('there is no merchant mer_nobody');
  expect(await allAccounts(deps)).toEqual([]);
});

test("the sandbox account is created once and never replaces the operator's", async () => {
  const { deps, set } = await setup();
  const made = await ensureSandboxAccount(deps);
  expect(await ensureSandboxAccount(deps)).toBe(made);
  const other = (await set(null, { mbKey: 'NEW-000001' })).account;
  expect(await ensureSandboxAccount(deps)).toBe(other);
});
