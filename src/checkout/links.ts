import { recordAudit } from '../audit/store.ts';
import type { Deps } from '../deps.ts';
import { OperatorError, Refusal, type RefusalReason } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { AMOUNT_MAX_CENTS, type Cents, cents, eurosFromCents } from '../kernel/money.ts';
import { requireMerchant } from '../merchants/store.ts';
import { newToken } from './create-session.ts';
import { closeOpenLink, findLink, insertLink, type LinkRow, linkPage, salesOf } from './link-store.ts';
import { hashToken } from './store.ts';

const TITLE_LENGTH_MAX = 200;
/** Reserves space for a hyphen and the number. */
const ORDER_ID_LENGTH_MAX = 235;

type LinkView = ReturnType<typeof viewLink>;

export interface NewLink {
  readonly merchantId: Id<'mer'>;
  readonly title: string;
  readonly amount: Cents | null;
  readonly min: Cents | null;
  readonly max: Cents | null;
  /** Null to use the link's id. */
  readonly orderId: string | null;
  readonly uses: number | null;
  readonly expiresAt: number | null;
}

type LinkDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'random' | 'box' | 'serviceUrl' | 'actor'>;
type ViewDeps = Pick<Deps, 'db' | 'clock' | 'box' | 'serviceUrl'>;

/** Creates a payment link. Throws OperatorError. */
export async function createLink(deps: LinkDeps, link: NewLink): Promise<{ linkId: Id<'lnk'>; url: string }> {
  const now = deps.clock.now();
  requireSound(link, now);
  const id = deps.ids('lnk');
  const token = newToken(deps);
  await deps.db.unit(async (tx) => {
    await requireMerchant(tx, link.merchantId);
    await insertLink(tx, {
      id,
      merchant_id: link.merchantId,
      token_hash: hashToken(token),
      token: deps.box.encrypt(token, `payment_links.token:${id}`),
      title: link.title.trim(),
      amount_cents: link.amount,
      min_cents: link.min,
      max_cents: link.max,
      order_prefix: link.orderId ?? id,
      uses_max: link.uses,
      uses_count: 0,
      created_at: now,
      expires_at: link.expiresAt,
      closed_at: null,
    });
    await recordAudit(tx, deps, {
      action: 'link.created',
      merchantId: link.merchantId,
      target: id,
      details: { name: link.title.trim(), ...(link.amount !== null && { amountCents: link.amount }) },
    });
  });
  return { linkId: id, url: `${deps.serviceUrl()}/pay/l/${token}` };
}

function requireSound({ title, amount, min, max, orderId, uses, expiresAt }: NewLink, now: number): void {
  requireText('link_title', 'title', title, TITLE_LENGTH_MAX);
  if (orderId !== null) requireText('link_order_id', 'order id', orderId, ORDER_ID_LENGTH_MAX);
  const amounts = [amount, min, max].filter((value) => value !== null);
  const fault = amounts.some((value) => value <= 0 || value > AMOUNT_MAX_CENTS)
    ? `amounts must be above 0 and at most ${eurosFromCents(AMOUNT_MAX_CENTS)} EUR`
    : amount !== null && (min !== null || max !== null)
      ? 'a link has an amount, or a minimum and a maximum, not both'
      : min !== null && max !== null && min > max
        ? 'the minimum is above the maximum'
        : uses !== null && uses < 1
          ? 'the number of uses must be at least 1'
          : null;
  if (fault !== null) throw new OperatorError(fault);
  if (expiresAt !== null && expiresAt <= now) {
    throw new Refusal('link_expired', 'the expiry must be in the future');
  }
}

function requireText(reason: RefusalReason, what: string, text: string, max: number): void {
  if (text.trim() !== '' && [...text].length <= max && text.isWellFormed() && !/\p{Cc}/u.test(text)) return;
  throw new Refusal(reason, `the ${what} must have 1 to ${max} characters and no control characters`, {
    max,
  });
}

/** One page of a merchant's links, oldest first. */
export async function listLinks(
  deps: ViewDeps,
  { merchantId, limit, after }: { merchantId: Id<'mer'>; limit: number; after: string | undefined },
): Promise<LinkView[]> {
  const links = await linkPage(deps.db.read, merchantId, { place: after ?? null, limit, newestFirst: false });
  return (await withSales(deps, links)).map(viewLink);
}

/** Closes a link, at most once; open sessions continue. Throws OperatorError for an unknown link. */
export async function closeLink(deps: LinkDeps, id: Id<'lnk'>): Promise<LinkView> {
  const link = await deps.db.unit(async (tx) => {
    const closed = await closeOpenLink(tx, id, deps.clock.now());
    const row = await findLink(tx, id);
    if (row === undefined) throw new OperatorError(`there is no payment link ${id}`);
    if (closed)
      await recordAudit(tx, deps, { action: 'link.closed', merchantId: row.merchant_id, target: id });
    return row;
  });
  return viewLink(await soldLink(deps, link));
}

export function isActive(
  { closed_at: closedAt, expires_at: expiresAt, uses_max: usesMax, uses_count: uses }: LinkRow,
  now: number,
): boolean {
  return closedAt === null && (expiresAt === null || expiresAt > now) && (usesMax === null || uses < usesMax);
}

/** Links with their address and their sales. `active` is false when a link is closed, expired or used up. */
export async function withSales(deps: ViewDeps, links: readonly LinkRow[]) {
  const now = deps.clock.now();
  const sales = await salesOf(deps.db.read, links);
  return links.map((link) => ({
    ...link,
    url: `${deps.serviceUrl()}/pay/l/${deps.box.decrypt(link.token, `payment_links.token:${link.id}`)}`,
    active: isActive(link, now),
    sales: sales.get(link.id) ?? { count: 0, cents: 0 },
  }));
}

export type SoldLink = Awaited<ReturnType<typeof withSales>>[number];

/** The same for one link. */
export async function soldLink(deps: ViewDeps, link: LinkRow): Promise<SoldLink> {
  const [sold] = await withSales(deps, [link]);
  if (sold === undefined) throw new Error(`link ${link.id} has no view`);
  return sold;
}

/** The merchant's view of a link. Amounts in EUR; `amount` is null when the shopper chooses it. */
function viewLink(link: SoldLink) {
  return {
    linkId: link.id,
    title: link.title,
    amount: link.amount_cents === null ? null : eurosFromCents(link.amount_cents),
    url: link.url,
    active: link.active,
    uses: link.uses_count,
    paidCount: link.sales.count,
    paidTotal: eurosFromCents(cents(link.sales.cents)),
  };
}
