import { readSession } from '../../../src/checkout/session.ts';
import { merchantOf } from '../calls.ts';
import {
  attemptsOf,
  isLive,
  isSold,
  othersOfSession,
  type Snapshot,
  type TransactionView,
} from '../snapshot.ts';
import type { ChangeChecks } from './change.ts';
import type { EndChecks } from './end.ts';

export const SESSION_CHECKS: ChangeChecks = {
  /** An order is a session or a transaction without one. */
  *'an order has at most one pending transaction and one live push'({ after }) {
    const orders = Map.groupBy(after.transactions.values(), ({ id, session_id }) => session_id ?? id);
    for (const [id, own] of orders) {
      const pending = own.filter((row) => row.status === 'pending' && row.held === 0);
      if (pending.length > 1) yield `${id} has ${pending.length} pending transactions`;
      const pushes = own
        .flatMap((row) => attemptsOf(after, row.id))
        .filter((row) => row.method === 'MBWAY' && isLive(row));
      if (pushes.length > 1) yield `${id} has ${pushes.length} live pushes`;
    }
  },

  *'a session that is complete, held or over starts nothing'({ before, after, now, world }) {
    for (const row of after.transactions.values()) {
      const session = before.checkout_sessions.get(row.session_id ?? '');
      if (session === undefined) continue;
      const isNew = !before.transactions.has(row.id);
      const startsStep = attemptsOf(after, row.id).some(({ id }) => !before.attempts.has(id));
      if (!isNew && !startsStep) continue;
      if (isNew) world.count('session next transaction');
      const what = isNew ? row.id : `a step of ${row.id}`;
      const others = othersOfSession(before, row);
      if (now >= session.expires_at) yield `${what} starts after the end of ${session.id}`;
      if (others.some(isSold)) yield `${what} starts in ${session.id}, which is paid`;
      if (isNew && others.some((other) => other.status === 'pending'))
        yield `${what} starts in ${session.id} while another is open`;
      const isSame = others.every((other) => nameOf(other) === nameOf(row));
      if (!isSame) yield `${what} has another order than ${session.id}`;
    }
  },

  *'the first paid transaction completes a session for good'({ before, after }) {
    const wasPaid = bySession(before);
    for (const [id, own] of bySession(after)) {
      const paid = own.filter(({ status }) => status === 'paid');
      const first = own.filter((row) => row.session_paid === 1);
      if (first.length !== Math.min(1, paid.length))
        yield `${id} has ${paid.length} paid transactions, of which ${first.length} first`;
      const known = wasPaid.get(id)?.find((row) => row.session_paid === 1);
      if (known !== undefined && known.id !== first[0]?.id) yield `${id} was completed by ${known.id}`;
    }
  },

  *'the uses of a payment link are limited, counted and numbered'({ before, after, now }) {
    const orders = bySession(after);
    for (const link of after.payment_links.values()) {
      const sessions = [...after.checkout_sessions.values()].filter(({ link_id }) => link_id === link.id);
      const numbers = sessions.map(({ id }) => orders.get(id)?.[0]?.order_id);
      const expected = sessions.map((_, index) => `${link.order_prefix}-${index + 1}`);
      if (link.uses_count !== sessions.length || numbers.join() !== expected.join())
        yield `${link.id} counts ${link.uses_count} uses and has the orders ${numbers.join(', ')}`;
      if (link.uses_max !== null && link.uses_count > link.uses_max) yield `${link.id} was used too often`;
      const was = before.payment_links.get(link.id);
      if (was === undefined || was.uses_count === link.uses_count) continue;
      const isOver = was.closed_at !== null || (link.expires_at ?? Number.POSITIVE_INFINITY) <= now;
      if (isOver) yield `${link.id} was used after its end`;
    }
  },
};

export const SESSION_END_CHECKS: EndChecks = {
  /** Compares what merchants read of each session. */
  async *'a session agrees with its transactions'(world, service) {
    const { state } = world.monitor;
    const orders = bySession(state);
    for (const { id, merchant_id, expires_at } of state.checkout_sessions.values()) {
      const own = orders.get(id) ?? [];
      const view = await readSession(service.deps, await merchantOf(service, merchant_id), { sessionId: id });
      const isOver = expires_at <= world.serviceNow() && !own.some(({ held }) => held === 1);
      const isPaid = own.some(({ status }) => status === 'paid');
      const expected = isPaid ? 'complete' : isOver ? 'expired' : 'open';
      const shown = own.find((row) => row.session_paid === 1) ?? own.at(-1);
      // Ids follow the service's clock, which may have been set back.
      const isShown = view.transactionId === shown?.id || (!isPaid && world.scenario.jumps > 0);
      if (view.status !== expected || !isShown) yield `${id}: ${JSON.stringify(view)}, not ${expected}`;
      world.count(`session ends ${view.status}`);
    }
  },
};

/** The transactions of each session, oldest first. */
function bySession({ transactions }: Snapshot): Map<string | null, TransactionView[]> {
  const sessions = Map.groupBy(transactions.values(), ({ session_id }) => session_id as string | null);
  sessions.delete(null);
  return sessions;
}

function nameOf({ merchant_id, order_id, amount_cents, pending_until }: TransactionView): string {
  return JSON.stringify([merchant_id, order_id, amount_cents, pending_until]);
}
