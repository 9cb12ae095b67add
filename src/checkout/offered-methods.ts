import type { Queryable } from '../db/database.ts';
import type { PaymentMethod } from '../db/tables/payments.ts';
import type { Deps } from '../deps.ts';
import { ERROR_TEXTS, ServiceError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { type Cents, cents } from '../kernel/money.ts';
import { METHODS } from '../kernel/payment-enums.ts';
import { isWithinMbwayLimit, METHOD_NAMES, requireWithinMbwayLimit } from '../payments/methods.ts';

type MethodDeps = Pick<Deps, 'settings' | 'bankAccounts'>;

interface Payable {
  readonly amount: Cents;
  readonly methods: readonly PaymentMethod[];
}

/** No acquirer has a higher minimum, so larger amounts need no lookup. */
const MIN_CENTS_MAX = cents(100);

export function methodsOf(stored: string): PaymentMethod[] {
  return METHODS.filter((method) => stored.split(',').includes(method));
}

/** The methods that accept the amount. */
export async function offeredMethods(
  db: Queryable,
  deps: MethodDeps,
  merchantId: Id<'mer'>,
  { amount, methods }: Payable,
): Promise<PaymentMethod[]> {
  const below = methods.filter((method) => method !== 'MBWAY' || isWithinMbwayLimit(deps, amount));
  if (amount >= MIN_CENTS_MAX) return below;
  const offered: PaymentMethod[] = [];
  for (const method of below) {
    const routed = await deps.bankAccounts.routed(db, merchantId, method);
    if (routed === null || amount >= routed.account.minCents) offered.push(method);
  }
  return offered;
}

/** Returns the methods that accept an amount from `min` to `max`, and the lowest amount that one accepts. */
export async function offerWithin(
  db: Queryable,
  deps: MethodDeps,
  merchantId: Id<'mer'>,
  { min, max }: { readonly min: Cents; readonly max: Cents },
): Promise<{ methods: PaymentMethod[]; lowest: Cents }> {
  const offered = (amount: Cents) => offeredMethods(db, deps, merchantId, { amount, methods: METHODS });
  const atMin = await offered(min);
  // A method that refuses `min` as too low accepts the highest minimum of any acquirer.
  const above = await offered(cents(Math.min(Math.max(min, MIN_CENTS_MAX), max)));
  return {
    methods: METHODS.filter((method) => atMin.includes(method) || above.includes(method)),
    lowest: atMin.length > 0 ? min : MIN_CENTS_MAX,
  };
}

/** Throws AMOUNT_ABOVE_METHOD_LIMIT or AMOUNT_BELOW_METHOD_LIMIT when no method accepts the amount. */
export async function requireMethod(
  db: Queryable,
  deps: MethodDeps,
  merchantId: Id<'mer'>,
  payable: Payable,
): Promise<void> {
  if ((await offeredMethods(db, deps, merchantId, payable)).length > 0) return;
  requireWithinMbwayLimit(deps, payable.amount);
  const names = payable.methods.map((method) => METHOD_NAMES[method]);
  throw new ServiceError(
    'AMOUNT_BELOW_METHOD_LIMIT',
    ERROR_TEXTS.AMOUNT_BELOW_METHOD_LIMIT(names.join(' and '), MIN_CENTS_MAX / 100),
  );
}
