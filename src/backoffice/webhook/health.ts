import type { Queryable } from '../../db/database.ts';
import type { MerchantRow } from '../../db/tables/merchants.ts';
import { autoRecoveryDueAt, deliveryLog, lastDelivered } from './store.ts';

/** The number of deliveries that decide the health of an endpoint. */
const EXAMINED_MAX = 20;

/** The health of an endpoint. Instants in UTC milliseconds. */
export interface EndpointHealth {
  /** `failing`: the newest finished delivery is undelivered. `unstable`: it arrived, but one of the last 20 is undelivered. */
  state: 'none' | 'off' | 'unused' | 'healthy' | 'unstable' | 'failing';
  lastDeliveredAt: number | null;
  /** When automatic recovery tries the oldest missed event again; null when it waits for the next success, or is off. */
  nextTryAt: number | null;
}

/** Returns the health of the merchant's endpoint. */
export async function endpointHealth(db: Queryable, merchant: MerchantRow): Promise<EndpointHealth> {
  const { id, webhook_url: url, webhook_enabled: enabled } = merchant;
  const log = await deliveryLog(db, id, {}, EXAMINED_MAX);
  const finished = log.filter(({ state }) => state === 'delivered' || state === 'undelivered');
  const [newest] = finished;
  const lastDeliveredAt = (await lastDelivered(db, id)) ?? null;
  const nextTryAt = merchant.auto_recover === 1 ? await autoRecoveryDueAt(db, id) : null;
  const given = { lastDeliveredAt, nextTryAt };
  if (url === null) return { ...given, state: 'none' };
  if (enabled === 0) return { ...given, state: 'off' };
  if (newest === undefined) return { ...given, state: 'unused' };
  if (newest.state === 'undelivered') return { ...given, state: 'failing' };
  const isUnstable = finished.some(({ state }) => state === 'undelivered');
  return { ...given, state: isUnstable ? 'unstable' : 'healthy' };
}
