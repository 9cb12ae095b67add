import type { CallLog } from './call-log.ts';
import type { FinalState, Order } from './final-state.ts';

/** Checks that acknowledged sessions exist, and that no session had two transactions to pay at the same time. */
export function* judgeCheckout(log: CallLog, state: FinalState): Iterable<string> {
  const { sessions, missingPages } = state;
  const orders = [...state.orders.values()];
  for (const page of missingPages) yield `a link led to ${page}, which is not there`;
  const bySession = Map.groupBy(orders, ({ transaction }) => transaction.session_id as string | null);
  for (const [id, { orderId, amount }] of log.sessions) {
    const body = sessions.get(id)?.body;
    if (body?.externalOrderId !== orderId || body.amount !== amount)
      yield `session ${id} of ${orderId} was acknowledged and is not there as it was asked for`;
    const isPaid = bySession.get(id)?.some(({ transaction }) => transaction.status === 'paid');
    if ((body?.status === 'complete') !== isPaid) yield `session ${id} is ${body?.status}, paid: ${isPaid}`;
  }
  for (const [id, own] of bySession) if (id !== null) yield* overlaps(id, own);
  const nameOf = ({ transaction }: Order) => `${transaction.merchant_id} ${transaction.order_id}`;
  for (const [key, same] of Map.groupBy(orders, nameOf)) {
    const created = new Set(same.map(({ transaction: { id, session_id } }) => session_id ?? id)).size;
    if (created > 1) yield `order ${key} was created ${created} times`;
  }
}

/** Each transaction of a session follows the end of the one before, and none follows a payment. */
function* overlaps(sessionId: string, orders: readonly Order[]): Iterable<string> {
  for (const [i, { transaction }] of orders.entries()) {
    const { id, created_at: at } = transaction;
    const before = orders.slice(0, i);
    const hasEnded = before.at(-1)?.events.some(({ created_at }) => created_at <= at) ?? true;
    if (!hasEnded) yield `session ${sessionId} had two pending transactions`;
    const isPaid = before
      .flatMap(({ events }) => events)
      .some(({ kind, created_at }) => kind === 'payment.success' && created_at < at);
    if (isPaid) yield `session ${sessionId} was paid and started ${id}`;
  }
}
