import { hash } from 'node:crypto';
import { beforeCommit } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { ERROR_TEXTS, errorText, ServiceError } from '../kernel/errors.ts';
import type { Merchant } from './context.ts';
import { findKey, type KeyUse, LAST_USED_INTERVAL_MS, touchKeys } from './store.ts';

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
}

/**
 * Returns the merchant of the key in the Authorization header. The key is read from the database on every call, so that a rolled
 * key or a closed account takes effect with the next one. Throws UNAUTHORIZED or ACCOUNT_INACTIVE.
 */
export async function authenticate(
  deps: Pick<Deps, 'db' | 'clock' | 'log'>,
  authorization: string | undefined,
): Promise<Merchant> {
  const key = bearerToken(authorization);
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
    recordUse(deps, { id: row.keyId, merchant_id: row.id, usedAt: now });
  }
  const { id, keyId, name, firstPaidAt, domains = null } = row;
  return { id, keyId, name, firstPaidAt, domains };
}

/** Runs in the background: the call neither waits for it nor fails with it. */
function recordUse(deps: Pick<Deps, 'db' | 'log'>, use: KeyUse): void {
  deps.db
    .unit(async (tx) => beforeCommit(tx, touchKeys, use), { shared: true })
    .catch((error: unknown) =>
      deps.log.warn({ keyId: use.id, cause: errorText(error) }, 'last use of a key not recorded'),
    );
}
