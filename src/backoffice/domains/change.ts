import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { addDomain, DOMAINS_PER_MERCHANT_MAX } from '../../merchants/add-domain.ts';
import { removeDomain } from '../../merchants/remove-domain.ts';
import { listDomains } from '../../merchants/store.ts';
import { refused } from '../errors.ts';

type ChangeDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>;

/** Registers a store domain, which applies from the next payment on. */
export async function addOwnDomain(deps: ChangeDeps, merchantId: Id<'mer'>, text: string): Promise<void> {
  const max = DOMAINS_PER_MERCHANT_MAX;
  if ((await listDomains(deps.db.read, merchantId)).length >= max) {
    throw refused(
      'domain_too_many',
      `A merchant has at most ${max} domains. Remove one, or use a wildcard such as *.shop.pt.`,
      { values: { max } },
    );
  }
  await addDomain(deps, merchantId, text);
}

/** Removes a store domain, which applies from the next payment on. */
export async function removeOwnDomain(
  deps: ChangeDeps,
  merchantId: Id<'mer'>,
  domain: string,
): Promise<void> {
  if (!(await listDomains(deps.db.read, merchantId)).includes(domain)) {
    throw refused('domain_absent', `${domain} is not registered.`);
  }
  await removeDomain(deps, merchantId, domain);
}
