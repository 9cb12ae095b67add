import type { Queryable, Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { randomText } from '../kernel/random.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { BankAccount, BankAccounts, BankCredentials, BankRecord } from './port.ts';
import { type AccountRow, accountById, currentAccount, everyAccount, insertAccount } from './store.ts';

const SANDBOX_KEYS = { mbWayKey: 'SBX-000001', mbKey: 'SBX-000002', backofficeKey: '0000-0000-0000-0001' };
const ANTI_PHISHING_LENGTH = 40;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Creates the look-up of accounts for payments: the merchant's own account, else the default one. */
export function createBankAccounts(deps: Pick<Deps, 'box'>): BankAccounts {
  const accounts: BankAccounts = {
    async current(db, merchantId) {
      const row = (await currentAccount(db, merchantId)) ?? (await currentAccount(db, null));
      return row === undefined ? null : openAccount(deps.box, row);
    },
    async byId(db, id) {
      const row = await accountById(db, id);
      if (row === undefined) throw new Error(`there is no bank account ${id}`);
      return openAccount(deps.box, row);
    },
    async ofRecord(db, { methodKey }, readerId, attemptAccountId) {
      const isUnnamed = methodKey === null || methodKey === undefined;
      if (isUnnamed && readerId === attemptAccountId) return readerId;
      const ofAttempt = await accounts.byId(db, attemptAccountId);
      if (hasMethodKey(ofAttempt, methodKey)) return attemptAccountId;
      const all = (await everyAccount(db)).map((row) => openAccount(deps.box, row));
      const named = all.find((account) => hasMethodKey(account, methodKey));
      if (named !== undefined) return named.id;
      const reader = all.find(({ id }) => id === readerId);
      const sharesList = reader?.credentials.backofficeKey === ofAttempt.credentials.backofficeKey;
      return sharesList ? attemptAccountId : readerId;
    },
  };
  return accounts;
}

/** Whether a row with this method key belongs to the account. */
export function hasMethodKey({ credentials }: BankAccount, methodKey: BankRecord['methodKey']): boolean {
  return credentials.mbWayKey === methodKey || credentials.mbKey === methodKey;
}

export interface KnownAccount extends BankAccount {
  current: boolean;
  listReadAt: number | null;
  longReadAt: number | null;
}

/** Every account, superseded ones included, current ones first. */
export async function allAccounts(
  deps: Pick<Deps, 'box'> & { db: { readonly read: Queryable } },
): Promise<KnownAccount[]> {
  return (await everyAccount(deps.db.read)).map((row) => ({
    ...openAccount(deps.box, row),
    current: row.current === 1,
    listReadAt: row.list_read_at,
    longReadAt: row.long_read_at,
  }));
}

/** The place that an account's encrypted credentials are bound to. */
export function credentialsPlace(id: BankAccount['id']): string {
  return `bank_accounts.credentials:${id}`;
}

export function openAccount(box: SecretBox, row: Pick<AccountRow, 'id' | 'credentials'>): BankAccount {
  const credentials = JSON.parse(box.open(row.credentials, credentialsPlace(row.id))) as BankCredentials;
  return { id: row.id, credentials };
}

/** Inserts a current account. Its owner must have none. */
export async function addAccount(
  tx: Tx,
  deps: Pick<Deps, 'box' | 'clock' | 'ids'>,
  merchantId: Id<'mer'> | null,
  credentials: BankCredentials,
): Promise<Id<'acc'>> {
  const id = deps.ids('acc');
  await insertAccount(tx, {
    id,
    merchant_id: merchantId,
    current: 1,
    credentials: deps.box.seal(JSON.stringify(credentials), credentialsPlace(id)),
    created_at: deps.clock.now(),
    list_read_at: null,
    long_read_at: null,
  });
  return id;
}

/** Creates the default account at the sandbox bank unless there is a default account already. */
export async function ensureSandboxAccount(
  deps: Pick<Deps, 'db' | 'box' | 'clock' | 'ids' | 'random'>,
): Promise<Id<'acc'>> {
  return deps.db.unit(async (tx) => {
    const row = await currentAccount(tx, null);
    if (row !== undefined) return row.id;
    const antiPhishingKey = randomText(deps.random, ANTI_PHISHING_LENGTH, LETTERS);
    return addAccount(tx, deps, null, { ...SANDBOX_KEYS, antiPhishingKey });
  });
}
