import { recordAudit } from '../audit/store.ts';
import type { Deps } from '../deps.ts';
import { OperatorError, Refusal } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { deleteDomain, insertDomains, listDomains, lockMerchant, requireMerchant } from './store.ts';
import { registerableDomain } from './store-domain.ts';

const DOMAINS_PER_MERCHANT_MAX = 100;

/** Registers a store domain, effective with the next call. Does nothing for a registered domain. */
export async function addDomain(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>,
  merchantId: Id<'mer'>,
  text: string,
): Promise<{ domains: string[] }> {
  const domain = registerableDomain(text);
  return deps.db.unit(async (tx) => {
    await lockMerchant(tx, merchantId);
    const before = await listDomains(tx, merchantId);
    if (before.includes(domain)) return { domains: before };
    await insertDomains(tx, merchantId, [domain], deps.clock.now());
    await recordAudit(tx, deps, { action: 'domain.added', merchantId, target: domain });
    const domains = await listDomains(tx, merchantId);
    checkDomainsCount(domains.length);
    return { domains };
  });
}

/** Limits the list, because every payment reads it. Throws Refusal. */
export function checkDomainsCount(count: number): void {
  if (count > DOMAINS_PER_MERCHANT_MAX) {
    const max = DOMAINS_PER_MERCHANT_MAX;
    throw new Refusal(
      'domain_too_many',
      `a merchant has at most ${max} store domains; remove one, or use a wildcard such as *.shop.pt`,
      { max },
    );
  }
}

/** Removes a store domain, effective with the next call. Throws Refusal when it is not registered. */
export async function removeDomain(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>,
  merchantId: Id<'mer'>,
  text: string,
): Promise<{ domains: string[] }> {
  const domain = asRegistered(text);
  return deps.db.unit(async (tx) => {
    await requireMerchant(tx, merchantId);
    const removed = await deleteDomain(tx, merchantId, domain);
    const domains = await listDomains(tx, merchantId);
    if (removed === 0) {
      const registered = domains.length === 0 ? 'none is' : `registered: ${domains.join(', ')}`;
      throw new Refusal(
        'domain_absent',
        `the domain ${JSON.stringify(text)} is not registered (${registered})`,
      );
    }
    await recordAudit(tx, deps, { action: 'domain.removed', merchantId, target: domain });
    return { domains };
  });
}

/** A domain that became a public suffix after its registration can still be removed. */
function asRegistered(text: string): string {
  try {
    return registerableDomain(text);
  } catch (error) {
    if (error instanceof OperatorError) return text.trim().toLowerCase();
    throw error;
  }
}
