import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { BackofficeError } from '../errors.ts';

/** N = 2^17, r = 8, p = 1: 128 MiB and some 0.3 s each. */
const COST = 17;
const BLOCK_SIZE = 8;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** The memory of one hash is 128 · r · N bytes; two at once are a quarter of a gigabyte. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 30;

let running = 0;
const waiting: (() => void)[] = [];

/** A new hash of a password, with its parameters and salt: `scrypt$17$8$1$salt$hash`. Throws when too many are under way. */
export async function hashPassword(deps: Pick<Deps, 'passwordCost'>, password: string): Promise<string> {
  const cost = deps.passwordCost ?? COST;
  const salt = randomBytes(SALT_BYTES);
  const hash = await inTurn(() => derive(password, salt, cost));
  return ['scrypt', cost, BLOCK_SIZE, 1, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether the password is the one of the hash; null, for whoever has none, takes as long and is never right. */
export async function verifyPassword(
  deps: Pick<Deps, 'passwordCost'>,
  password: string,
  stored: string | null,
): Promise<boolean> {
  const { cost, salt, hash } = parse(stored) ?? nobody(deps.passwordCost ?? COST);
  const derived = await inTurn(() => derive(password, salt, cost));
  return timingSafeEqual(derived, hash) && stored !== null;
}

interface Stored {
  cost: number;
  salt: Buffer;
  hash: Buffer;
}

function parse(stored: string | null): Stored | null {
  if (stored === null) return null;
  const [, cost, salt, hash] = /^scrypt\$(\d{1,2})\$8\$1\$([\w-]+)\$([\w-]{43})$/.exec(stored) ?? [];
  if (cost === undefined || salt === undefined || hash === undefined) {
    throw new Error('a stored password hash is not of a known form');
  }
  return { cost: Number(cost), salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

function nobody(cost: number): Stored {
  return { cost, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };
}

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const N = 2 ** cost;
  return new Promise((resolve, reject) => {
    scrypt(
      password.normalize('NFKC'),
      salt,
      HASH_BYTES,
      { N, r: BLOCK_SIZE, p: 1, maxmem: 256 * BLOCK_SIZE * N },
      (error, derived) => (error ? reject(error) : resolve(derived)),
    );
  });
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE_MAX) {
    if (waiting.length >= WAITING_MAX) {
      throw new BackofficeError(
        'TOO_MANY_REQUESTS',
        'Too many people sign in at once. Try again in a moment.',
        {
          reason: 'sign_in_busy',
        },
      );
    }
    // Whoever ends hands its place over: `running` stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
