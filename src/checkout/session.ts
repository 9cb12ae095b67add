import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import { ServiceError } from '../kernel/errors.ts';
import { eurosFromCents } from '../kernel/money.ts';
import { transactionsOfSession } from '../payments/session-store.ts';
import type { TransactionRow } from '../payments/store.ts';
import type { Merchant } from '../rpc/context.ts';
import type { SessionInput, SessionOutput } from './contract.ts';
import { findOwnSession, type SessionRow } from './store.ts';

type Settled = Pick<TransactionRow, 'held' | 'session_paid'>;

/** A held payment keeps its session open: the customer has paid, but the merchant is not notified yet. */
export function sessionStatus(
  session: Pick<SessionRow, 'expires_at'>,
  transactions: readonly Settled[],
  now: number,
): SessionOutput['status'] {
  if (transactions.some(({ session_paid: paid }) => paid === 1)) return 'complete';
  if (transactions.some(({ held }) => held === 1)) return 'open';
  return session.expires_at <= now ? 'expired' : 'open';
}

export function pageUrl(
  deps: Pick<Deps, 'box' | 'serviceUrl'>,
  session: Pick<SessionRow, 'id' | 'token'>,
): string {
  return `${deps.serviceUrl()}/pay/${tokenOf(deps, session)}`;
}

/** The token in the address of a session's page. */
export function tokenOf(deps: Pick<Deps, 'box'>, session: Pick<SessionRow, 'id' | 'token'>): string {
  return deps.box.decrypt(session.token, `checkout_sessions.token:${session.id}`);
}

export function sessionNotFound(): ServiceError {
  return new ServiceError(
    'TRANSACTION_NOT_FOUND',
    'The account has no such session. Send the sessionId that the creation of the session returned.',
  );
}

/** Reads the merchant's own session. Error: TRANSACTION_NOT_FOUND. */
export async function readSession(
  deps: Pick<Deps, 'db' | 'box' | 'clock' | 'serviceUrl'>,
  merchant: Pick<Merchant, 'id'>,
  input: SessionInput,
): Promise<SessionOutput> {
  const session = await findOwnSession(deps.db.read, input.sessionId, merchant.id);
  if (session === undefined) throw sessionNotFound();
  const transactions = await transactionsOfSession(deps.db.read, session);
  const shown = transactions.find(({ session_paid: paid }) => paid === 1) ?? transactions.at(-1);
  if (shown === undefined) throw new Error(`session ${session.id} has no transaction`);
  return {
    sessionId: session.id,
    status: sessionStatus(session, transactions, deps.clock.now()),
    transactionId: shown.id,
    externalOrderId: shown.order_id,
    amount: eurosFromCents(shown.amount_cents),
    currency: 'EUR',
    url: pageUrl(deps, session),
    expiresAt: isoInstant(session.expires_at),
  };
}
