import type { CallLog } from './call-log.ts';
import type { FinalState, OrderRow } from './final-state.ts';

/** Checks that acknowledged sessions exist, and that no session had two transactions to pay at the same time. */
export function judgeCheckout(log: CallLog, state: FinalState): string[] {
  const { orders, sessions, missingPages } = state;
  const faults = missingPages.map((page) => `a link led to ${page}, which is not there`);
  const bySession = Map.groupBy(orders, (order) => order.session_id as string | null);
  for (const [id, { orderId, amount }] of log.sessions) {
    const body = sessions.get(id)?.body;
    if (body?.externalOrderId !== orderId || body.amount !== amount)
      faults.push(`session ${id} of ${orderId} was acknowledged and is not there as it was asked for`);
    const isPaid = bySession.get(id)?.some(({ status }) => status === 'paid');
    if ((body?.status === 'complete') !== isPaid)
      faults.push(`session ${id} is ${body?.status}, paid: ${isPaid}`);
  }
  for (const [id, transactions] of bySession)
    if (id !== null) faults.push(...overlaps(state, id, transactions));
  for (const [key, same] of Map.groupBy(orders, (order) => `${order.merchant_id} ${order.order_id}`)) {
    const created = new Set(same.map(({ id, session_id }) => session_id ?? id)).size;
    if (created > 1) faults.push(`order ${key} was created ${created} times`);
  }
  return faults;
}

/** Each transaction of a session follows the end of the one before, and none follows a payment. */
function overlaps({ shown }: FinalState, sessionId: string, transactions: readonly OrderRow[]): string[] {
  const eventsOf = ({ id }: OrderRow) => shown.get(id)?.events ?? [];
  return transactions.flatMap((one, i) => {
    const before = transactions.slice(0, i);
    const previous = before.at(-1);
    const isBefore = ({ createdAt }: { createdAt: string }) => Date.parse(createdAt) <= one.created_at;
    const hasEnded = previous === undefined || eventsOf(previous).some(isBefore);
    const isPaid = before.flatMap(eventsOf).some((event) => {
      return event.event === 'payment.success' && Date.parse(event.createdAt) < one.created_at;
    });
    return [
      ...(hasEnded ? [] : [`session ${sessionId} had two pending transactions`]),
      ...(isPaid ? [`session ${sessionId} was paid and started ${one.id}`] : []),
    ];
  });
}
