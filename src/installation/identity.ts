import type { Tx } from '../db/database.ts';
import { clearMeta, lockMeta, readMeta, writeMeta } from '../db/meta.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { refuseMoved } from './copy/move.ts';

const CHECK_TEXT = 'this key opens this database';
const CHECK_PLACE = 'meta.secret_check';

/** `changing` while secrets may still be encrypted with a previous key. */
export type KeyState = 'settled' | 'changing';

/**
 * Binds a new database to its bank and secret key; compares them on an existing one. Throws OperatorError when the database
 * belongs to another bank, was moved or is an incomplete copy, or when the secret keys do not fit. Records a `start` of the
 * service with a new key, so that key rotation does not begin before the service uses that key.
 */
export async function claimIdentity(
  deps: Pick<Deps, 'db' | 'box' | 'settings'>,
  options: { start: boolean } = { start: false },
): Promise<KeyState> {
  return await deps.db.unit((tx) => claimIn(tx, deps, options));
}

/** As `claimIdentity`, within a unit of work; the schema may be older than this program. */
export async function claimIn(
  tx: Tx,
  { box, settings }: Pick<Deps, 'box' | 'settings'>,
  { start } = { start: false },
): Promise<KeyState> {
  // Two processes that start on a new database must not bind it to two banks or keys.
  await lockMeta(tx);
  await refuseMoved(tx);
  await claimBank(tx, settings.bank);
  return await claimSecretKey(tx, box, start);
}

/** Whether the service was started with the current key, a rotation to it was begun without the service, or it is settled. */
export async function isKnownToService(tx: Tx, box: SecretBox): Promise<boolean> {
  const checks = [await readMeta(tx, 'secret_check'), await readMeta(tx, 'secret_check_next')];
  return checks.some((encrypted) => encrypted !== null && box.renew(encrypted, CHECK_PLACE) === null);
}

/** Records that secrets may be encrypted with the current key, so that no service starts with only the previous one. */
export async function beginKeyChange(tx: Tx, box: SecretBox): Promise<void> {
  await writeMeta(tx, 'secret_check_next', box.encrypt(CHECK_TEXT, CHECK_PLACE));
}

/** Records that no secret is encrypted with another key. */
export async function settleKey(tx: Tx, box: SecretBox): Promise<void> {
  await writeMeta(tx, 'secret_check', box.encrypt(CHECK_TEXT, CHECK_PLACE));
  await clearMeta(tx, 'secret_check_next');
}

/** A database is bound to the sandbox or to real money; older versions wrote the name of the acquirer for the latter. */
async function claimBank(tx: Tx, bank: string): Promise<void> {
  const known = await readMeta(tx, 'bank');
  if (known === null) await writeMeta(tx, 'bank', bank === 'sandbox' ? 'sandbox' : 'real');
  else if ((known === 'sandbox') !== (bank === 'sandbox')) {
    const belongs =
      known === 'sandbox'
        ? 'the sandbox; set SERVICE_BANK=sandbox'
        : 'a real bank; set SERVICE_BANK to an acquirer';
    throw new OperatorError(
      `SERVICE_BANK is ${bank}, but this database belongs to ${belongs}, or another SERVICE_DATABASE_URL`,
    );
  }
}

async function claimSecretKey(tx: Tx, box: SecretBox, start: boolean): Promise<KeyState> {
  const encrypted = await readMeta(tx, 'secret_check');
  if (encrypted === null) {
    await settleKey(tx, box);
    return 'settled';
  }
  const next = await readMeta(tx, 'secret_check_next');
  if (!opens(box, encrypted)) throw cannotOpen(box, next);
  if (next !== null && !opens(box, next)) {
    throw new OperatorError(
      'SERVICE_SECRET_KEY is the old key, and the change to a new one has begun; set SERVICE_SECRET_KEY to the new key and SERVICE_SECRET_KEY_PREVIOUS to this one',
    );
  }
  const renewed = box.renew(encrypted, CHECK_PLACE);
  if (start && renewed !== null) await beginKeyChange(tx, box);
  return renewed === null && next === null ? 'settled' : 'changing';
}

function cannotOpen(box: SecretBox, next: string | null): OperatorError {
  if (next !== null && opens(box, next)) {
    return new OperatorError(
      'SERVICE_SECRET_KEY is the new key, but some secrets still use the old one; set SERVICE_SECRET_KEY_PREVIOUS to the old key again and complete "secrets rotate"',
    );
  }
  return new OperatorError(
    box.hasPrevious
      ? 'neither SERVICE_SECRET_KEY nor SERVICE_SECRET_KEY_PREVIOUS opens this database; one of them must be the key that it has been used with'
      : 'SERVICE_SECRET_KEY does not open this database; set the key that it was last used with (of a backup: the key in use when it was made) or, to change to a new key, also SERVICE_SECRET_KEY_PREVIOUS to that one',
  );
}

function opens(box: SecretBox, encrypted: string): boolean {
  try {
    return box.decrypt(encrypted, CHECK_PLACE) === CHECK_TEXT;
  } catch {
    return false;
  }
}
