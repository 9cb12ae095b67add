import { linkTitleOf } from '../../checkout/link-store.ts';
import type { Queryable } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { ACQUIRERS } from '../../kernel/acquirer.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { amountText, instantText } from '../../kernel/language.ts';
import { lastPlanned, sentBefore } from '../../mail/store.ts';
import type { AlertSource, DueMail } from '../../mail/worker.ts';
import { selectMerchant } from '../../merchants/store.ts';
import { isHidden, MAILED_FLAGS } from '../../payments/exceptions/exception.ts';
import { findReceipt } from '../../payments/exceptions/store.ts';
import { transactionsOfSession } from '../../payments/session-store.ts';
import { findTransaction, type ReceiptRow, type TransactionRow } from '../../payments/store.ts';
import { BACKOFFICE } from '../paths.ts';
import { undeliveredByMerchant } from '../webhook/store.ts';
import { bankAlertText, moneyAlertText, undeliveredAlertText } from './texts.ts';

type AlertDeps = Pick<Deps, 'db' | 'clock' | 'settings' | 'serviceUrl'>;

/** After the clock was set back, an event can be dated up to this long before a mail that did not include it. */
const CLOCK_SET_BACK_MS_MAX = 600_000;

/** The alert to a merchant's owners about undelivered events, with their number since the last such mail. */
export function undeliveredAlert({ db, serviceUrl }: AlertDeps): AlertSource {
  const merchantOf = ({ entity }: DueMail) => entity.slice(0, entity.indexOf('.')) as Id<'mer'>;
  const countOf = async (mail: DueMail) => {
    const merchantId = merchantOf(mail);
    const before = await sentBefore(db.read, mail, `${merchantId}.`);
    const since = (before ?? mail.planned_at - DAY_MS) - CLOCK_SET_BACK_MS_MAX;
    const [found] = await undeliveredByMerchant(db.read, since, { ids: [merchantId], limit: 1 });
    return found ?? null;
  };
  return {
    async audience(mail) {
      const merchantId = merchantOf(mail);
      if ((await selectMerchant(db.read, merchantId))?.alerts !== 1) return null;
      return (await countOf(mail)) === null ? null : { merchantId };
    },
    async compose(mail, language) {
      const found = await countOf(mail);
      if (found === null) return null;
      const url = `${serviceUrl()}${BACKOFFICE}/m/${found.merchantId}/webhook`;
      return undeliveredAlertText(language, found, url);
    },
  };
}

/** The alert about money that does not fit its order, to the owners or, when no merchant is known, to the operators. */
export function moneyAlert({ db, serviceUrl }: AlertDeps): AlertSource {
  return {
    async audience(mail) {
      const found = await openReceipt(db.read, mail);
      if (found === null) return null;
      const { merchant_id: merchantId } = found.receipt;
      if (found.kind === 'unmatched' || merchantId === null) return 'operators';
      const merchant = await selectMerchant(db.read, merchantId);
      const transaction = await transactionOf(db.read, found.receipt);
      if (merchant?.alerts !== 1 || isHidden(found.receipt, transaction)) return null;
      return { merchantId };
    },
    async compose(mail, language) {
      // One state: the credit of a short payment pays its order too, which is not another payment.
      const found = await db.snapshot((read) => exceptionOf(read, mail));
      if (found === null) return null;
      const { receipt, kind, transaction, linkTitle } = found;
      const place =
        receipt.merchant_id === null ? '/operator/exceptions' : `/m/${receipt.merchant_id}/exceptions`;
      return moneyAlertText(language, kind, {
        amount: amountText(receipt.amount_cents, language),
        paidAt: instantText(receipt.paid_at, language),
        orderId: transaction?.order_id ?? null,
        linkTitle,
        due: transaction === null ? null : amountText(transaction.amount_cents, language),
        url: `${serviceUrl()}${BACKOFFICE}${place}`,
      });
    },
  };
}

/** The receipt of an alert and its most important kind; null when it is no longer an open exception. */
async function openReceipt(db: Queryable, { entity }: DueMail) {
  const receipt = await findReceipt(db, entity as Id<'rcp'>);
  const kind = MAILED_FLAGS.find((flag) => receipt?.[flag] === 1);
  return receipt === undefined || receipt.settlement !== null || kind === undefined
    ? null
    : { receipt, kind };
}

/** The same with its transaction, and with the kind that the mail describes. */
async function exceptionOf(db: Queryable, mail: DueMail) {
  const found = await openReceipt(db, mail);
  if (found === null) return null;
  const transaction = await transactionOf(db, found.receipt);
  const isPaid = found.kind === 'under' && transaction !== null && (await isOrderPaid(db, transaction));
  const linkTitle = transaction === null ? null : await linkTitleOf(db, transaction);
  const kind = isPaid ? ('paidOtherwise' as const) : found.kind;
  return { receipt: found.receipt, kind, transaction, linkTitle };
}

/** Whether the transaction, or another of its session, is paid. */
async function isOrderPaid(
  db: Queryable,
  { status, session_id: id, merchant_id }: TransactionRow,
): Promise<boolean> {
  if (status === 'paid' || id === null) return status === 'paid';
  const others = await transactionsOfSession(db, { id, merchant_id });
  return others.some((other) => other.status === 'paid');
}

async function transactionOf(
  db: Queryable,
  { transaction_id: id }: ReceiptRow,
): Promise<TransactionRow | null> {
  return id === null ? null : ((await findTransaction(db, id)) ?? null);
}

/** The alert to the operators that an acquirer is unavailable, or available again, until it has changed again. */
export function bankAlert({ db, clock, serviceUrl, settings }: AlertDeps): AlertSource {
  return {
    audience: async () => 'operators',
    async compose({ entity, planned_at: plannedAt }, language) {
      const [name, change] = entity.split('.');
      const acquirer = ACQUIRERS.find((known) => known === name);
      if (acquirer === undefined) return null;
      const opposite = `${acquirer}.${change === 'up' ? 'down' : 'up'}.`;
      // One that lies ahead was planned before the clock was set back.
      const changed = await lastPlanned(db.read, 'alert-bank', opposite, clock.now());
      if (changed !== undefined && changed.planned_at > plannedAt) return null;
      return bankAlertText(language, {
        acquirer,
        since: change === 'up' ? null : instantText(plannedAt - settings.bankAlertMs, language),
        url: `${serviceUrl()}${BACKOFFICE}/operator/system`,
      });
    },
  };
}
