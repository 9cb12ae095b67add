import { recordAudit } from '../audit/store.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { addAccount, credentialsPlace, openAccount } from './accounts.ts';
import type { BankCredentials } from './port.ts';
import { currentAccount, merchantExists, replaceCredentials, supersedeAccount } from './store.ts';

const METHOD_KEY = /^[A-Z]{3}-\d{6}$/;

const RULES: readonly { name: keyof BankCredentials; pattern: RegExp; what: string }[] = [
  { name: 'mbWayKey', pattern: METHOD_KEY, what: 'must look like ABC-123456' },
  { name: 'mbKey', pattern: METHOD_KEY, what: 'must look like ABC-123456' },
  { name: 'backofficeKey', pattern: /^\d{4}-\d{4}-\d{4}-\d{4}$/, what: 'must look like 0000-0000-0000-0000' },
  {
    name: 'antiPhishingKey',
    pattern: /^(?!0+$)[!-~]{8,100}$/,
    what: 'must have 8 to 100 printable characters without spaces, not only zeros',
  },
];

type SetDeps = Pick<Deps, 'db' | 'box' | 'clock' | 'ids' | 'actor'>;

/**
 * Sets the bank account for new attempts: a merchant's own, or the default one. With the same method keys, the account
 * keeps its id and gets new credentials; otherwise the old account stays readable, because its attempts can still be
 * paid. Throws OperatorError that names the invalid members.
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

/** Parses the credentials typed by an operator. Throws OperatorError that names every invalid member and no value. */
function parseCredentials(input: unknown): BankCredentials {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new OperatorError(
      `bank credentials must be a JSON object with ${RULES.map((rule) => rule.name).join(', ')}`,
    );
  }
  const given = input as Record<string, unknown>;
  const values: Partial<BankCredentials> = {};
  const faults: string[] = [];
  for (const { name, pattern, what } of RULES) {
    const value = given[name];
    if (value === undefined || value === null) faults.push(`${name} is missing`);
    else if (typeof value !== 'string' || !pattern.test(value)) faults.push(`${name} ${what}`);
    else values[name] = value;
  }
  if (faults.length > 0) throw new OperatorError(`bank credentials: ${faults.join('; ')}`);
  return values as BankCredentials;
}
