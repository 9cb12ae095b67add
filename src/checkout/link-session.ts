import type { Tx } from '../db/database.ts';
import { SerializationConflict } from '../db/row-locks.ts';
import type { Deps } from '../deps.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Language } from '../kernel/language.ts';
import { AMOUNT_MAX_CENTS, type Cents, cents, centsFromTyped } from '../kernel/money.ts';
import { METHODS } from '../kernel/payment-enums.ts';
import { selectMerchant } from '../merchants/store.ts';
import type { StoreOrder } from '../payments/init-order.ts';
import { transactionsOfSession } from '../payments/session-store.ts';
import { brandOf } from './brand.ts';
import { type CreateDeps, DEFAULT_LIFE_MS, insertWithTransaction } from './create-session.ts';
import { countUse, type LinkRow, linkOfToken } from './link-store.ts';
import { isActive } from './links.ts';
import { offerWithin, requireMethod } from './offered-methods.ts';
import { countLinkOrder, PushLimited } from './push-limits.ts';
import { tokenOf } from './session.ts';
import { type SessionRow, sessionOfToken } from './store.ts';

export type LinkPage = NonNullable<Awaited<ReturnType<typeof viewLink>>>;

/**
 * Reads the content of a link's page; null when there is none. Creates no session. `amount` is null when the shopper chooses it.
 */
export async function viewLink(
  deps: Pick<Deps, 'db' | 'clock' | 'settings' | 'bankAccounts'>,
  token: string,
) {
  const link = await linkOfToken(deps.db.read, token);
  const merchant = link === undefined ? null : await selectMerchant(deps.db.read, link.merchant_id);
  if (link === undefined || merchant === null) return null;
  const { title, amount_cents: amount, min_cents: min, max_cents: max } = link;
  const active = merchant.active === 1 && isActive(link, deps.clock.now());
  const least = amount ?? min ?? cents(1);
  const amounts = { min: least, max: amount ?? max ?? AMOUNT_MAX_CENTS };
  // A link that takes no payment is shown without the merchant's account.
  const { methods, lowest } = active
    ? await offerWithin(deps.db.read, deps, merchant.id, amounts)
    : { methods: [], lowest: least };
  return {
    merchantName: merchant.name,
    brand: await brandOf(deps.db.read, merchant.id),
    title,
    amount,
    min: amount ?? lowest,
    max,
    isActive: active,
    methods,
  };
}

/** The form data of a link's page. */
interface PostedOrder {
  readonly amount: string | null;
  readonly locale: Language;
  readonly address: string;
  /** The session token that the opened page proposed; null without one. */
  readonly visit: string | null;
}

type LinkUse = { kind: 'session'; token: string } | { kind: 'missing' | 'inactive' | 'amount' | 'limit' };

/**
 * Creates a session of a link with the link's next order number. A form that is posted again, because its answer was lost or the
 * button was pressed twice, returns the session that it made, even if that used up the link.
 */
export async function startLinkSession(
  deps: CreateDeps,
  token: string,
  posted: PostedOrder,
): Promise<LinkUse> {
  try {
    return await deps.db.unit((tx) => use(tx, deps, token, posted));
  } catch (error) {
    if (error instanceof PushLimited) return { kind: 'limit' };
    // No method accepts the amount.
    if (error instanceof ServiceError) return { kind: 'amount' };
    throw error;
  }
}

async function use(
  tx: Tx,
  deps: CreateDeps,
  token: string,
  { amount: typed, locale, address, visit }: PostedOrder,
): Promise<LinkUse> {
  const link = await linkOfToken(tx, token, true);
  if (link === undefined) return { kind: 'missing' };
  const now = deps.clock.now();
  const amount = link.amount_cents ?? typedAmount(link, typed);
  const known = visit === null ? undefined : await sessionOfToken(tx, visit);
  if (visit !== null && known !== undefined && (await isRepeated(tx, known, { link, amount, now })))
    return { kind: 'session', token: visit };
  const merchant = await selectMerchant(tx, link.merchant_id);
  if (merchant === null || merchant.active !== 1 || !isActive(link, now)) return { kind: 'inactive' };
  if (amount === null) return { kind: 'amount' };
  await requireMethod(tx, deps, merchant.id, { amount, methods: METHODS });
  await countLinkOrder(tx, deps, address);
  if (!(await countUse(tx, link))) throw new SerializationConflict('another use of the link was faster');
  const order: StoreOrder = {
    orderId: `${link.order_prefix}-${link.uses_count + 1}`,
    amount,
    customer: null,
    shippingAddress: null,
    items: null,
    tracking: null,
    storeHost: new URL(deps.serviceUrl()).hostname,
  };
  const expiresAt = Math.min(now + DEFAULT_LIFE_MS, link.expires_at ?? Number.POSITIVE_INFINITY);
  const terms = { successUrl: null, cancelUrl: null, methods: METHODS, expiresAt, locale };
  const origin = { linkId: link.id, token: known === undefined ? visit : null };
  const session = await insertWithTransaction(tx, deps, merchant, order, terms, origin);
  return { kind: 'session', token: tokenOf(deps, session) };
}

/** Whether this link made the session for this amount, and it has not expired. */
async function isRepeated(
  tx: Tx,
  session: SessionRow,
  { link, amount, now }: { link: LinkRow; amount: Cents | null; now: number },
): Promise<boolean> {
  if (session.link_id !== link.id || session.expires_at <= now) return false;
  const [first] = await transactionsOfSession(tx, session);
  return first?.amount_cents === amount;
}

/** The amount that a shopper typed; null when the link does not accept it. */
function typedAmount({ min_cents: min, max_cents: max }: LinkRow, typed: string | null): Cents | null {
  const amount = centsFromTyped(typed ?? '');
  if (amount === null) return null;
  return amount < (min ?? 1) || amount > (max ?? AMOUNT_MAX_CENTS) ? null : amount;
}
