import type { BankAccount } from '../../../src/banks/port.ts';
import {
  type AccountView,
  type AttemptView,
  attemptOfOrder,
  attemptsOf,
  type Snapshot,
} from '../snapshot.ts';
import type { World } from '../world.ts';
import { type Change, type ChangeChecks, moves } from './change.ts';

const EUPAGO_MIN_CENTS = 100;

export const ACCOUNT_CHECKS: ChangeChecks = {
  *'an attempt, a receipt and a refund keep their account'({ before, after }) {
    for (const table of ['attempts', 'receipts', 'refunds'] as const)
      for (const [id, { account_id }] of before[table])
        if (after[table].get(id)?.account_id !== account_id) yield `${id} has left ${account_id}`;
  },

  *'a new attempt goes to its route, or to the fallback of a dead one'(change) {
    const { before, after, world } = change;
    for (const [id, is] of after.attempts) {
      if (before.attempts.has(id)) continue;
      const { acquirer, fallback } = after.bank_routes.get(`${is.merchant_id} ${is.method}`) ?? {
        acquirer: 'ifthenpay',
        fallback: null,
      };
      if (acquirerOf(after, is) === 'eupago' && is.amount_cents < EUPAGO_MIN_CENTS)
        yield `${id} of ${is.amount_cents} cents goes to EuPago`;
      const dead = deadBehind(change, is);
      if (dead !== undefined) {
        world.second.fallbacks.set(dead.id, null);
        world.second.fallbacks.set(id, null);
        world.count(`fallback ${is.method} after ${dead.end_reason}`);
        if (dead.phone_number !== is.phone_number) yield `${id} goes to another phone`;
        continue;
      }
      const routed = currentAccount(after, is.merchant_id, acquirer);
      if (routed?.id !== is.account_id) yield `${id} goes to ${is.account_id}, not to ${routed?.id}`;
      world.second.fallbacks.set(id, currentAccount(after, is.merchant_id, fallback)?.id ?? null);
    }
  },

  *'a fallback is made where it is due'({ before, after, world }) {
    for (const { id, is } of moves(before.attempts, after.attempts)) {
      const fallback = world.second.fallbacks.get(id) ?? null;
      if (fallback === null) continue;
      if (is.state === 'unknown') world.count(`no fallback ${is.method} after unknown`);
      if (is.state !== 'dead' || is.end_reason === 'interrupted') continue;
      const transaction = after.transactions.get(is.transaction_id);
      const account = after.bank_accounts.get(fallback);
      const isTooSmall = account?.acquirer === 'eupago' && is.amount_cents < EUPAGO_MIN_CENTS;
      const isOpen = transaction?.status === 'pending' && transaction.held === 0;
      if (!mayFallBack(is, world)) world.count(`no fallback ${is.method} after ${is.end_reason}`);
      else if (isTooSmall) world.count('no fallback below the limit');
      else if (isOpen && transaction.session_id === null) yield `${id} has none`;
    }
  },
};

/** Checks that the service queries the bank about an attempt with the attempt's account. */
export function checkAccount(world: World, { id }: BankAccount, bankOrderId: string): void {
  const attempt = attemptOfOrder(world.monitor.state, bankOrderId);
  if (attempt?.account_id !== id)
    world.fail('an attempt keeps its account', `${bankOrderId} of ${attempt?.account_id}, asked at ${id}`);
}

export function acquirerOf(state: Snapshot, { account_id }: Pick<AttemptView, 'account_id'>) {
  return state.bank_accounts.get(account_id)?.acquirer;
}

/** The account of new attempts at an acquirer: the merchant's own or the default one. */
function currentAccount(state: Snapshot, merchantId: string, acquirer: string | null): AccountView | null {
  const current = [...state.bank_accounts.values()].filter(
    (row) => row.current === 1 && row.acquirer === acquirer,
  );
  return (
    current.find((row) => row.merchant_id === merchantId) ??
    current.find((row) => row.merchant_id === null) ??
    null
  );
}

/** Returns the attempt whose fallback the new attempt is; the unit that marks it as dead makes the fallback. */
function deadBehind({ before, after, world }: Change, is: AttemptView): AttemptView | undefined {
  return attemptsOf(after, is.transaction_id).findLast(
    (one) =>
      one.method === is.method &&
      one.state === 'dead' &&
      before.attempts.get(one.id)?.state !== 'dead' &&
      world.second.fallbacks.get(one.id) === is.account_id &&
      mayFallBack(one, world),
  );
}

/** Whether no call or no connection was made, or the attempt is a reference without a readable response. */
function mayFallBack({ method, bank_order_id }: AttemptView, world: World): boolean {
  const outcome = world.bank.creates.get(bank_order_id);
  return (
    outcome === undefined || outcome === 'unreachable' || (method === 'REFERENCE' && outcome === 'unknown')
  );
}
