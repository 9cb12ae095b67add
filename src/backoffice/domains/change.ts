import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { addDomain, DOMAINS_PER_MERCHANT_MAX } from '../../merchants/add-domain.ts';
import { removeDomain } from '../../merchants/remove-domain.ts';
import { DomainRefused } from '../../merchants/store-domain.ts';
import { BackofficeError } from '../errors.ts';
import { domainsOf } from './store.ts';

type ChangeDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'>;

/** Registers a store domain, in force with the next payment. Throws BackofficeError with a reason that begins with `domain_`. */
export async function addOwnDomain(deps: ChangeDeps, merchantId: Id<'mer'>, text: string): Promise<void> {
  const registered = await domainsOf(deps.db.read, merchantId);
  if (registered.length >= DOMAINS_PER_MERCHANT_MAX) {
    throw new BackofficeError(
      'BAD_REQUEST',
      `There are ${DOMAINS_PER_MERCHANT_MAX} domains, the most that one merchant has. Remove one, or use a wildcard such as *.shop.pt.`,
      { reason: 'domain_too_many', values: { max: DOMAINS_PER_MERCHANT_MAX } },
    );
  }
  try {
    await addDomain(deps, merchantId, text);
  } catch (error) {
    if (!(error instanceof DomainRefused)) throw error;
    throw new BackofficeError('BAD_REQUEST', error.message, {
      reason: `domain_${error.fault}`,
      fields: ['domain'],
    });
  }
}

/** Takes a store domain off the list, in force with the next payment. Throws BackofficeError when it is not on it. */
export async function removeOwnDomain(
  deps: ChangeDeps,
  merchantId: Id<'mer'>,
  domain: string,
): Promise<void> {
  const registered = await domainsOf(deps.db.read, merchantId);
  if (!registered.some((row) => row.domain === domain)) {
    throw new BackofficeError('BAD_REQUEST', `${domain} is not registered, or not any more.`, {
      reason: 'domain_absent',
    });
  }
  await removeDomain(deps, merchantId, domain);
}
