import { setTimeout as wait } from 'node:timers/promises';
import type { CallLog } from './call-log.ts';
import { emailOf } from './calls.ts';
import type { FinalState, Order } from './final-state.ts';
import type { Mail } from './mailbox.ts';

const RECEIPT = 'payment-receipt';
const LATE_SECONDS = 120;
const INSTRUCTIONS = 'multibanco-instructions';

/** Compares the mails with the transactions of each customer: not too many, none before its payment, each at least once. */
export function* judgeMails(log: CallLog, { orders }: FinalState, mails: readonly Mail[]): Iterable<string> {
  const byCustomer = Map.groupBy(mails, ({ to }) => to);
  for (const [orderId, same] of Map.groupBy(orders.values(), ({ transaction }) => transaction.order_id)) {
    const own = byCustomer.get(emailOf(orderId)) ?? [];
    const hasMail = same.every(({ shop }) => shop?.hasExtras) && isTyped(orderId);
    const paid = same.filter(({ transaction }) => hasMail && transaction.status === 'paid');
    const count = (kind: string) =>
      new Set(own.filter((mail) => mail.kind === kind).map((mail) => mail.messageId)).size;
    if (count(RECEIPT) < paid.length) yield `the receipt of ${orderId} did not arrive`;
    if (count(RECEIPT) > paid.length) yield `${orderId} has more mailed receipts than payments`;
    const paidAt = Math.min(...paid.map(({ transaction }) => transaction.paid_at ?? 0));
    if (own.some(({ kind, at }) => kind === RECEIPT && at < paidAt))
      yield `${orderId} had its receipt before its money`;
    const referenced = same.filter((order) => hasMail && references(order).length > 0);
    const payable = referenced.filter(
      (order) => order.transaction.status === 'pending' && references(order).includes('open'),
    );
    if (count(INSTRUCTIONS) < payable.length) yield `the instructions for ${orderId} did not arrive`;
    if (count(INSTRUCTIONS) > referenced.length) yield `${orderId} has more instructions than references`;
  }
  for (const [id, { length }] of Map.groupBy(mails, ({ messageId }) => messageId)) {
    if (length > 1 + Math.max(1, log.kills.length)) yield `mail ${id} arrived ${length} times`;
  }
}

/** The states of the references of an order. */
function references({ attempts }: Order): string[] {
  return attempts.flatMap(({ method, state }) => (method === 'REFERENCE' ? state : []));
}

/** Waits until the last mails have arrived: a mail whose sending process was killed is sent again after its lease of 90 s. */
export async function waitForMails(log: CallLog, state: FinalState, mails: readonly Mail[]): Promise<void> {
  for (let second = 0; second < LATE_SECONDS; second++) {
    if ([...judgeMails(log, state, mails)].length === 0) return;
    await wait(1000);
  }
}

/** Orders of payment links have no customer. */
function isTyped(orderId: string): boolean {
  return orderId.startsWith('ORDER-');
}
