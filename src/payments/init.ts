import { beforeCommit, isPostgres, type Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { ERROR_TEXTS, ServiceError } from '../kernel/errors.ts';
import { type Id, idTime } from '../kernel/ids.ts';
import { eurosFromCents } from '../kernel/money.ts';
import { campaignKey } from '../kernel/person-keys.ts';
import { leadOf, recordLead } from '../leads/record.ts';
import { listDomains } from '../merchants/store.ts';
import { domainMatches, hostOfUrl } from '../merchants/store-domain.ts';
import type { Merchant, RequestContext } from '../rpc/context.ts';
import { keepAnswer, replay } from '../rpc/idempotency.ts';
import type { InitInput } from './contract.ts';
import { InitOutput } from './contract.ts';
import {
  canonicalOrder,
  type InitOrder,
  missingCheckoutData,
  orderFingerprint,
  type StoreOrder,
} from './init-order.ts';
import { storeOrders } from './init-store.ts';
import { findTransaction, insertTransaction, type NewTransaction, type TransactionKey } from './store.ts';
import { countCreated } from './totals.ts';

type Call = Pick<RequestContext, 'origin' | 'referer' | 'idempotencyKey' | 'setHeader'>;

/**
 * Creates a pending transaction and its lead in one database transaction, which also stores the answer under the
 * idempotency key. Errors: STORE_DOMAIN_REQUIRED, DOMAIN_NOT_ALLOWED, CHECKOUT_DATA_REQUIRED, IDEMPOTENCY_KEY_REUSED.
 */
export async function initTransaction(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'settings'>,
  merchant: Merchant,
  input: InitInput,
  call: Call,
): Promise<InitOutput> {
  const order = await admittedOrder(deps, merchant, input, call);
  const { idempotencyKey } = call;
  if (idempotencyKey === undefined) {
    requireCheckoutData(deps, merchant, order);
    const create = (tx: Tx) => createTransaction(tx, deps, merchant, order);
    return deps.db.unit(create, { shared: true, deferred: true });
  }
  const fingerprint = orderFingerprint(order);
  const { answer, replayed } = await deps.db.unit(
    async (tx) => {
      const kept = await replay(tx, deps, merchant.id, idempotencyKey, fingerprint);
      if (kept !== null) return { answer: InitOutput.parse(kept), replayed: true };
      requireCheckoutData(deps, merchant, order);
      const created = await createTransaction(tx, deps, merchant, order);
      await keepAnswer(tx, deps, merchant.id, idempotencyKey, fingerprint, created);
      return { answer: created, replayed: false };
    },
    { shared: true, key: `${merchant.id} ${idempotencyKey}` },
  );
  if (replayed) call.setHeader('Idempotency-Replayed', 'true');
  return answer;
}

/** Returns the order of a registered store. Errors: STORE_DOMAIN_REQUIRED, DOMAIN_NOT_ALLOWED. */
export async function admittedOrder(
  deps: Pick<Deps, 'db'>,
  merchant: Merchant,
  input: InitInput,
  call: Pick<Call, 'origin' | 'referer'>,
): Promise<StoreOrder> {
  const host = storeHost(input.storeUrl, call);
  await requireRegistered(deps, merchant, host);
  return { ...canonicalOrder(input), storeHost: host };
}

/** The host of storeUrl; without one the host of Origin, then of Referer. */
function storeHost(storeUrl: string | undefined, call: Pick<Call, 'origin' | 'referer'>): string {
  for (const address of [storeUrl, call.origin, call.referer]) {
    const host = address === undefined ? null : hostOfUrl(address);
    if (host !== null) return host;
  }
  throw new ServiceError('STORE_DOMAIN_REQUIRED', ERROR_TEXTS.STORE_DOMAIN_REQUIRED, {
    fields: ['storeUrl'],
  });
}

async function requireRegistered(deps: Pick<Deps, 'db'>, merchant: Merchant, host: string): Promise<void> {
  const patterns = merchant.domains ?? (await listDomains(deps.db.read, merchant.id));
  if (patterns.some((pattern) => domainMatches(pattern, host))) return;
  throw new ServiceError('DOMAIN_NOT_ALLOWED', ERROR_TEXTS.DOMAIN_NOT_ALLOWED(host));
}

/** Throws CHECKOUT_DATA_REQUIRED when the merchant has no paid sale yet and the order lacks what is required until then. */
export function requireCheckoutData(
  deps: Pick<Deps, 'settings'>,
  merchant: Merchant,
  order: InitOrder,
): void {
  if (!deps.settings.requireCheckoutData || merchant.firstPaidAt !== null) return;
  const missing = missingCheckoutData(order);
  if (missing.length === 0) return;
  throw new ServiceError('CHECKOUT_DATA_REQUIRED', ERROR_TEXTS.CHECKOUT_DATA_REQUIRED(missing), {
    fields: missing,
  });
}

/** Inserts a pending transaction and its lead. A transaction of a checkout session is pending as long as the session is open. */
export async function createTransaction(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'settings'>,
  merchant: Pick<Merchant, 'id'>,
  order: StoreOrder,
  session: { id: Id<'cs'>; expiresAt: number } | null = null,
): Promise<InitOutput> {
  const items = jsonOrNull(order.items);
  const tracking = jsonOrNull(order.tracking);
  const lead = leadOf(deps, {
    merchant_id: merchant.id,
    customer: order.customer,
    items: order.items?.length === 0 ? null : items,
    tracking,
    campaign: campaignKey(order.tracking),
    asked_cents: order.amount,
  });
  const id = deps.ids('tx');
  const now = deps.clock.now();
  const createdAt = creationOf(id, now);
  const transaction: NewTransaction = {
    id,
    merchant_id: merchant.id,
    order_id: order.orderId,
    amount_cents: order.amount,
    store_domain: order.storeHost,
    customer: jsonOrNull(order.customer),
    shipping_address: jsonOrNull(order.shippingAddress),
    items,
    tracking,
    created_at: createdAt,
    deadline_at: session?.expiresAt ?? now + deps.settings.pendingMs,
    session_id: session?.id ?? null,
    pending_until: session?.expiresAt ?? null,
  };
  // On SQLite, an order that fails right before the commit would fail all that share it.
  if (isPostgres(tx)) beforeCommit(tx, storeOrders, { lead, transaction });
  else {
    await insertTransaction(tx, { ...transaction, lead_id: lead && (await recordLead(tx, lead)) });
    countCreated(tx, transaction);
  }
  return { transactionId: id, amount: eurosFromCents(order.amount), currency: 'EUR' };
}

/** The time in its id, by which lists find a transaction of a day; earlier when the clock was set back. */
function creationOf(id: Id<'tx'>, now: number): number {
  return Math.min(idTime(id), now);
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Creates the next transaction of a checkout session, with the order of the one before. The session is locked. */
export async function createNext(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids'>,
  previous: TransactionKey,
): Promise<Id<'tx'>> {
  const before = await findTransaction(tx, previous.id, previous.merchant_id);
  if (before === undefined) throw new Error(`transaction ${previous.id} does not exist`);
  const id = deps.ids('tx');
  const next = {
    ...before,
    id,
    created_at: creationOf(id, deps.clock.now()),
    deadline_at: before.pending_until,
  };
  await insertTransaction(tx, next);
  countCreated(tx, next);
  return id;
}
