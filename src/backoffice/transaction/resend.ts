import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { resendDelivery } from '../../webhooks/resend.ts';
import { ownDelivery } from './store.ts';

/** Sends a delivery of this merchant again, as `resendDelivery` does. Null when the merchant has no such delivery. */
export async function resendOwn(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher' | 'actor'>,
  deliveryId: string,
  merchantId: Id<'mer'>,
): Promise<{ deliveryId: Id<'dlv'> } | null> {
  const own = await ownDelivery(deps.db.read, deliveryId as Id<'dlv'>, merchantId);
  return own === undefined ? null : await resendDelivery(deps, own.id);
}
