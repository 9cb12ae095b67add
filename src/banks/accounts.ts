import type { Queryable, Tx } from '../db/database.ts';
import type { PaymentMethod } from '../db/tables/payments.ts';
import type { Deps } from '../deps.ts';
import type { Acquirer } from '../kernel/acquirer.ts';
import { isoInstant } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { LETTERS_AND_DIGITS, type Random, randomText } from '../kernel/random.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { type AcquirerSetting, profileOf } from './acquirers.ts';
import type { BankAccount, BankAccounts, BankRecord, RoutedAccount } from './port.ts';
import { routeOf } from './routes.ts';
import {
  type AccountRow,
  accountById,
  currentAccount,
  everyAccount,
  insertAccount,
  usedAccount,
} from './store.ts';

export function createBankAccounts(deps: Pick<Deps, 'box'> & AcquirerSetting): BankAccounts {
  const withLimits = (account: BankAccount, method: PaymentMethod): RoutedAccount => ({
    ...account,
    ...profileOf(account.acquirer).limits[method],
  });
  const accounts: BankAccounts = {
    async routed(db, merchantId, method) {
      const { acquirer, fallback } = await routeOf(db, merchantId, method, deps.settings.acquirer);
      const row = await usedAccount(db, merchantId, acquirer);
      if (row === undefined) return null;
      const other = fallback === null ? undefined : await usedAccount(db, merchantId, fallback);
      // Payments at the acquirer do not depend on the credentials of its fallback.
      const readable = other === undefined ? null : readableAccount(deps.box, other);
      return {
        account: withLimits(openAccount(deps.box, row), method),
        fallback: readable === null ? null : withLimits(readable, method),
      };
    },
    async byId(db, id) {
      const row = await accountById(db, id);
      if (row === undefined) throw new Error(`there is no bank account ${id}`);
      return openAccount(deps.box, row);
    },
    async ofRecord(db, { methodKey }, readerId, attemptAccountId) {
      const isUnnamed = methodKey === null || methodKey === undefined;
      if (isUnnamed && (attemptAccountId ?? readerId) === readerId) return readerId;
      const ofAttempt = attemptAccountId === null ? null : await accounts.byId(db, attemptAccountId);
      if (ofAttempt !== null && hasMethodKey(ofAttempt, methodKey)) return ofAttempt.id;
      const unreadable: unknown[] = [];
      const read = { box: deps.box, db: { read: db } };
      const all = await allAccounts(read, (_account, error) => unreadable.push(error));
      const named = all.find((account) => hasMethodKey(account, methodKey));
      if (named !== undefined) return named.id;
      // The payment may name an account whose credentials cannot be read.
      if (!isUnnamed && unreadable.length > 0) throw unreadable[0];
      const reader = all.find(({ id }) => id === readerId);
      if (reader === undefined || ofAttempt === null) return readerId;
      return listKeyOf(reader) === listKeyOf(ofAttempt) ? ofAttempt.id : readerId;
    },
  };
  return accounts;
}

/** Whether a row with this method key belongs to the account. */
export function hasMethodKey(account: BankAccount, methodKey: BankRecord['methodKey']): boolean {
  return profileOf(account.acquirer)
    .methodKeys(account.credentials)
    .some((key) => key === methodKey);
}

/** The key of an account's list; accounts that share one list at an acquirer have the same key. */
export function listKeyOf({ acquirer, credentials }: BankAccount): string {
  return `${acquirer} ${profileOf(acquirer).listKey(credentials)}`;
}

/** Whether a callback of one account also authenticates as a callback of the other. */
export function shareCallbacks(a: BankAccount, b: BankAccount): boolean {
  const keyOf = ({ acquirer, credentials }: BankAccount) => profileOf(acquirer).notificationKey(credentials);
  return a.acquirer === b.acquirer && keyOf(a) === keyOf(b);
}

export interface KnownAccount extends BankAccount {
  current: boolean;
  encryptedCredentials: string;
  listReadAt: number | null;
  longReadAt: number | null;
}

/**
 * Every account, superseded ones included, current ones first. Throws when the credentials of one cannot be read; with
 * `onUnreadable`, calls it and leaves the account out.
 */
export async function allAccounts(
  deps: Pick<Deps, 'box'> & { db: { readonly read: Queryable } },
  onUnreadable?: (account: AccountRow, error: unknown) => void,
): Promise<KnownAccount[]> {
  const accounts: KnownAccount[] = [];
  for (const row of await everyAccount(deps.db.read)) {
    try {
      const account = openAccount(deps.box, row);
      const { credentials: encryptedCredentials, list_read_at: listReadAt, long_read_at: longReadAt } = row;
      accounts.push({ ...account, current: row.current === 1, encryptedCredentials, listReadAt, longReadAt });
    } catch (error) {
      if (onUnreadable === undefined) throw error;
      onUnreadable(row, error);
    }
  }
  return accounts;
}

/** Every bank account without its credentials, current ones first. */
export async function listAccounts(deps: { db: { readonly read: Queryable } }) {
  return (await everyAccount(deps.db.read)).map((row) => ({
    account: row.id,
    /** Null for a default account. */
    merchantId: row.merchant_id,
    acquirer: row.acquirer,
    current: row.current === 1,
    createdAt: isoInstant(row.created_at),
  }));
}

export function openAccount(
  box: SecretBox,
  row: Pick<AccountRow, 'id' | 'acquirer' | 'credentials'>,
): BankAccount {
  const credentials: unknown = JSON.parse(
    box.decryptCached(row.credentials, `bank_accounts.credentials:${row.id}`),
  );
  return { id: row.id, acquirer: row.acquirer, credentials };
}

/** The account; null when its credentials cannot be read. */
export function readableAccount(...account: Parameters<typeof openAccount>): BankAccount | null {
  try {
    return openAccount(...account);
  } catch {
    return null;
  }
}

/** Inserts a current account. Its owner must have none at this acquirer. */
export async function addAccount(
  tx: Tx,
  deps: Pick<Deps, 'box' | 'clock' | 'ids'>,
  merchantId: Id<'mer'> | null,
  { acquirer, credentials }: Pick<BankAccount, 'acquirer' | 'credentials'>,
): Promise<Id<'acc'>> {
  const id = deps.ids('acc');
  await insertAccount(tx, {
    id,
    merchant_id: merchantId,
    acquirer,
    current: 1,
    credentials: deps.box.encrypt(JSON.stringify(credentials), `bank_accounts.credentials:${id}`),
    created_at: deps.clock.now(),
    list_read_at: null,
    long_read_at: null,
  });
  return id;
}

/** Creates the default account at the sandbox, at the installation's acquirer, unless there is a default account already. */
export async function ensureSandboxAccount(
  deps: Pick<Deps, 'db' | 'box' | 'clock' | 'ids' | 'random'> & AcquirerSetting,
): Promise<Id<'acc'>> {
  const { acquirer } = deps.settings;
  return deps.db.unit(async (tx) => {
    const row = await currentAccount(tx, null, acquirer);
    if (row !== undefined) return row.id;
    return addAccount(tx, deps, null, { acquirer, credentials: sandboxCredentials(deps.random, acquirer) });
  });
}

export function sandboxCredentials(random: Random, acquirer: Acquirer): unknown {
  return profileOf(acquirer).sandboxCredentials((length) => randomText(random, length, LETTERS_AND_DIGITS));
}
