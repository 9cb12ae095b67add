import type { IfthenpayCredentials } from '../../src/banks/ifthenpay/profile.ts';
import type { Deps } from '../../src/deps.ts';
import type { Id } from '../../src/kernel/ids.ts';

/** The ifthenpay credentials of the account that a merchant's pushes use. */
export async function bankCredentials(
  { db, bankAccounts }: Pick<Deps, 'db' | 'bankAccounts'>,
  merchantId: Id<'mer'>,
): Promise<IfthenpayCredentials> {
  const routed = await bankAccounts.routed(db.read, merchantId, 'MBWAY');
  if (routed === null) throw new Error('no bank account is set');
  return routed.account.credentials as IfthenpayCredentials;
}
