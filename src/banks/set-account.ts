import { recordAudit } from '../audit/store.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { addAccount, credentialsPlace, openAccount } from './accounts.ts';
import { parseCredentials } from './credentials.ts';
import type { BankCredentials } from './port.ts';
import { currentAccount, merchantExists, replaceCredentials, supersedeAccount } from './store.ts';

type SetDeps = Pick<Deps, 'db' | 'box' | 'clock' | 'ids' | 'actor'>;

/**
 * Sets the account at the bank that new attempts use: a merchant's own, or the default one. With the same method keys
 * it is the same account with new credentials; otherwise the old one stays, because its attempts can still be paid.
 * Throws OperatorError that names the members at fault.
 */
export async function setBankAccount(
  deps: SetDeps,
  input: { merchantId: Id<'mer'> | null; credentials: unknown },
): Promise<{ account: Id<'acc'> }> {
  const credentials = parseCredentials(input.credentials);
  return deps.db.unit(async (tx) => {
    if (input.merchantId !== null && !(await merchantExists(tx, input.merchantId))) {
      throw new OperatorError(`there is no merchant ${input.merchantId}; see "merchant list"`);
    }
    const account = await writeAccount(tx, deps, input.merchantId, credentials);
    await recordAudit(tx, deps, { action: 'bank.changed', merchantId: input.merchantId, target: account });
    return { account };
  });
}

async function writeAccount(
  tx: Tx,
  deps: SetDeps,
  merchantId: Id<'mer'> | null,
  credentials: BankCredentials,
): Promise<Id<'acc'>> {
  const row = await currentAccount(tx, merchantId);
  if (row !== undefined) {
    const old = openAccount(deps.box, row).credentials;
    if (old.mbWayKey === credentials.mbWayKey && old.mbKey === credentials.mbKey) {
      const sealed = deps.box.seal(JSON.stringify(credentials), credentialsPlace(row.id));
      await replaceCredentials(tx, row.id, sealed, old.backofficeKey !== credentials.backofficeKey);
      return row.id;
    }
    await supersedeAccount(tx, row.id);
  }
  return addAccount(tx, deps, merchantId, credentials);
}
