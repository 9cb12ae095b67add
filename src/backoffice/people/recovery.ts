import { hash } from 'node:crypto';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import type { UserContext } from '../context.ts';
import { refused } from '../errors.ts';
import { auditUser } from './audit-user.ts';
import { readableText } from './readable-text.ts';
import { lockUser, recoveryHashes, replaceRecoveryCodes, requireUser } from './user-store.ts';

const CODES = 10;
/** About 74 bits, so that the hash of a code cannot be reversed. */
const GROUPS = 3;
const LENGTH = 15;

/** The hash of a typed recovery code; null for other text, such as an authenticator's code. */
export function recoveryHash(userId: Id<'usr'>, typed: string): string | null {
  const code = typed.toLowerCase().replace(/[\s-]/g, '');
  if (code.length !== LENGTH) return null;
  return hash('sha256', `${userId}:${code}`, 'hex');
}

/** Makes ten recovery codes in place of earlier ones. Resolves to the codes, which are stored as hashes only. */
export async function makeRecoveryCodes(tx: Tx, { random }: Pick<Deps, 'random'>, userId: Id<'usr'>) {
  const codes = Array.from({ length: CODES }, () => readableText(random, GROUPS));
  const hashes = codes.flatMap((code) => recoveryHash(userId, code) ?? []);
  await replaceRecoveryCodes(tx, userId, hashes);
  return codes;
}

/** Replaces the caller's recovery codes. Throws without a second factor. */
export async function renewRecoveryCodes(ctx: UserContext): Promise<{ recoveryCodes: string[] }> {
  const { deps, user } = ctx;
  return await deps.db.unit(async (tx) => {
    // A concurrent call would add its codes to these, or has just turned the factor off.
    await lockUser(tx, user.id);
    if ((await requireUser(tx, user.id)).totp_secret === null)
      throw refused('totp_off', 'The second factor is off. Turn it on first.');
    const recoveryCodes = await makeRecoveryCodes(tx, deps, user.id);
    await auditUser(tx, ctx, user, 'user.recovery_replaced');
    return { recoveryCodes };
  });
}

export async function countRecoveryCodes({ deps, user }: UserContext): Promise<{ left: number }> {
  return { left: (await recoveryHashes(deps.db.read, user.id)).length };
}
