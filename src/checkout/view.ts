import { hash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { type AttemptRow, attemptsOf } from '../payments/attempt-store.ts';
import { transactionsOfSession } from '../payments/session-store.ts';
import { isLive } from '../payments/transaction.ts';
import { brandOfRow } from './brand.ts';
import { currentNotice } from './notice.ts';
import { methodsOf, offeredMethods } from './offered-methods.ts';
import { withSessionId } from './return-url.ts';
import { sessionStatus } from './session.ts';
import { pageOfToken } from './store.ts';

/** The content of a session's page. It contains no customer data. */
export type SessionView = NonNullable<Awaited<ReturnType<typeof viewSession>>>;

type ViewDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'bankAccounts'>;

/** Reads the content of the page with this token; null when there is none. */
export async function viewSession(deps: ViewDeps, token: string) {
  const db = deps.db.read;
  const session = await pageOfToken(db, token);
  if (session === undefined) return null;
  const now = deps.clock.now();
  const listed = await transactionsOfSession(db, session);
  const newest = listed.at(-1);
  if (newest === undefined) return null;
  // While the newest transaction has no attempts, the page shows those of the previous one.
  const shown = listed.slice(-2).map((transaction) => attemptsOf(db, transaction));
  const attempts = (await Promise.all(shown)).flat();
  // A payment between the two reads would show an open order without its push, so its transaction is read again.
  const isPaid = attempts.some((attempt) => attempt.state === 'paid');
  const transactions = isPaid ? await transactionsOfSession(db, session) : listed;
  const state = stateOf(session, transactions, now);
  const isSettled = state === 'paid' || state === 'received';
  const push = isSettled ? null : pushOf(attempts);
  const reference = isSettled ? null : referenceOf(attempts, now);
  const notice = currentNotice(session.notice, now);
  const isOutdated = notice?.kind === 'push-open' && push === null;
  const payable = { amount: newest.amount_cents, methods: methodsOf(session.methods) };
  const offered = state === 'open' ? await offeredMethods(db, deps, session.merchant_id, payable) : [];
  return {
    state,
    locale: session.locale,
    merchantName: session.merchant_name,
    brand: brandOfRow(session),
    /** The title of the payment link that led to it. */
    title: session.link_title,
    orderId: newest.order_id,
    amount: newest.amount_cents,
    push,
    reference,
    /** The steps that are possible now. */
    methods: offered.filter((method) => (method === 'MBWAY' ? push === null : reference === null)),
    ended: isSettled ? null : endingOf(attempts),
    notice: state === 'open' && !isOutdated ? notice : null,
    successUrl: session.success_url === null ? null : withSessionId(session.success_url, session.id),
    cancelUrl: session.cancel_url,
  };
}

/** `received`: paid, under review. `closed`: the merchant is inactive. */
function stateOf(
  session: NonNullable<Awaited<ReturnType<typeof pageOfToken>>>,
  transactions: Awaited<ReturnType<typeof transactionsOfSession>>,
  now: number,
): 'open' | 'paid' | 'received' | 'expired' | 'closed' {
  const status = sessionStatus(session, transactions, now);
  if (status === 'complete') return 'paid';
  if (status === 'open' && transactions.some(({ held }) => held === 1)) return 'received';
  return status === 'open' && session.merchant_active !== 1 ? 'closed' : status;
}

/** A digest that changes with the payment. It excludes the notice, whose end must not reload the page while a shopper types. */
export function versionOf({ state, push, reference, methods, ended }: SessionView): string {
  const shown = JSON.stringify([state, push, reference, methods, ended]);
  return hash('sha256', shown, 'hex').slice(0, 16);
}

/** The live push; `endsAt` is null until the bank has accepted it or when its outcome is unknown. */
function pushOf(attempts: readonly AttemptRow[]): { endsAt: number | null } | null {
  const live = attempts.findLast(({ method, state }) => method === 'MBWAY' && isLive(state));
  return live === undefined ? null : { endsAt: live.state === 'open' ? live.expires_at : null };
}

function referenceOf(attempts: readonly AttemptRow[], now: number) {
  for (const { method, state, entity, reference, expires_at: expiresAt } of attempts.toReversed()) {
    if (method !== 'REFERENCE' || state !== 'open') continue;
    if (entity === null || reference === null || expiresAt === null || expiresAt < now) continue;
    return { entity, reference, expiresAt };
  }
  return null;
}

/** How the newest attempt ended, if it did. */
function endingOf(attempts: readonly AttemptRow[]): 'refused' | 'lapsed' | 'reference-expired' | null {
  switch (attempts.filter(({ state }) => state !== 'dead').at(-1)?.state) {
    case 'rejected':
    case 'declined':
      return 'refused';
    case 'lapsed':
      return 'lapsed';
    case 'expired':
      return 'reference-expired';
    default:
      return null;
  }
}
