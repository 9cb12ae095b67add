import type { Queryable, Tx } from '../db/database.ts';
import { ofMerchant } from '../db/of-merchant.ts';
import type { Id } from '../kernel/ids.ts';
import { type Person, type Scrub, scrubJson } from '../kernel/scrub.ts';
import { lockTransaction, type TransactionKey, type TransactionRow } from './store.ts';
import { LIVE } from './transaction.ts';

/** The customer and the phone numbers stored on a transaction. */
export async function peopleOfTransaction(
  db: Queryable,
  { id, merchant_id }: TransactionKey,
): Promise<Person[]> {
  const own = ofMerchant(db, merchant_id);
  const transaction = await db
    .selectFrom('transactions')
    .select('customer')
    .where('id', '=', id)
    .where(own)
    .executeTakeFirst();
  const attempts = await db
    .selectFrom('attempts')
    .select('phone_number as phone')
    .distinct()
    .where('transaction_id', '=', id)
    .where(own)
    .where('phone_number', 'is not', null)
    .execute();
  const customer = transaction?.customer ?? null;
  return customer === null ? attempts : [JSON.parse(customer) as Person, ...attempts];
}

/** Assigns a transaction without a lead, and the others of its checkout session, to the lead under which they are erased. */
export async function assignLead(
  tx: Tx,
  { id, session_id, merchant_id }: Pick<TransactionRow, 'id' | 'session_id' | 'merchant_id'>,
  leadId: Id<'led'>,
): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({ lead_id: leadId })
    .where((eb) => (session_id === null ? eb('id', '=', id) : eb('session_id', '=', session_id)))
    .where('lead_id', 'is', null)
    .where(ofMerchant(tx, merchant_id))
    .execute();
}

/** The condition that a row belongs to the merchant of the erased transaction. */
type Own = ReturnType<typeof ofMerchant>;

/** Keys by which other slices find what they store about an erased transaction. */
interface ErasedTransaction {
  bankOrderIds: string[];
  /** Attempts without a phone number, or whose phone number was erased. */
  attemptIds: Id<'att'>[];
  sessionId: Id<'cs'> | null;
  /** Targets of audit entries that may quote a receipt note. */
  quotedTargets: string[];
  /** Whether personal data is still needed: the payment is pending, a push is live, or a transfer has a new account. */
  unfinished: boolean;
}

/**
 * Erases the personal data of one transaction: the customer's data, the phone numbers of finished attempts, and names in
 * bank records and receipt notes. A live push keeps its phone number, because a repeated call is compared with it. A repeated
 * erasure keeps the account of a transfer that is still due, because it was set after the first one.
 */
export async function eraseTransaction(
  tx: Tx,
  key: TransactionKey,
  { scrub, isRepeated }: { scrub: Scrub; isRepeated: boolean },
): Promise<ErasedTransaction> {
  const { id } = key;
  const own = ofMerchant(tx, key.merchant_id);
  // Locked before its receipts, as everywhere, so that concurrent changes are not overwritten and cannot deadlock.
  await lockTransaction(tx, id, { owner: key.merchant_id });
  const receiptIds = await scrubRecords(tx, id, own, scrub);
  const notes = await scrubNotes(tx, receiptIds, own, scrub);
  const refunds = await eraseRefunds(tx, receiptIds, own, { scrub, isRepeated });
  const transaction = await tx
    .updateTable('transactions')
    .set({ customer: null, shipping_address: null, items: null, tracking: null })
    .where('id', '=', id)
    .where(own)
    .returning(['status', 'held', 'session_id'])
    .executeTakeFirst();
  await tx
    .updateTable('attempts')
    .set({ phone_number: null })
    .where('transaction_id', '=', id)
    .where(own)
    .where('phone_number', 'is not', null)
    .where('state', 'not in', LIVE)
    .execute();
  const attempts = await tx
    .selectFrom('attempts')
    .select(['id', 'bank_order_id', 'phone_number'])
    .where('transaction_id', '=', id)
    .where(own)
    .execute();
  return {
    bankOrderIds: attempts.map((attempt) => attempt.bank_order_id),
    sessionId: transaction?.session_id ?? null,
    attemptIds: attempts.filter((attempt) => attempt.phone_number === null).map(({ id }) => id),
    quotedTargets: [...(notes > 0 ? [id, ...receiptIds] : []), ...refunds.ids],
    unfinished:
      (transaction?.status === 'pending' && transaction.held === 0) ||
      attempts.some((attempt) => attempt.phone_number !== null) ||
      refunds.hasAccount,
  };
}

async function scrubRecords(tx: Tx, transactionId: Id<'tx'>, own: Own, scrub: Scrub): Promise<Id<'rcp'>[]> {
  const receipts = await tx
    .selectFrom('receipts')
    .select(['id', 'record'])
    .where('transaction_id', '=', transactionId)
    .where(own)
    .execute();
  for (const { id, record } of receipts) {
    const scrubbed = scrubJson(scrub, record);
    if (scrubbed === record) continue;
    await tx.updateTable('receipts').set({ record: scrubbed }).where('id', '=', id).where(own).execute();
  }
  return receipts.map((receipt) => receipt.id);
}

/**
 * Erases the account holders of refunds, and the person in their texts. A transfer that is still due needs a new IBAN.
 * `hasAccount`: a repeated erasure has kept such an IBAN.
 */
async function eraseRefunds(
  tx: Tx,
  receiptIds: readonly Id<'rcp'>[],
  own: Own,
  { scrub, isRepeated }: { scrub: Scrub; isRepeated: boolean },
): Promise<{ ids: string[]; hasAccount: boolean }> {
  if (receiptIds.length === 0) return { ids: [], hasAccount: false };
  const refunds = await tx
    .selectFrom('refunds')
    .select(['id', 'state', 'iban', 'reason', 'detail'])
    .where('receipt_id', 'in', receiptIds)
    .where(own)
    .execute();
  const isKept = ({ state, iban }: Pick<(typeof refunds)[number], 'state' | 'iban'>) =>
    isRepeated && state === 'awaiting_transfer' && iban !== null;
  for (const refund of refunds) {
    const { id, reason, detail } = refund;
    const account = isKept(refund) ? {} : { iban: null, name: null };
    const erased = { ...account, reason: scrub(reason), detail: scrub(detail) };
    await tx.updateTable('refunds').set(erased).where('id', '=', id).where(own).execute();
    const history = await tx
      .selectFrom('refund_history')
      .select(['number', 'note'])
      .where('refund_id', '=', id)
      .where(own)
      .execute();
    for (const { number, note } of history) {
      if (scrub(note) === note) continue;
      await tx
        .updateTable('refund_history')
        .set({ note: scrub(note) })
        .where('refund_id', '=', id)
        .where(own)
        .where('number', '=', number)
        .execute();
    }
  }
  const reported = await tx
    .selectFrom('reported_refunds')
    .select(['id', 'note'])
    .where('receipt_id', 'in', receiptIds)
    .where(own)
    .where('note', 'is not', null)
    .execute();
  for (const { id, note } of reported)
    await tx
      .updateTable('reported_refunds')
      .set({ note: scrub(note) })
      .where('id', '=', id)
      .where(own)
      .execute();
  return { ids: [...refunds, ...reported].map(({ id }) => id), hasAccount: refunds.some(isKept) };
}

async function scrubNotes(tx: Tx, receiptIds: readonly Id<'rcp'>[], own: Own, scrub: Scrub): Promise<number> {
  if (receiptIds.length === 0) return 0;
  const notes = await tx
    .selectFrom('receipt_notes')
    .select(['id', 'text'])
    .where('receipt_id', 'in', receiptIds)
    .where(own)
    .execute();
  for (const { id, text } of notes) {
    const scrubbed = scrub(text);
    if (scrubbed === text) continue;
    await tx.updateTable('receipt_notes').set({ text: scrubbed }).where('id', '=', id).where(own).execute();
  }
  return notes.length;
}
