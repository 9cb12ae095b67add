import { createCipheriv, createHmac } from 'node:crypto';
import { lisbonDay, lisbonText } from '../../kernel/lisbon.ts';
import { type Cents, cents, eurosFromCents } from '../../kernel/money.ts';
import { randomText } from '../../kernel/random.ts';
import type { SandboxContext, SentCallback } from '../context.ts';
import { feeOf } from '../record.ts';
import type {
  CustomerAct,
  EupagoAccount,
  EupagoNotification,
  Flavour,
  Payment,
  Push,
  Refund,
} from '../schema.ts';

const DIGITS = '0123456789';
const IV_BYTES = 16;
/** EuPago spells `Canceled` with one L. */
const STATUS_OF = { reject: 'Canceled', decline: 'Error', expire: 'Expired' } as const;

type Context = Pick<SandboxContext, 'store' | 'clock' | 'random'>;

/** How a notification is sent, and how often. */
interface Sending {
  flavour: Flavour;
  copies: number;
}

/** Queues the notification of a payment, or of one of its refunds, which has its own trid. */
export function announcePayment(
  context: Context,
  payment: Payment,
  refund: Refund | null,
  sending: Sending,
): void {
  const isPush = payment.entity === 'MBWAY';
  queue(context, payment.sub_entity, sending, {
    cents: refund?.amount_cents ?? payment.amount_cents,
    at: refund?.refunded_at ?? payment.paid_at,
    entity: isPush || refund !== null ? null : payment.entity,
    reference: payment.reference,
    identifier: payment.order_id,
    ...(refund === null
      ? {
          method: isPush ? 'MW:PT' : 'PC:PT',
          fees: { value: fiveDecimals(feeOf(payment)), currency: 'EUR' },
          trid: Number(payment.request_id),
          status: 'Paid',
        }
      : {
          method: 'RB:PT',
          trid: Number(newTrid(context.random)),
          originalTrid: Number(payment.request_id),
          status: 'REFUNDED',
        }),
  });
}

/** Queues the notification of a push that ended without a payment. */
export function announceEnd(
  context: Context,
  push: Push,
  act: Exclude<CustomerAct, 'accept'>,
  sending: Sending,
): void {
  queue(context, push.mbway_key, sending, {
    cents: push.amount_cents,
    at: context.clock.now(),
    entity: null,
    reference: push.reference,
    identifier: push.order_id,
    method: 'MW:PT',
    status: STATUS_OF[act],
  });
}

/** Queues a notification, with the amount as a number or as text and the time without its zone. */
function queue(
  { store, clock, random }: Context,
  apiKey: string,
  { flavour, copies }: Sending,
  { cents: amount, at, ...shown }: { cents: Cents; at: number; [name: string]: unknown },
): void {
  const sent = flavour === 'wrong-amount' ? cents(amount + 1) : amount;
  const [dice = 0] = random(1);
  const value = dice & 1 ? fiveDecimals(sent) : eurosFromCents(sent);
  const transaction = { amount: { value, currency: 'EUR' }, date: localTime(at).join(' '), ...shown };
  // The documentation names `transactions`.
  const body = JSON.stringify({ channel: { name: 'Sandbox' }, transaction });
  for (let copy = 0; copy < copies; copy++) {
    store.eupago.notifications.add({ api_key: apiKey, body, flavour, due_at: clock.now() });
  }
}

/** A notification as the page shows it. */
export function shownNotification({
  body,
}: EupagoNotification): Pick<SentCallback, 'method' | 'amount' | 'requestId'> {
  const { transaction } = JSON.parse(body) as {
    transaction: { method: string; amount: { value: number | string }; trid?: number; reference: string };
  };
  return {
    method: transaction.method === 'MW:PT' ? 'MBWAY' : 'MULTIBANCO',
    amount: Number(transaction.amount.value),
    requestId: String(transaction.trid ?? transaction.reference),
  };
}

/** The signed request of a notification: plain, or encrypted when the account has encryption enabled. */
export function signedRequest(
  account: Pick<EupagoAccount, 'webhook_key' | 'encrypts'>,
  { body, flavour }: Pick<EupagoNotification, 'body' | 'flavour'>,
  random: SandboxContext['random'],
): { headers: Record<string, string>; body: string } {
  const key = flavour === 'bad-key' ? `not-${account.webhook_key}` : account.webhook_key;
  const signature = (text: string) => createHmac('sha256', key).update(text).digest('base64');
  const headers = { 'content-type': 'application/json' };
  if (account.encrypts === 0) return { headers: { ...headers, 'x-signature': signature(body) }, body };
  const iv = Buffer.from(random(IV_BYTES));
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(account.webhook_key, 'utf8'), iv);
  const data = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]).toString('base64');
  const encrypted = { 'x-signature': signature(data), 'x-initialization-vector': iv.toString('base64') };
  return { headers: { ...headers, ...encrypted }, body: JSON.stringify({ data }) };
}

/** An amount as EuPago writes it: `"10.00000"`. */
export function fiveDecimals(amount: Cents): string {
  return eurosFromCents(amount).toFixed(5);
}

/** The id of a payment or a refund, a number. */
export function newTrid(random: SandboxContext['random']): string {
  return newNumber(random, 12);
}

/** A number of `length` digits without leading zeros. */
export function newNumber(random: SandboxContext['random'], length: number): string {
  return randomText(random, 1, DIGITS.slice(1)) + randomText(random, length - 1, DIGITS);
}

/** The Lisbon day `YYYY-MM-DD` and time `HH:mm:ss`. */
export function localTime(instant: number): [day: string, time: string] {
  return [lisbonDay(instant), lisbonText(instant).slice(-8)];
}
