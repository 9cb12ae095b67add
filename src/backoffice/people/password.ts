import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Deps } from '../../deps.ts';
import { createLimit } from '../call-limit.ts';

/** Base-2 logarithm of N; with r = 8 and p = 1 a hash takes 128 MiB. */
const COST = 17;
const BLOCK_SIZE = 8;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const scryptAsync = promisify<string, Buffer, number, object, Buffer>(scrypt);
/** Two hashes at a time, to bound the memory, and 30 that wait. */
const limit = createLimit(2, 30, {
  sentence: 'Too many sign-ins at once. Try again in a moment.',
  reason: 'sign_in_busy',
});

/** A new hash with its parameters and salt: `scrypt$17$8$1$salt$hash`. Throws when too many hashes are waiting. */
export async function hashPassword(deps: Pick<Deps, 'passwordCost'>, password: string): Promise<string> {
  const cost = deps.passwordCost ?? COST;
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, cost);
  return ['scrypt', cost, BLOCK_SIZE, 1, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether the password belongs to the hash. Without a hash (null) the answer is false and takes the same time. */
export async function verifyPassword(
  deps: Pick<Deps, 'passwordCost'>,
  password: string,
  stored: string | null,
): Promise<boolean> {
  const { cost, salt, hash } = stored === null ? unknownUser(deps.passwordCost ?? COST) : parse(stored);
  const derived = await derive(password, salt, cost);
  return timingSafeEqual(derived, hash) && stored !== null;
}

function parse(stored: string) {
  const [, cost, salt, hash] = /^scrypt\$(\d{1,2})\$8\$1\$([\w-]+)\$([\w-]{43})$/.exec(stored) ?? [];
  if (cost === undefined || salt === undefined || hash === undefined) {
    throw new Error('a stored password hash has an unknown format');
  }
  return { cost: Number(cost), salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

function unknownUser(cost: number) {
  return { cost, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };
}

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const N = 2 ** cost;
  const options = { N, r: BLOCK_SIZE, p: 1, maxmem: 256 * BLOCK_SIZE * N };
  return limit.run('', () => scryptAsync(password.normalize('NFKC'), salt, HASH_BYTES, options));
}
