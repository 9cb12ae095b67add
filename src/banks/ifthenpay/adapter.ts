import { decimalFromCents } from '../../kernel/money.ts';
import { type AdapterDeps, createCalls, createUnreadableLog } from '../calls.ts';
import type { Answer, BankHttp, Question } from '../exchange.ts';
import {
  type Adapter,
  type BankAccount,
  type BankRefundOrder,
  BankUnavailable,
  type ListFilter,
  type PushOrder,
  type ReferenceOrder,
} from '../port.ts';
import { callbackTemplate, readCallback } from './callback.ts';
import { readPaymentList } from './list.ts';
import { HOSTS, type IfthenpayCredentials } from './profile.ts';
import { type WallRange, wallText } from './wall-time.ts';
import {
  readListPage,
  readPushAnswer,
  readPushState,
  readReferenceAnswer,
  readRefundAnswer,
} from './wire.ts';

type Account = BankAccount<IfthenpayCredentials>;

const BASE_URL = `https://${HOSTS.payments.host}`;
const ACTIVATION_URL = `https://${HOSTS.activation.host}`;
const LOGGED_MEMBERS = ['amount', 'entity', 'orderId', 'requestId', 'paymentDate', 'procDate'];
/** The path of the bank's helpdesk, which is on a separate host. */
const HELPDESK_REFUND_PATH = '/api/endpoint/payments/refund';
const ACTIVATION_PATH = '/api/endpoint/callback/activation';

/**
 * Creates the adapter of the acquirer ifthenpay. `baseUrl` is another address with its protocol, without a trailing slash;
 * callbacks are registered there too. `close` closes the connections of `http`.
 */
export function createIfthenpay(
  deps: AdapterDeps,
  http: BankHttp,
  baseUrl?: string,
): Adapter<IfthenpayCredentials> & { close(): Promise<void> } {
  const base = baseUrl ?? BASE_URL;
  const logUnreadable = createUnreadableLog(deps, LOGGED_MEMBERS);
  const { create, ask } = createCalls(deps, http);

  return {
    createPush: (account, push) =>
      create('push', pushQuestion(base, account, push), (answer) => readPushAnswer(answer, push)),

    createReference: (account, order) =>
      create('reference', referenceQuestion(base, account, order), (answer) =>
        readReferenceAnswer(answer, order, deps.clock.now()),
      ),

    async inquirePush(account, { requestId }) {
      // ifthenpay's list is complete, so list reads settle pushes without a request id.
      if (requestId === null) throw new Error('a push without a request id cannot be inquired about');
      const query = new URLSearchParams({ mbWayKey: account.credentials.mbWayKey, requestId });
      const url = `${base}/spg/payment/mbway/status?${query}`;
      return ask('inquire', { method: 'GET', url }, (answer) =>
        readPushState(answer, requestId, deps.clock.now()),
      );
    },

    async listPayments(account, filter) {
      const readPage = (range: WallRange | null) =>
        ask('list', listQuestion(base, account, filter, range), readListPage);
      const { unreadable, ...list } = await readPaymentList(readPage, filter, deps.clock.now());
      for (const row of unreadable) logUnreadable(account.id, row);
      return { ...list, complete: unreadable.length === 0 && list.failure === undefined };
    },

    refund: (account, order) =>
      create(
        'refund',
        refundQuestion(base, deps.settings.ifthenpayRefundPath, account, order),
        readRefundAnswer,
      ),

    // ifthenpay makes refunds immediately, so it never accepts one for later.
    inquireRefund: async () => ({ kind: 'waiting' }),

    async registerCallback(account, callbackUrl) {
      const { backofficeKey, antiPhishingKey, mbWayKey, mbKey } = account.credentials;
      const url = `${baseUrl ?? ACTIVATION_URL}${ACTIVATION_PATH}`;
      const urlCb = callbackTemplate(callbackUrl);
      for (const [entidade, subentidade] of [
        ['MBWAY', mbWayKey],
        ['MB', mbKey],
      ]) {
        const json = { chave: backofficeKey, entidade, subentidade, apKey: antiPhishingKey, urlCb };
        await ask('register-callback', { method: 'POST', url, json }, readActivation);
      }
    },

    readCallback,
    close: () => http.close(),
  };
}

function pushQuestion(base: string, account: Account, push: PushOrder): Question {
  return {
    method: 'POST',
    url: `${base}/spg/payment/mbway`,
    json: {
      mbWayKey: account.credentials.mbWayKey,
      orderId: push.bankOrderId,
      amount: decimalFromCents(push.amount),
      mobileNumber: `351#${push.phoneNumber}`,
      description: push.description,
    },
  };
}

function referenceQuestion(base: string, account: Account, order: ReferenceOrder): Question {
  return {
    method: 'POST',
    url: `${base}/multibanco/reference/init`,
    json: {
      mbKey: account.credentials.mbKey,
      orderId: order.bankOrderId,
      amount: decimalFromCents(order.amount),
      description: order.description,
      expiryDays: order.expiryDays,
    },
  };
}

function refundQuestion(
  base: string,
  path: AdapterDeps['settings']['ifthenpayRefundPath'],
  account: Account,
  { requestId, amount }: BankRefundOrder,
): Question {
  const isOwnHost = path === HELPDESK_REFUND_PATH && base === BASE_URL;
  return {
    method: 'POST',
    url: `${isOwnHost ? `https://${HOSTS.refunds.host}` : base}${path}`,
    json: { backofficekey: account.credentials.backofficeKey, requestId, amount: decimalFromCents(amount) },
  };
}

function listQuestion(base: string, account: Account, filter: ListFilter, range: WallRange | null): Question {
  return {
    method: 'POST',
    url: `${base}/v2/payments/read`,
    json: {
      boKey: account.credentials.backofficeKey,
      ...(filter.requestId === undefined ? {} : { requestId: filter.requestId }),
      ...(filter.bankOrderId === undefined ? {} : { orderId: filter.bankOrderId }),
      ...(range === null
        ? {}
        : { dateStart: wallText(range.fromSeconds), dateEnd: wallText(range.toSeconds) }),
    },
  };
}

/** The bank confirms a registration with plain text that starts with `OK:`. */
function readActivation(answer: Answer): void {
  if (answer.status !== 200 || !/^"?OK:/.test(answer.text.trim())) {
    throw new BankUnavailable(`register-callback: HTTP ${answer.status}, not confirmed by the bank`);
  }
}
