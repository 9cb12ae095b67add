import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import type { Tx } from './database.ts';
import { lockMeta, readMeta, writeMeta } from './meta.ts';

const CHECK_TEXT = 'this key opens this database';
const CHECK_PLACE = 'meta.secret_check';

/**
 * Ties a new database to its bank and its secret key; on a known one, compares. Throws OperatorError when the
 * database belongs to another bank, or when SERVICE_SECRET_KEY is not the key that it was made with.
 */
export async function claimIdentity(deps: Pick<Deps, 'db' | 'box' | 'settings'>): Promise<void> {
  await deps.db.unit(async (tx) => {
    // Two processes that start on a new database must not claim it for two banks or two keys.
    await lockMeta(tx);
    await claimBank(tx, deps.settings.bank);
    await claimSecretKey(tx, deps.box);
  });
}

async function claimBank(tx: Tx, bank: string): Promise<void> {
  const known = await readMeta(tx, 'bank');
  if (known === null) await writeMeta(tx, 'bank', bank);
  else if (known !== bank) {
    throw new OperatorError(
      `SERVICE_BANK is ${bank}, but this database belongs to ${known}; set SERVICE_BANK=${known}, or another SERVICE_DATABASE_URL`,
    );
  }
}

async function claimSecretKey(tx: Tx, box: SecretBox): Promise<void> {
  const sealed = await readMeta(tx, 'secret_check');
  if (sealed === null) await writeMeta(tx, 'secret_check', box.seal(CHECK_TEXT, CHECK_PLACE));
  else if (!opens(box, sealed)) {
    throw new OperatorError(
      'SERVICE_SECRET_KEY does not open this database; set the key that the database was made with',
    );
  }
}

function opens(box: SecretBox, sealed: string): boolean {
  try {
    return box.open(sealed, CHECK_PLACE) === CHECK_TEXT;
  } catch {
    return false;
  }
}
