import { recordAudit } from '../audit/store.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { deleteDomain, listDomains } from './store.ts';
import { registerableDomain } from './store-domain.ts';
import { demandMerchant } from './view.ts';

/** Takes a store domain off the list, in force with the next call. Throws OperatorError when it is not on it. */
export async function removeDomain(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>,
  merchantId: Id<'mer'>,
  text: string,
): Promise<{ domains: string[] }> {
  const domain = asRegistered(text);
  return deps.db.unit(async (tx) => {
    await demandMerchant(tx, merchantId);
    const removed = await deleteDomain(tx, merchantId, domain);
    const domains = await listDomains(tx, merchantId);
    if (removed === 0) {
      const there = domains.length === 0 ? 'none is' : `registered: ${domains.join(', ')}`;
      throw new OperatorError(`the domain ${JSON.stringify(text)} is not registered (${there})`);
    }
    await recordAudit(tx, deps, { action: 'domain.removed', merchantId, target: domain });
    return { domains };
  });
}

// The public suffix list grows: what became a suffix after it was registered must still be removable.
function asRegistered(text: string): string {
  try {
    return registerableDomain(text);
  } catch (error) {
    if (error instanceof OperatorError) return text.trim().toLowerCase();
    throw error;
  }
}
