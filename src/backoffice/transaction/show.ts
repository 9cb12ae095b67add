import { linkTitleOf } from '../../checkout/link-store.ts';
import type { Queryable } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { storedJson } from '../../kernel/json.ts';
import { selectMerchant } from '../../merchants/store.ts';
import { attemptsOf } from '../../payments/attempt-store.ts';
import type { CanonicalCustomer, CanonicalItem } from '../../payments/init-order.ts';
import { type RefundRow, refundsOf } from '../../payments/refunds/store.ts';
import { shownAttempt } from '../../payments/status.ts';
import { acquirersOf, findTransaction, receiptsOf, type TransactionRow } from '../../payments/store.ts';
import { eventsOfTransaction } from '../../webhooks/store.ts';
import { unicodeNames } from '../domain-names.ts';
import { notFound } from '../errors.ts';
import { type DeliveryLine, deliveryLines } from '../webhook/deliveries.ts';
import { deliveriesOf } from '../webhook/store.ts';
import { attemptDetail, receiptDetail } from './details.ts';
import { type Reader, visibleTo } from './redaction.ts';
import {
  attemptEntries,
  deliveryEntry,
  eventEntry,
  heldEntry,
  inOrder,
  peopleEntries,
  receiptEntry,
  refundEntries,
} from './timeline.ts';

const DELIVERIES_MAX = 200;

export type TransactionDetail = Awaited<ReturnType<typeof showTransaction>>;

/**
 * One transaction with its attempts, receipts, deliveries and timeline. Amounts in cents, instants in UTC milliseconds.
 * With `owner` null it can be any merchant's. Throws NOT_FOUND.
 */
export function showTransaction(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
  owner: Id<'mer'> | null,
  reader: Reader,
) {
  return db.snapshot((read) => detailOf(read, clock.now(), { id, owner, reader }));
}

async function detailOf(
  db: Queryable,
  now: number,
  { id, owner, reader }: { id: string; owner: Id<'mer'> | null; reader: Reader },
) {
  const row = await findTransaction(db, id, owner);
  if (row === undefined) throw notFound();
  const visible = visibleTo(reader, {
    transaction: row,
    attempts: await attemptsOf(db, row),
    receipts: await receiptsOf(db, row),
  });
  const { transaction } = visible;
  const merchant = await selectMerchant(db, transaction.merchant_id);
  if (merchant === null) throw notFound();
  const events = await eventsOfTransaction(db, row.id);
  const accounts = [...visible.attempts, ...visible.receipts].map((each) => each.account_id);
  const acquirers = await acquirersOf(db, accounts);
  const attempts = visible.attempts.map((attempt) => attemptDetail(attempt, reader, acquirers));
  const receipts = visible.receipts.map((receipt) => receiptDetail(receipt, reader, acquirers));
  const deliveries = await deliveryLines(db, await deliveriesOf(db, row.id, DELIVERIES_MAX));
  const refunds = await refundsOf(db, visible.receipts);
  const isPaid = transaction.status === 'paid' || transaction.held === 1;
  const timeline = [
    { at: transaction.created_at, key: transaction.id, kind: 'created' } as const,
    ...attempts.flatMap(attemptEntries),
    ...receipts.map(receiptEntry),
    ...heldEntry(visible),
    ...refunds.flatMap(refundEntries),
    ...events.map(eventEntry),
    ...deliveries.map(deliveryEntry),
    ...(await peopleEntries(db, visible, deliveries, reader)),
  ];
  return {
    transactionId: transaction.id as string,
    merchantId: transaction.merchant_id as string,
    merchantName: merchant.name,
    orderId: transaction.order_id,
    amountCents: transaction.amount_cents,
    status: transaction.status,
    held: transaction.held === 1,
    method: isPaid ? transaction.paid_method : (shownAttempt(row, visible.attempts)?.method ?? null),
    createdAt: transaction.created_at,
    paidAt: transaction.paid_at,
    /** The title of the payment link that led to it; null without one. */
    linkTitle: await linkTitleOf(db, transaction),
    storeDomain: transaction.store_domain,
    domainNames: unicodeNames([transaction.store_domain]),
    receivedCents: receipts.reduce((sum, receipt) => sum + receipt.amountCents, 0),
    /** Refunds that did not fail, and money that was marked as returned. */
    refundedCents: visible.receipts.reduce(
      (sum, receipt) => sum + receipt.refund_cents + (receipt.returned_cents ?? 0),
      0,
    ),
    /** The server's time, for countdowns. */
    now,
    live: isLive(transaction, deliveries, refunds),
    attempts,
    receipts,
    deliveries,
    timeline: inOrder(timeline),
    // Validated by `init`; null once the person's data is erased.
    customer: storedJson<CanonicalCustomer>(transaction.customer),
    shippingAddress: storedJson<Record<string, string>>(transaction.shipping_address),
    items: storedJson<CanonicalItem[]>(transaction.items),
    tracking: storedJson<Record<string, string>>(transaction.tracking),
  };
}

/** Whether changes are expected soon, so that the page polls. */
function isLive(
  { status }: TransactionRow,
  deliveries: readonly DeliveryLine[],
  refunds: readonly RefundRow[],
): boolean {
  return (
    status === 'pending' ||
    deliveries.some(({ state }) => state === 'due') ||
    refunds.some(({ state }) => state === 'requested' || state === 'sent')
  );
}
