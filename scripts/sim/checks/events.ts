import { paysAlone, type ReceiptView, receiptsOf, refundsOf, sum } from '../snapshot.ts';
import type { Change, ChangeChecks } from './change.ts';

const EVENT_OF = {
  paid: 'payment.success',
  failed: 'payment.failed',
  cancelled: 'payment.cancelled',
} as const;

export const EVENT_CHECKS: ChangeChecks = {
  /** No transaction leaves `paid`, so it is announced once. */
  *'one state change is one event'(change) {
    const { before, after } = change;
    const fresh = [...after.events.values()].filter((event) => !before.events.has(event.id));
    for (const [id, was] of before.events) {
      const is = after.events.get(id);
      if (is?.kind !== was.kind || is.transaction_id !== was.transaction_id)
        yield `event ${id} is gone or altered`;
    }
    const delivered = new Set([...after.deliveries.values()].map((delivery) => delivery.event_id));
    for (const { id, kind, transaction_id } of fresh) {
      if (!delivered.has(id)) yield `event ${id} has no delivery`;
      if (transaction_id === null && kind !== 'webhook.test') yield `${kind} ${id} has no transaction`;
    }
    for (const [id, is] of after.transactions) {
      const was = before.transactions.get(id);
      const kinds = fresh.filter((event) => event.transaction_id === id).map((event) => event.kind);
      const moved =
        was === undefined || was.status === is.status || is.status === 'pending' ? [] : [EVENT_OF[is.status]];
      const due = [...moved, ...refundEvents(change, id)];
      if (kinds.join() !== due.join())
        yield `${id} became ${is.status} and announced ${kinds.join() || 'nothing'}`;
      if (is.events_count !== (was?.events_count ?? 0) + due.length)
        yield `${id} counts ${is.events_count} events`;
    }
  },

  *'events are numbered once, without a gap, in the order of their commits'({ before, after }) {
    const counted = new Map<string, number>();
    for (const { id, merchant_id: merchantId, sequence } of after.events.values()) {
      const was = before.events.get(id)?.sequence ?? null;
      if (was !== null && was !== sequence) yield `${id} was ${was} and is ${sequence}`;
      const next = (counted.get(merchantId) ?? 0) + 1;
      if (sequence !== null && sequence !== next) yield `${id} has ${sequence}, not ${next}`;
      // After an event without a number, no event may have a number.
      counted.set(merchantId, sequence === null ? Number.NaN : next);
    }
  },

  *'a finished delivery stays as it is, with at most 5 attempts'({ before, after }) {
    for (const [id, was] of before.deliveries) {
      const is = after.deliveries.get(id);
      if (is === undefined) yield `${id} is gone`;
      else if (was.state !== 'due' && (is.state !== was.state || is.attempts_count !== was.attempts_count)) {
        yield `${id} was ${was.state} and is ${is.state} after ${is.attempts_count} attempts`;
      } else if (is.attempts_count < was.attempts_count || is.attempts_count > 5) {
        yield `${id} counts ${is.attempts_count} attempts`;
      }
    }
  },
};

/** A completed refund has an event if its merchant enabled refund events and the money kept no longer covers the order. */
function* refundEvents({ before, after, world }: Change, id: string): Iterable<'payment.refunded'> {
  const is = after.transactions.get(id);
  const wanted = world.shops.some((shop) => shop.id === is?.merchant_id && shop.refundEvents);
  if (is?.status !== 'paid' || !wanted || after.refunds.size === 0) return;
  const paying = receiptsOf(after, id).filter((row) => paysAlone(row) || row.settlement === 'credited');
  const done = (row: ReceiptView) => refundsOf(after, row.id).filter(({ state }) => state === 'done');
  const back = paying.flatMap(done);
  const kept = sum(paying.map((row) => row.amount_cents)) - sum(back.map((row) => row.amount_cents));
  if (kept >= is.amount_cents) return;
  for (const refund of back) if (before.refunds.get(refund.id)?.state !== 'done') yield 'payment.refunded';
}
