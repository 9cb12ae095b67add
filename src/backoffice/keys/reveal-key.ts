import { recordAudit } from '../../audit/store.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { BackofficeError, notFound } from '../errors.ts';
import { findOwnKey } from './store.ts';

/** A key of the merchant in plain, while it opens anything; the audit log knows who asked. Throws BackofficeError. */
export async function revealKey(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
  keyId: string,
): Promise<{ apiKey: string }> {
  const key = await deps.db.unit(async (tx) => {
    const found = await findOwnKey(tx, merchantId, keyId as Id<'key'>);
    if (found === undefined) throw notFound();
    if (found.expires_at !== null && Number(found.expires_at) <= deps.clock.now()) {
      throw new BackofficeError('BAD_REQUEST', 'This key has ended and opens nothing any more.', {
        reason: 'key_ended',
      });
    }
    await recordAudit(tx, deps, { action: 'key.revealed', merchantId, target: found.id });
    return found;
  });
  return { apiKey: deps.box.open(key.secret, `api_keys.secret:${key.id}`) };
}
