import { hash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { ERROR_TEXTS, errorText, ServiceError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import type { Merchant } from './context.ts';
import { findKey, touchKey } from './store.ts';

const BEARER = /^bearer +(\S+)$/i;
/** The shortest time between two updates of a key's last use. */
const LAST_USED_INTERVAL_MS = 60_000;

/**
 * Returns the merchant of the key in the Authorization header. The key is read from the database on every call, so that a rolled
 * key or a closed account takes effect with the next one. Throws UNAUTHORIZED or ACCOUNT_INACTIVE.
 */
export async function authenticate(
  deps: Pick<Deps, 'db' | 'clock' | 'log'>,
  authorization: string | undefined,
): Promise<Merchant> {
  const key = BEARER.exec(authorization?.trim() ?? '')?.[1];
  if (key === undefined) {
    throw new ServiceError('UNAUTHORIZED', ERROR_TEXTS.UNAUTHORIZED);
  }
  const now = deps.clock.now();
  const row = await findKey(deps.db.read, hash('sha256', key), now);
  if (row === undefined) {
    throw new ServiceError(
      'UNAUTHORIZED',
      'This API key is not valid. Copy the current key from the page Developers of the back office.',
    );
  }
  if (row.active !== 1) {
    throw new ServiceError('ACCOUNT_INACTIVE', ERROR_TEXTS.ACCOUNT_INACTIVE);
  }
  if (row.lastUsedAt === null || now - row.lastUsedAt >= LAST_USED_INTERVAL_MS) {
    recordUse(deps, row.keyId, now);
  }
  const { id, keyId, name, firstPaidAt } = row;
  return { id, keyId, name, active: true, hold: row.hold === 1, firstPaidAt };
}

/** Runs in the background: the call neither waits for it nor fails with it. */
function recordUse(deps: Pick<Deps, 'db' | 'log'>, keyId: Id<'key'>, now: number): void {
  deps.db
    .unit((tx) => touchKey(tx, keyId, now, now - LAST_USED_INTERVAL_MS))
    .catch((error: unknown) =>
      deps.log.warn({ keyId, cause: errorText(error) }, 'last use of a key not recorded'),
    );
}
