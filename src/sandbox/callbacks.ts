import { Agent, request } from 'undici';
import { z } from 'zod';
import { createDueWorker } from '../kernel/due-worker.ts';
import { errorText } from '../kernel/errors.ts';
import { lisbonText } from '../kernel/lisbon.ts';
import { cents, decimalFromCents, eurosFromCents } from '../kernel/money.ts';
import type { PeriodicJob } from '../kernel/periodic.ts';
import { isServiceCallback } from './addresses.ts';
import type { CallbackStore } from './callback-store.ts';
import type { SandboxContext, SentCallback } from './context.ts';
import { shownNotification, signedRequest } from './eupago/notifications.ts';
import { feeOf, terminalOf } from './record.ts';
import type { Activation, Callback, EupagoNotification, Flavour, Payment, Queued, Refund } from './schema.ts';
import { backofficeKey, methodKey, parse } from './wire-fields.ts';

const CONCURRENCY_MAX = 16;
const TIMEOUT_MS = 10_000;
const RETRIES_MAX = 13;
// The bank publishes the number of retries but not their spacing.
const RETRY_FIRST_MS = 1000;
const RETRY_MAX_MS = 60_000;
const ANSWER_BYTES_MAX = 65_536;
const SHOWN_MAX = 30;
const URL_LENGTH_MAX = 300;

const activationBody = z.object({
  chave: backofficeKey('chave'),
  entidade: z
    .string('entidade is missing')
    .regex(/^(MBWAY|MB|\d{5})$/, 'entidade must be MBWAY, MB or five digits'),
  subentidade: methodKey('subentidade'),
  apKey: z.string('apKey is missing').min(1, 'apKey is missing').max(200, 'apKey is too long'),
  urlCb: z
    .string('urlCb is missing')
    .max(URL_LENGTH_MAX, `urlCb is longer than ${URL_LENGTH_MAX} characters`),
});

/** The answer to a callback activation. It starts with `OK:` when the callback URL was stored. */
export function activate(context: SandboxContext, input: unknown): string {
  const parsed = parse(activationBody, input);
  if (!parsed.ok) return `ERROR: ${parsed.message}`;
  const { chave, entidade, subentidade, apKey, urlCb } = parsed.value;
  if (!isServiceCallback('ifthenpay', urlCb, context.addresses)) {
    return 'ERROR: urlCb must be the address of the service: /callbacks/ifthenpay at SERVICE_PUBLIC_URL or on this machine';
  }
  context.store.saveActivation({
    backoffice_key: chave,
    entity: entidade,
    sub_entity: subentidade,
    anti_phishing_key: apKey,
    url: urlCb,
    activated_at: context.clock.now(),
  });
  context.log(`callback registered for ${entidade} ${subentidade}`);
  return `OK: callback activated for ${entidade} ${subentidade}`;
}

type CallbackContext = Omit<SandboxContext, 'wakePhones' | 'wakeCallbacks'>;

/** The request of a callback, and what the page shows of it. */
interface Message {
  url: string;
  post?: { method: 'POST'; headers: Record<string, string>; body: string };
  shown: Pick<SentCallback, 'method' | 'amount' | 'requestId'>;
}

/** Creates the senders of ifthenpay's callbacks and of EuPago's notifications. */
export function createSenders(context: CallbackContext): PeriodicJob[] {
  const { callbacks, eupago } = context.store;
  return [
    createSender(context, callbacks, (callback) => callbackMessage(context, callback)),
    createSender(context, eupago.notifications, (notification) => notificationMessage(context, notification)),
  ];
}

/** Sends due callbacks. `messageOf` returns null without a URL. Every status other than 200 is retried, up to 13 times. */
function createSender<C extends Queued>(
  { clock, log, sentCallbacks }: CallbackContext,
  queue: CallbackStore<C>,
  messageOf: (callback: C) => Message | null,
): PeriodicJob {
  const agent = new Agent({ connections: CONCURRENCY_MAX, pipelining: 1 });
  let stopped = false;
  const worker = createDueWorker({
    name: 'callbacks',
    clock,
    log: { error: (fields, message) => log(`${message}: ${JSON.stringify(fields)}`) },
    concurrencyMax: CONCURRENCY_MAX,
    due: async (limit) => queue.due(clock.now(), limit),
    run: send,
    nextAt: async () => queue.nextAt(),
  });

  async function send(callback: C): Promise<void> {
    const attempts = callback.attempts + 1;
    const message = messageOf(callback);
    let answer = 'no callback URL is registered';
    if (message !== null) {
      const at = clock.now();
      answer = await exchange(message);
      sentCallbacks.unshift({
        at,
        durationMs: clock.now() - at,
        ...message.shown,
        attempt: attempts,
        answer,
      });
      sentCallbacks.splice(SHOWN_MAX);
    }
    // A callback interrupted by the stop is sent again after the next start.
    if (stopped) return;
    log(`callback ${callback.id}, attempt ${attempts}: ${answer}`);
    if (answer === '200' || attempts > RETRIES_MAX) return queue.remove(callback.id);
    const delayMs = Math.min(RETRY_FIRST_MS * 2 ** (attempts - 1), RETRY_MAX_MS);
    queue.postpone(callback.id, attempts, clock.now() + delayMs);
  }

  /** Sends a message once. Resolves to the HTTP status or the error. */
  async function exchange({ url, post }: Message): Promise<string> {
    try {
      const signal = clock.deadline(TIMEOUT_MS);
      const answer = await request(url, { dispatcher: agent, signal, ...post });
      await answer.body.dump({ limit: ANSWER_BYTES_MAX, signal });
      return String(answer.statusCode);
    } catch (error) {
      return errorText(error);
    }
  }

  return {
    ...worker,
    async stop() {
      stopped = true;
      const ended = worker.stop();
      await agent.destroy();
      await ended;
    },
  };
}

function callbackMessage({ store }: CallbackContext, callback: Callback): Message | null {
  const payment = store.paymentById(callback.payment_id);
  const activation = payment && store.findActivation(payment.entity, payment.sub_entity);
  if (payment === undefined || activation === undefined) return null;
  const refund = callback.refund_id === null ? null : (store.refundById(callback.refund_id) ?? null);
  return {
    url: callbackUrl(activation, payment, callback.flavour, refund),
    shown: {
      method: payment.entity === 'MBWAY' ? 'MBWAY' : 'MULTIBANCO',
      amount: eurosFromCents(refund?.amount_cents ?? payment.amount_cents),
      requestId: payment.request_id,
    },
  };
}

function notificationMessage(context: CallbackContext, notification: EupagoNotification): Message | null {
  const account = context.store.eupago.account(notification.api_key);
  if (account === undefined) return null;
  return {
    url: account.callback_url,
    post: { method: 'POST', ...signedRequest(account, notification, context.random) },
    shown: shownNotification(notification),
  };
}

/** The callback URL of a payment or of its refund, with the known placeholders replaced by URL-encoded values. */
function callbackUrl(
  { url, anti_phishing_key }: Activation,
  payment: Payment,
  flavour: Flavour,
  refund: Refund | null,
): string {
  const { entity, order_id, request_id } = payment;
  const key = flavour === 'bad-key' ? `not-${anti_phishing_key.slice(1)}` : anti_phishing_key;
  const amount_cents = refund?.amount_cents ?? payment.amount_cents;
  const amount = decimalFromCents(flavour === 'wrong-amount' ? cents(amount_cents + 1) : amount_cents);
  const paidAt = refund?.refunded_text ?? lisbonText(payment.paid_at);
  const status = refund === null ? 'PAGO' : 'DEVOLVIDO';
  const values: Record<string, string> = {
    ANTI_PHISHING_KEY: key,
    CHAVE_ANTI_PHISHING: key,
    ORDER_ID: order_id,
    ID: order_id,
    REFERENCIA: order_id,
    AMOUNT: amount,
    VALOR: amount,
    REQUEST_ID: request_id,
    ID_TRANSACAO: request_id,
    ENTITY: entity,
    ENTIDADE: entity,
    REFERENCE: payment.reference,
    PAYMENT_DATETIME: paidAt,
    DATA_HORA_PAGAMENTO: paidAt,
    PAYMENT_METHOD: entity === 'MBWAY' ? 'MBWAY' : 'MULTIBANCO',
    TERMINAL: terminalOf(payment),
    STATUS: status,
    ESTADO: status,
    FEE: decimalFromCents(feeOf(payment)),
  };
  return url.replace(/\[([A-Z_]+)\]/g, (placeholder, name: string) => {
    const value = values[name];
    return value === undefined ? placeholder : encodeURIComponent(value);
  });
}
