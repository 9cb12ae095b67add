import { recordAudit } from '../audit/store.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { PaymentMethod } from '../db/tables/payments.ts';
import type { Deps } from '../deps.ts';
import type { Acquirer } from '../kernel/acquirer.ts';
import { Refusal } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { METHODS } from '../kernel/payment-enums.ts';
import { lockMerchant, requireMerchant } from '../merchants/store.ts';
import type { AcquirerSetting } from './acquirers.ts';
import { routesOf, usedAccount, writeRoute } from './store.ts';

/** The route of a method's attempts: `acquirer`, or `fallback` when the acquirer cannot be reached. */
export interface Route {
  acquirer: Acquirer;
  fallback: Acquirer | null;
}

/** The route of a merchant's method; `standard` is the installation's acquirer. */
export async function routeOf(
  db: Queryable,
  merchantId: Id<'mer'>,
  method: PaymentMethod,
  standard: Acquirer,
): Promise<Route> {
  const row = (await routesOf(db, merchantId)).find((route) => route.method === method);
  return row === undefined
    ? { acquirer: standard, fallback: null }
    : { acquirer: row.acquirer, fallback: row.fallback };
}

/** Shows both routes of a merchant, named as on the command line. Throws OperatorError when it does not exist. */
export async function showRoutes(
  deps: AcquirerSetting & { db: { readonly read: Queryable } },
  merchantId: Id<'mer'>,
) {
  const db = deps.db.read;
  await requireMerchant(db, merchantId);
  const route = (method: PaymentMethod) => routeOf(db, merchantId, method, deps.settings.acquirer);
  return { mbway: await route('MBWAY'), multibanco: await route('REFERENCE') };
}

/**
 * Sets the route of a merchant's method. Throws OperatorError for an acquirer without an account or as its own fallback, and when the
 * route is no longer the `shown` one.
 */
export async function setRoute(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'actor'> & AcquirerSetting,
  merchantId: Id<'mer'>,
  method: PaymentMethod,
  route: Route,
  shown?: Route,
): ReturnType<typeof showRoutes> {
  await deps.db.unit(async (tx) => {
    await lockMerchant(tx, merchantId);
    if (route.fallback === route.acquirer) {
      const { acquirer } = route;
      throw new Refusal('route_same_fallback', 'the fallback must be another acquirer, or none', {
        acquirer,
      });
    }
    for (const acquirer of [route.acquirer, route.fallback]) {
      if (acquirer === null || (await usedAccount(tx, merchantId, acquirer)) !== undefined) continue;
      throw new Refusal(
        'route_no_account',
        `there is no ${acquirer} account for merchant ${merchantId}; set one with "bank set --acquirer ${acquirer}" first`,
        { acquirer },
      );
    }
    const before = (await routesOf(tx, merchantId)).find((row) => row.method === method);
    if (before?.acquirer === route.acquirer && before.fallback === route.fallback) return;
    const now = await routeOf(tx, merchantId, method, deps.settings.acquirer);
    if (shown !== undefined && (now.acquirer !== shown.acquirer || now.fallback !== shown.fallback)) {
      throw new Refusal('route_changed', `the route of ${method} has changed since you looked`);
    }
    await writeRoute(tx, { merchant_id: merchantId, method, ...route });
    await recordAudit(tx, deps, {
      action: 'bank.routed',
      merchantId,
      target: merchantId,
      details: { method, ...route },
    });
  });
  return showRoutes(deps, merchantId);
}

/** Routes both methods of a merchant to an acquirer; a fallback stays unless it is that acquirer. */
export async function routeAllTo(tx: Tx, merchantId: Id<'mer'>, acquirer: Acquirer): Promise<void> {
  const rows = await routesOf(tx, merchantId);
  for (const method of METHODS) {
    const old = rows.find((row) => row.method === method)?.fallback ?? null;
    const fallback = old === acquirer ? null : old;
    await writeRoute(tx, { merchant_id: merchantId, method, acquirer, fallback });
  }
}
