import type { Settings } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import { decimalFromCents } from '../../kernel/money.ts';
import { type Answer, type BankHttp, createBankHttp, NoConnection, type Question } from '../exchange.ts';
import {
  type Bank,
  type BankAccount,
  BankUnavailable,
  type CreateFailure,
  type ListFilter,
  type PushOrder,
  type ReferenceOrder,
} from '../port.ts';
import { callbackTemplate, verifyCallback } from './callback.ts';
import { HOSTS } from './hosts.ts';
import { readPaymentList } from './list.ts';
import { type WallRange, wallText } from './wall-time.ts';
import {
  isObject,
  member,
  readListPage,
  readPushAnswer,
  readPushState,
  readReferenceAnswer,
  textOf,
} from './wire.ts';

export interface IfthenpayOptions {
  /** Another address with the bank's protocol, without a trailing slash; callbacks are registered there too. */
  baseUrl?: string;
}

type IfthenpayDeps = Pick<Deps, 'clock' | 'metrics' | 'log'> & { settings: Pick<Settings, 'bankTimeoutMs'> };

const BASE_URL = `https://${HOSTS.payments.host}`;
const ACTIVATION_URL = `https://${HOSTS.activation.host}`;
const REPORTED_ROWS_MAX = 1000;
const LOGGED_MEMBERS = ['amount', 'entity', 'orderId', 'requestId', 'paymentDate', 'procDate'];
const ACTIVATION_PATH = '/api/endpoint/callback/activation';

/** Creates the adapter of the acquirer ifthenpay. `close` closes its connections. */
export function createIfthenpay(
  deps: IfthenpayDeps,
  options: IfthenpayOptions = {},
): Bank & { close(): Promise<void> } {
  const http = createBankHttp(deps.clock, deps.settings.bankTimeoutMs);
  const base = options.baseUrl ?? BASE_URL;
  const logUnreadable = createUnreadableLog(deps);
  const { create, ask } = createCalls(deps, http);

  return {
    createPush: (account, push) =>
      create('push', pushQuestion(base, account, push), (answer) => readPushAnswer(answer, push)),

    createReference: (account, order) =>
      create('reference', referenceQuestion(base, account, order), (answer) =>
        readReferenceAnswer(answer, order, deps.clock.now()),
      ),

    inquirePush(account, requestId) {
      const query = new URLSearchParams({ mbWayKey: account.credentials.mbWayKey, requestId });
      const url = `${base}/spg/payment/mbway/status?${query}`;
      return ask('inquire', { method: 'GET', url }, (answer) =>
        readPushState(answer, requestId, deps.clock.now()),
      );
    },

    async listPayments(account, filter) {
      const readPage = (range: WallRange | null) =>
        ask('list', listQuestion(base, account, filter, range), readListPage);
      const { records, unreadable } = await readPaymentList(readPage, filter, deps.clock.now());
      for (const row of unreadable) logUnreadable(account.id, row);
      return { records, complete: unreadable.length === 0 };
    },

    async registerCallback(account, callbackUrl) {
      const { backofficeKey, antiPhishingKey, mbWayKey, mbKey } = account.credentials;
      const url = `${options.baseUrl ?? ACTIVATION_URL}${ACTIVATION_PATH}`;
      const urlCb = callbackTemplate(callbackUrl);
      for (const [entidade, subentidade] of [
        ['MBWAY', mbWayKey],
        ['MB', mbKey],
      ]) {
        const json = { chave: backofficeKey, entidade, subentidade, apKey: antiPhishingKey, urlCb };
        await ask('register-callback', { method: 'POST', url, json }, readActivation);
      }
    },

    verifyCallback,
    close: () => http.close(),
  };
}

/** The two ways of calling the bank; both are counted with their outcome. */
function createCalls(deps: IfthenpayDeps, http: BankHttp) {
  /** Sends a create, once. Resolves to its outcome, which is unknown when the bank may have received it. */
  async function create<T extends { kind: string }>(
    operation: string,
    question: Question,
    read: (answer: Answer) => T | CreateFailure,
  ): Promise<T | CreateFailure> {
    const startedAt = deps.clock.now();
    const outcome = await http.once(question).then(read, createFailure);
    deps.metrics.bankCall(operation, outcome.kind, (deps.clock.now() - startedAt) / 1000);
    return outcome;
  }

  /** Sends a request that may be repeated. Throws BankUnavailable without a readable answer. */
  async function ask<T>(operation: string, question: Question, read: (answer: Answer) => T): Promise<T> {
    const startedAt = deps.clock.now();
    let outcome = 'silent';
    try {
      const value = read(await http.ask(question));
      outcome = 'ok';
      return value;
    } catch (error) {
      if (error instanceof BankUnavailable) throw error;
      throw new BankUnavailable(`${operation}: ${errorText(error)}`, { cause: error });
    } finally {
      deps.metrics.bankCall(operation, outcome, (deps.clock.now() - startedAt) / 1000);
    }
  }

  return { create, ask };
}

function pushQuestion(base: string, account: BankAccount, push: PushOrder): Question {
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

function referenceQuestion(base: string, account: BankAccount, order: ReferenceOrder): Question {
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

function listQuestion(
  base: string,
  account: BankAccount,
  filter: ListFilter,
  range: WallRange | null,
): Question {
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

/**
 * Logs, once per row, a payment in the bank's list that could not be read, with what the operator needs to find it.
 * Reconciliation reads the same row many times.
 */
function createUnreadableLog(deps: Pick<Deps, 'log' | 'metrics'>): (accountId: string, row: unknown) => void {
  const reported = new Set<string>();
  return (accountId, row) => {
    const key = `${accountId} ${JSON.stringify(row)}`;
    if (reported.has(key)) return;
    if (reported.size >= REPORTED_ROWS_MAX) reported.clear();
    reported.add(key);
    deps.metrics.bankCall('list-row', 'unknown', 0);
    deps.log.error(
      { accountId, row: loggedRow(row) },
      "a payment in the bank's list has no readable amount and was not recorded; look it up at the bank",
    );
  };
}

function loggedRow(row: unknown): Record<string, string | null> | string {
  if (!isObject(row)) return typeof row;
  return Object.fromEntries(
    LOGGED_MEMBERS.map((name) => [name, textOf(member(row, name))?.slice(0, 64) ?? null]),
  );
}

function createFailure(error: unknown): CreateFailure {
  return { kind: error instanceof NoConnection ? 'unreachable' : 'unknown', detail: errorText(error) };
}

/** The bank confirms a registration with plain text that starts with `OK:`. */
function readActivation(answer: Answer): void {
  if (answer.status !== 200 || !/^"?OK:/.test(answer.text.trim())) {
    throw new BankUnavailable(`register-callback: HTTP ${answer.status}, not confirmed by the bank`);
  }
}
