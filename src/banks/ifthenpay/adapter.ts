import type { Settings } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import { decimalFromCents } from '../../kernel/money.ts';
import { type Answer, type BankHttp, createBankHttp, NoConnection, type Question } from '../exchange.ts';
import {
  type Bank,
  type BankAccount,
  BankSilent,
  type CreateFailure,
  type ListFilter,
  type PushOrder,
  type ReferenceOrder,
} from '../port.ts';
import { createUnreadableLog } from '../unreadable-log.ts';
import { type WallRange, wallText } from '../wall-time.ts';
import { callbackTemplate, verifyCallback } from './callback.ts';
import { readWholeList } from './list.ts';
import { readListPage, readPushAnswer, readPushState, readReferenceAnswer } from './wire.ts';

export interface IfthenpayOptions {
  /** Another address that speaks the bank's protocol, without a trailing slash; the callback is registered there too. */
  baseUrl?: string;
}

type IfthenpayDeps = Pick<Deps, 'clock' | 'metrics' | 'log'> & { settings: Pick<Settings, 'bankTimeoutMs'> };

const BASE_URL = 'https://api.ifthenpay.com';
const ACTIVATION_URL = 'https://www.ifthenpay.com';
const ACTIVATION_PATH = '/api/endpoint/callback/activation';

/** The acquirer ifthenpay. `close` ends its kept connections. */
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

    listPayments(account, filter, unreadable = () => {}) {
      const readPage = (range: WallRange | null) =>
        ask('list', listQuestion(base, account, filter, range), readListPage);
      return readWholeList(readPage, filter, deps.clock.now(), (row) => {
        logUnreadable(account.id, row);
        unreadable(row);
      });
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

/** The two ways of calling the bank, each counted with how it ended. */
function createCalls(deps: IfthenpayDeps, http: BankHttp) {
  /** A create: sent once, whatever happens; what the failure leaves open is said, never guessed. */
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

  /** A question: a readable answer, or BankSilent. */
  async function ask<T>(operation: string, question: Question, read: (answer: Answer) => T): Promise<T> {
    const startedAt = deps.clock.now();
    let outcome = 'silent';
    try {
      const value = read(await http.ask(question));
      outcome = 'ok';
      return value;
    } catch (error) {
      if (error instanceof BankSilent) throw error;
      throw new BankSilent(`${operation}: ${errorText(error)}`, { cause: error });
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

function createFailure(error: unknown): CreateFailure {
  return { kind: error instanceof NoConnection ? 'unreachable' : 'unknown', detail: errorText(error) };
}

/** The bank answers a registration in plain text that starts with `OK:`. */
function readActivation(answer: Answer): void {
  if (answer.status !== 200 || !/^"?OK:/.test(answer.text.trim())) {
    throw new BankSilent(`register-callback: HTTP ${answer.status}, not confirmed by the bank`);
  }
}
