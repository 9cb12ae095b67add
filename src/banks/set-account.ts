import { recordAudit } from '../audit/store.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Acquirer } from '../kernel/acquirer.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { requireMerchant } from '../merchants/store.ts';
import { addAccount, listKeyOf, readableAccount } from './accounts.ts';
import { type AcquirerSetting, profileOf } from './acquirers.ts';
import { type BankAccount, BankUnavailable } from './port.ts';
import { registerCallbacks } from './register-callbacks.ts';
import { routeAllTo } from './routes.ts';
import { ownAccounts, replaceCredentials, supersedeAccount } from './store.ts';

type SetDeps = Pick<Deps, 'db' | 'box' | 'clock' | 'ids' | 'actor'> & AcquirerSetting;

/**
 * Sets the account for new attempts at an acquirer, by default the installation's: the default account, or a merchant's own
 * account, to which it also routes the merchant's methods. With the same contract as an account of this owner, that account keeps
 * its id, gets new credentials and is current; the account that was current stays readable, because its attempts can still be paid.
 * If the credentials of the current account cannot be read, they count as the same contract. Throws OperatorError that names the
 * invalid members.
 */
export async function setBankAccount(
  deps: SetDeps,
  input: { merchantId: Id<'mer'> | null; acquirer?: Acquirer | undefined; credentials: unknown },
): Promise<{ account: Id<'acc'>; acquirer: Acquirer }> {
  const { merchantId, acquirer = deps.settings.acquirer } = input;
  const given = { acquirer, credentials: parseCredentials(acquirer, input.credentials) };
  return deps.db.unit(async (tx) => {
    if (merchantId !== null) await requireMerchant(tx, merchantId);
    const account = await writeAccount(tx, deps, merchantId, given);
    if (merchantId !== null) await routeAllTo(tx, merchantId, acquirer);
    await recordAudit(tx, deps, {
      action: 'bank.changed',
      merchantId,
      target: account,
      details: { acquirer },
    });
    return { account, acquirer };
  });
}

/** Sets an account, and opens or changes it at the sandbox; one that is not running gets it at the next start of the service. */
export async function setBank(
  deps: SetDeps & Pick<Deps, 'bank' | 'settings' | 'serviceUrl'>,
  input: Parameters<typeof setBankAccount>[1],
): ReturnType<typeof setBankAccount> {
  const set = await setBankAccount(deps, input);
  if (deps.settings.bank !== 'sandbox') return set;
  await registerCallbacks(deps, deps.serviceUrl(), set.account).catch((error: unknown) => {
    if (!(error instanceof BankUnavailable)) throw error;
  });
  return set;
}

async function writeAccount(
  tx: Tx,
  deps: SetDeps,
  merchantId: Id<'mer'> | null,
  given: Pick<BankAccount, 'acquirer' | 'credentials'>,
): Promise<Id<'acc'>> {
  const accounts = await ownAccounts(tx, merchantId, given.acquirer);
  const current = accounts.find((row) => row.current === 1);
  const { isSameContract } = profileOf(given.acquirer);
  const kept = accounts
    .map((row) => ({ row, old: readableAccount(deps.box, row) }))
    .find(({ row, old }) =>
      old === null ? row === current : isSameContract(old.credentials, given.credentials),
    );
  if (current !== undefined && current !== kept?.row) await supersedeAccount(tx, current.id);
  if (kept === undefined) return addAccount(tx, deps, merchantId, given);
  const { row, old } = kept;
  const encrypted = deps.box.encrypt(
    JSON.stringify(given.credentials),
    `bank_accounts.credentials:${row.id}`,
  );
  const isOtherList = old === null || listKeyOf(old) !== listKeyOf({ ...old, ...given });
  await replaceCredentials(tx, row.id, encrypted, isOtherList);
  return row.id;
}

/** Parses the credentials that an operator entered. Throws OperatorError that names every invalid member and no value. */
function parseCredentials(acquirer: Acquirer, input: unknown): unknown {
  const parsed = profileOf(acquirer).credentials.safeParse(input);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
  throw new OperatorError(`bank credentials: ${[...new Set(faults)].join('; ')}`);
}
