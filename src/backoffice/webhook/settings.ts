import { recordAudit } from '../../audit/store.ts';
import type { Queryable } from '../../db/database.ts';
import type { MerchantRow } from '../../db/tables/merchants.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { requireMerchant } from '../../merchants/store.ts';
import type { MerchantContext } from '../context.ts';
import { BackofficeError } from '../errors.ts';
import { autoRecoveryDueAt, deliveryLog, lastDelivered, missedEvents } from './store.ts';

const SHOWN_CHARACTERS = 4;
/** The number of deliveries that decide the health of an endpoint. */
const EXAMINED_MAX = 20;

/** The webhook settings of a merchant, with the secret masked. */
export async function showWebhook(
  { db, clock, box }: Pick<Deps, 'db' | 'clock' | 'box'>,
  merchantId: Id<'mer'>,
) {
  const merchant = await requireMerchant(db.read, merchantId);
  const until = Number(merchant.previous_secret_until ?? 0);
  const secret = box.decrypt(merchant.webhook_secret, `merchants.webhook_secret:${merchantId}`);
  return {
    url: merchant.webhook_url,
    enabled: merchant.webhook_enabled === 1,
    secretMasked: `whsec_••••••••${secret.slice(-SHOWN_CHARACTERS)}`,
    /** The time until which the previous secret also signs. */
    rotation: until > clock.now() ? { until } : null,
    missed: await missedEvents(db.read, merchantId),
    autoRecover: merchant.auto_recover === 1,
    health: await endpointHealth(db.read, merchant),
  };
}

/** The health of an endpoint. Instants in UTC milliseconds. */
export interface EndpointHealth {
  /**
   * `failing`: the newest finished delivery is undelivered. `unstable`: it arrived, but one of the last 20 is undelivered, or none of
   * them was sent.
   */
  state: 'none' | 'off' | 'unused' | 'healthy' | 'unstable' | 'failing';
  lastDeliveredAt: number | null;
  /** When automatic recovery tries the oldest missed event again; null when it waits for the next success, or nothing is sent. */
  nextTryAt: number | null;
}

/** Returns the health of the merchant's endpoint. */
async function endpointHealth(db: Queryable, merchant: MerchantRow): Promise<EndpointHealth> {
  const { id, webhook_url: url, webhook_enabled: enabled } = merchant;
  const log = await deliveryLog(db, id, {}, EXAMINED_MAX);
  const finished = log.filter(({ state }) => state === 'delivered' || state === 'undelivered');
  const [newest] = finished;
  const lastDeliveredAt = await lastDelivered(db, id);
  if (url === null || enabled === 0)
    return { lastDeliveredAt, nextTryAt: null, state: url === null ? 'none' : 'off' };
  const nextTryAt = merchant.auto_recover === 1 ? await autoRecoveryDueAt(db, id) : null;
  const given = { lastDeliveredAt, nextTryAt };
  if (newest === undefined) return { ...given, state: lastDeliveredAt === null ? 'unused' : 'unstable' };
  if (newest.state === 'undelivered') return { ...given, state: 'failing' };
  const isUnstable = finished.some(({ state }) => state === 'undelivered');
  return { ...given, state: isUnstable ? 'unstable' : 'healthy' };
}

/** Returns the webhook secret in plain text and records that in the audit log. */
export async function revealSecret(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'actor'>,
  merchantId: Id<'mer'>,
): Promise<{ secret: string }> {
  const encrypted = await deps.db.unit(async (tx) => {
    const merchant = await requireMerchant(tx, merchantId);
    await recordAudit(tx, deps, { action: 'secret.revealed', merchantId, target: merchantId });
    return merchant.webhook_secret;
  });
  return { secret: deps.box.decrypt(encrypted, `merchants.webhook_secret:${merchantId}`) };
}

/** Counts a test event, a resend or a recovery of the merchant. Throws TOO_MANY_REQUESTS with the seconds to wait. */
export async function countSend({ sendLimit, merchantId }: MerchantContext): Promise<void> {
  const standing = await sendLimit?.count(`sends ${merchantId}`);
  if (!standing?.exceeded) return;
  const { limit, resetSeconds: seconds } = standing;
  throw new BackofficeError(
    'TOO_MANY_REQUESTS',
    `At most ${limit} test events, resends and recoveries per minute. Try again in ${seconds} s.`,
    { reason: 'sends_too_many', values: { limit, seconds } },
  );
}
