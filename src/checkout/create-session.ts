import type { Tx } from '../db/database.ts';
import type { PaymentMethod } from '../db/tables/payments.ts';
import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import type { Language } from '../kernel/language.ts';
import { METHODS } from '../kernel/payment-enums.ts';
import { admittedOrder, createTransaction, requireCheckoutData } from '../payments/init.ts';
import { orderFingerprint, type StoreOrder } from '../payments/init-order.ts';
import type { Merchant, RequestContext } from '../rpc/context.ts';
import { keepAnswer, replay } from '../rpc/idempotency.ts';
import { type CreateSessionInput, type CreateSessionOutput, instantOf } from './contract.ts';
import { requireMethod } from './offered-methods.ts';
import { canonicalReturnUrl } from './return-url.ts';
import { pageUrl, sessionNotFound } from './session.ts';
import { answerKey, findOwnSession, hashToken, insertSession, type SessionRow } from './store.ts';

export const DEFAULT_LIFE_MS = 24 * 3_600_000;
const TOKEN_BYTES = 16;

export type CreateDeps = Pick<
  Deps,
  'db' | 'clock' | 'ids' | 'random' | 'box' | 'settings' | 'bankAccounts' | 'serviceUrl'
>;
type Call = Pick<RequestContext, 'origin' | 'referer' | 'idempotencyKey' | 'setHeader'>;

/** The members that a session adds to its order. */
interface Terms {
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly methods: readonly PaymentMethod[];
  /** UTC milliseconds; null for the default. */
  readonly expiresAt: number | null;
  readonly locale: Language;
}

/** Creates the token of a page address. Anyone with the address may open the page. */
export function newToken(deps: Pick<Deps, 'random'>): string {
  return deps.random(TOKEN_BYTES).toString('base64url');
}

/**
 * Creates a session with its first transaction in one database transaction, which also stores the answer under the idempotency
 * key. Errors: those of init, and AMOUNT_ABOVE_METHOD_LIMIT or AMOUNT_BELOW_METHOD_LIMIT when no method accepts the amount.
 */
export async function createSession(
  deps: CreateDeps,
  merchant: Merchant,
  input: CreateSessionInput,
  call: Call,
): Promise<CreateSessionOutput> {
  const order = await admittedOrder(deps, merchant, input, call);
  const terms = termsOf(input);
  const key = call.idempotencyKey === undefined ? null : answerKey(call.idempotencyKey);
  const fingerprint = orderFingerprint(order, terms);
  const { session, replayed } = await deps.db.unit(async (tx) => {
    const kept = key === null ? null : await replay(tx, deps, merchant.id, key, fingerprint);
    if (kept !== null) return { session: await keptSession(tx, merchant, kept), replayed: true };
    requireCheckoutData(deps, merchant, order);
    await requireMethod(tx, deps, merchant.id, { amount: order.amount, methods: terms.methods });
    const created = await insertWithTransaction(tx, deps, merchant, order, terms);
    // The stored answer has no address, so that the table does not reveal the token.
    if (key !== null) await keepAnswer(tx, deps, merchant.id, key, fingerprint, { sessionId: created.id });
    return { session: created, replayed: false };
  });
  if (replayed) call.setHeader('Idempotency-Replayed', 'true');
  return {
    sessionId: session.id,
    url: pageUrl(deps, session),
    status: 'open',
    expiresAt: isoInstant(session.expires_at),
  };
}

function termsOf(input: CreateSessionInput): Terms {
  const { successUrl, cancelUrl, methods, expiresAt, locale = 'pt' } = input;
  return {
    successUrl: successUrl === undefined ? null : canonicalReturnUrl(successUrl),
    cancelUrl: cancelUrl === undefined ? null : canonicalReturnUrl(cancelUrl),
    methods: METHODS.filter((method) => methods === undefined || methods.includes(method)),
    expiresAt: expiresAt === undefined ? null : instantOf(expiresAt),
    locale,
  };
}

async function keptSession(tx: Tx, merchant: Merchant, kept: unknown): Promise<SessionRow> {
  const { sessionId } = kept as { sessionId: string };
  const session = await findOwnSession(tx, sessionId, merchant.id);
  if (session === undefined) throw sessionNotFound();
  return session;
}

/** Where a session of a payment link comes from, and the token that its page proposed; null for a new one. */
interface LinkOrigin {
  readonly linkId: Id<'lnk'>;
  readonly token: string | null;
}

export async function insertWithTransaction(
  tx: Tx,
  deps: CreateDeps,
  merchant: Pick<Merchant, 'id'>,
  order: StoreOrder,
  { successUrl, cancelUrl, methods, expiresAt, locale }: Terms,
  link: LinkOrigin | null = null,
): Promise<SessionRow> {
  const now = deps.clock.now();
  const id: Id<'cs'> = deps.ids('cs');
  const token = link?.token ?? newToken(deps);
  const session: SessionRow = {
    id,
    merchant_id: merchant.id,
    token_hash: hashToken(token),
    token: deps.box.encrypt(token, `checkout_sessions.token:${id}`),
    success_url: successUrl,
    cancel_url: cancelUrl,
    methods: methods.join(','),
    locale,
    notice: null,
    created_at: now,
    expires_at: expiresAt ?? now + DEFAULT_LIFE_MS,
    link_id: link?.linkId ?? null,
  };
  await insertSession(tx, session);
  await createTransaction(tx, deps, merchant, order, { id, expiresAt: session.expires_at });
  return session;
}
