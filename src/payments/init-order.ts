import { hash } from 'node:crypto';
import { centsFromEuros } from '../kernel/money.ts';
import type { InitInput } from './contract.ts';

/** The validated input of init in canonical form: aliases resolved, amounts in cents. */
export type InitOrder = ReturnType<typeof canonicalOrder>;
export type CanonicalCustomer = NonNullable<InitOrder['customer']>;
export type CanonicalItem = ReturnType<typeof canonicalItem>;

/** An order with the host of its store. */
export interface StoreOrder extends InitOrder {
  storeHost: string;
}

/** The canonical order of a validated input. The canonical member wins over its alias. */
export function canonicalOrder(input: InitInput) {
  const amount = centsFromEuros(input.amount);
  if (amount === null) throw new RangeError('an amount that the contract admitted is exact in cents');
  const { zip: customerZip, ...customer } = input.customer ?? {};
  const { zip, address_line1, ...shipping } = input.shippingAddress ?? {};
  return {
    orderId: input.orderId,
    amount,
    customer: present({
      ...customer,
      name: customer.name ?? input.customerName,
      postalCode: customer.postalCode ?? customerZip,
    }),
    shippingAddress: present({
      ...shipping,
      line1: shipping.line1 ?? address_line1,
      postalCode: shipping.postalCode ?? zip,
    }),
    items: input.items === undefined ? null : input.items.map(canonicalItem),
    tracking: present(input.trackingParameters ?? {}),
  };
}

function canonicalItem(item: NonNullable<InitInput['items']>[number]) {
  return {
    id: String(item.id),
    name: item.name,
    quantity: item.quantity,
    priceInCents: item.priceInCents ?? centsFromEuros(item.price ?? 0) ?? 0,
  };
}

/** The members that have a value; null when there are none. */
function present<T extends Record<string, string | undefined>>(
  members: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } | null {
  let kept: Record<string, string> | null = null;
  for (const name in members) {
    const value = members[name];
    if (value === undefined) continue;
    kept ??= {};
    kept[name] = value;
  }
  return kept as { [K in keyof T]?: Exclude<T[K], undefined> } | null;
}

/**
 * The digest that two calls under one idempotency key must share: of the order, its store's host and, where there are any,
 * further members of the call. Answers stay stored across upgrades: a member that a later version adds must be undefined, not null,
 * when the call does not have it.
 */
export function orderFingerprint({ storeHost, ...order }: StoreOrder, more: object | null = null): string {
  const parts = more === null ? [storeHost, order] : [storeHost, order, more];
  const canonical = JSON.stringify(parts, (_key, value: unknown) => sortedMembers(value));
  return hash('sha256', canonical, 'hex');
}

function sortedMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The checkout data that is missing, as field names. */
export function missingCheckoutData(order: InitOrder): string[] {
  const missing: string[] = [];
  if (order.customer?.name === undefined) missing.push('customer.name');
  if (order.customer?.email === undefined) missing.push('customer.email');
  if (order.items === null || order.items.length === 0) missing.push('items');
  return missing;
}
