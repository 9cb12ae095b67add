import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { resendDelivery } from '../../webhooks/resend.ts';
import { notFound } from '../errors.ts';
import { findOwnDelivery } from './store.ts';

/** Sends a delivery's event again, when the delivery is the merchant's. Throws BackofficeError when it is not. */
export async function resendOwn(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher' | 'actor'>,
  merchantId: Id<'mer'>,
  deliveryId: string,
): Promise<{ deliveryId: Id<'dlv'> }> {
  const own = await findOwnDelivery(deps.db.read, merchantId, deliveryId as Id<'dlv'>);
  if (own === undefined) throw notFound();
  return await resendDelivery(deps, own.id);
}
