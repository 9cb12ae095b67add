import type { Queryable, Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { amountText, deadlineText, instantText, type Language } from '../kernel/language.ts';
import type { MailContent } from '../mail/content.ts';
import type { ComposedMail, DueMail, MailSources } from '../mail/worker.ts';
import { selectMerchant } from '../merchants/store.ts';
import { type AttemptRow, attemptsOf } from './attempt-store.ts';
import { METHOD_NAMES } from './methods.ts';
import { hasSettledOther, localeOfSession } from './session-store.ts';
import { findTransaction, type TransactionRow } from './store.ts';

type MailDeps = Pick<Deps, 'queueMail' | 'settings'>;

/** Queues the mails about a reference that the bank accepted: how to pay it, and a reminder before it expires. */
export async function mailReference(
  tx: Tx,
  deps: MailDeps & Pick<Deps, 'clock'>,
  transaction: TransactionRow,
  expiresAt: number,
): Promise<void> {
  if (!(await wantsMail(tx, deps, transaction))) return;
  await deps.queueMail(tx, { kind: 'multibanco-instructions', entity: transaction.id });
  const plannedAt = expiresAt - deps.settings.mailReminderMs;
  if (plannedAt <= deps.clock.now()) return;
  await deps.queueMail(tx, { kind: 'multibanco-reminder', entity: transaction.id, plannedAt });
}

/** Queues the receipt of a transaction that was paid. */
export async function mailReceipt(tx: Tx, deps: MailDeps, transaction: TransactionRow): Promise<void> {
  if (!(await wantsMail(tx, deps, transaction))) return;
  await deps.queueMail(tx, { kind: 'payment-receipt', entity: transaction.id });
}

async function wantsMail(tx: Tx, { settings }: MailDeps, transaction: TransactionRow): Promise<boolean> {
  if (!settings.mail || emailOf(transaction) === null) return false;
  return (await selectMerchant(tx, transaction.merchant_id))?.customer_mails === 1;
}

/** The mails to shoppers, read from the database when they are due. */
export function shopperMails({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  return {
    'multibanco-instructions': (mail) => referenceMail(db.read, mail, clock.now()),
    'multibanco-reminder': (mail) => referenceMail(db.read, mail, clock.now()),
    'payment-receipt': (mail) => receiptMail(db.read, mail),
  } satisfies Partial<MailSources['kinds']>;
}

type Sale = NonNullable<Awaited<ReturnType<typeof saleOf>>>;

/** Returns the transaction of a mail; null without it or its address, or when the merchant turned customer mail off. */
async function saleOf(db: Queryable, { entity }: DueMail) {
  const transaction = await findTransaction(db, entity);
  if (transaction === undefined) return null;
  const to = emailOf(transaction);
  const merchant = await selectMerchant(db, transaction.merchant_id);
  if (to === null || merchant?.customer_mails !== 1) return null;
  const { session_id: sessionId } = transaction;
  const language = sessionId === null ? 'pt' : await localeOfSession(db, sessionId);
  return { transaction, to, merchantName: merchant.name, language };
}

async function referenceMail(db: Queryable, mail: DueMail, now: number): Promise<ComposedMail | null> {
  const sale = await saleOf(db, mail);
  if (sale === null || sale.transaction.status !== 'pending' || sale.transaction.held === 1) return null;
  // A late payment may have paid the order through an earlier transaction of its session.
  if (await hasSettledOther(db, sale.transaction)) return null;
  const attempts = await attemptsOf(db, sale.transaction);
  const live = attempts.find(
    ({ method, state, expires_at }) => method === 'REFERENCE' && state === 'open' && (expires_at ?? 0) > now,
  );
  if (live === undefined) return null;
  return mailOf(sale, referenceContent(sale, live, mail.kind === 'multibanco-reminder'));
}

async function receiptMail(db: Queryable, mail: DueMail): Promise<ComposedMail | null> {
  const sale = await saleOf(db, mail);
  return sale === null || sale.transaction.status !== 'paid' ? null : mailOf(sale, receiptContent(sale));
}

function mailOf({ to, language, merchantName }: Sale, content: MailContent): ComposedMail {
  return { to, language, from: merchantName, content };
}

function referenceContent(sale: Sale, attempt: AttemptRow, isReminder: boolean): MailContent {
  const { transaction, language, merchantName } = sale;
  const amount = amountText(attempt.amount_cents, language);
  const expiry = deadlineText(attempt.expires_at ?? 0, language);
  const digits = (attempt.reference ?? '').replace(/(\d{3})(?=\d)/g, '$1 ');
  const order = transaction.order_id;
  const texts: Readonly<Record<Language, MailContent>> = {
    en: {
      subject: isReminder
        ? `Reminder: pay ${amount} to ${merchantName} by Multibanco`
        : `Multibanco reference for ${merchantName}: ${amount}`,
      heading: isReminder ? 'Your Multibanco reference expires soon' : 'Pay by Multibanco',
      paragraphs: ['Pay at an ATM or in online banking, under “Pagamento de serviços” (service payment).'],
      rows: [
        ['Entity', attempt.entity ?? ''],
        ['Reference', digits],
        ['Amount', amount],
        ['Pay by', expiry],
        ['Order', order],
      ],
      notes: [`Questions about the order? Contact ${merchantName}.`],
    },
    pt: {
      subject: isReminder
        ? `Lembrete: pagamento de ${amount} a ${merchantName} por Multibanco`
        : `Referência Multibanco de ${merchantName}: ${amount}`,
      heading: isReminder ? 'A referência Multibanco está quase a expirar' : 'Pagar por Multibanco',
      paragraphs: ['Pague num caixa automático ou no homebanking, em “Pagamento de serviços”.'],
      rows: [
        ['Entidade', attempt.entity ?? ''],
        ['Referência', digits],
        ['Montante', amount],
        ['Pagável até', expiry],
        ['Encomenda', order],
      ],
      notes: [`Tem dúvidas sobre a encomenda? Contacte ${merchantName}.`],
    },
  };
  return texts[language];
}

function receiptContent({ transaction, language, merchantName }: Sale): MailContent {
  const amount = amountText(transaction.amount_cents, language);
  const paidAt = instantText(transaction.paid_at ?? 0, language);
  const method = METHOD_NAMES[transaction.paid_method ?? 'REFERENCE'];
  const texts: Readonly<Record<Language, MailContent>> = {
    en: {
      subject: `Payment of ${amount} to ${merchantName} received`,
      heading: 'Payment received',
      paragraphs: [`${merchantName} has received your payment.`],
      rows: [
        ['Amount', amount],
        ['Method', method],
        ['Paid on', paidAt],
        ['Order', transaction.order_id],
      ],
      notes: [`This message is not an invoice. ${merchantName} issues the invoice.`],
    },
    pt: {
      subject: `Pagamento de ${amount} a ${merchantName} recebido`,
      heading: 'Pagamento recebido',
      paragraphs: [`${merchantName} recebeu o seu pagamento.`],
      rows: [
        ['Montante', amount],
        ['Método', method],
        ['Pago em', paidAt],
        ['Encomenda', transaction.order_id],
      ],
      notes: [`Esta mensagem não é uma fatura. A fatura é emitida por ${merchantName}.`],
    },
  };
  return texts[language];
}

/** The shopper's e-mail address; null when there is none or it was erased. */
function emailOf({ customer }: Pick<TransactionRow, 'customer'>): string | null {
  const { email } = JSON.parse(customer ?? '{}') as { email?: unknown };
  return typeof email === 'string' && email.includes('@') ? email : null;
}
