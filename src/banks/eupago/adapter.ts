import { type Clock, DAY_MS } from '../../kernel/clock.ts';
import { dayAfter, lisbonDay } from '../../kernel/lisbon.ts';
import { eurosFromCents } from '../../kernel/money.ts';
import { type AdapterDeps, type BankCalls, createCalls, createUnreadableLog } from '../calls.ts';
import type { Answer, BankHttp, Question } from '../exchange.ts';
import { isObject, textIn } from '../json.ts';
import {
  type Adapter,
  type BankAccount,
  type BankRecord,
  BankUnavailable,
  type ListFilter,
  type PaymentList,
  type PushOrder,
  type PushState,
  type ReferenceOrder,
  type SentPush,
} from '../port.ts';
import { readCallback } from './callback.ts';
import { type EupagoCredentials, HOSTS } from './profile.ts';
import { readRefundAnswer, readRefundState, refundQuestion } from './refunds.ts';
import { createTokens, type Tokens } from './tokens.ts';
import {
  lacksPayment,
  type Named,
  RECEIVED,
  type ReferenceInfo,
  readListRow,
  readPushAnswer,
  readReferenceAnswer,
  readReferenceInfo,
  readRows,
} from './wire.ts';

type Account = BankAccount<EupagoCredentials>;

const BASE_URL = `https://${HOSTS.all.host}`;
const MANAGEMENT = '/api/management/v1.02';
/** The documented path without `/clientes/rest_api` returns HTTP 404. */
const INFO_PATH = '/clientes/rest_api/multibanco/info';
/** Each attempt has a new order id, so an order id has one reference. */
const REFERENCES_PER_ORDER_MAX = 20;
/** The bank's clock may be ahead of ours. A later time of payment is wrong, and no read would include it. */
const AHEAD_MAX_MS = DAY_MS;
const UNAUTHORIZED = 401;
const LOGGED_MEMBERS = ['trid', 'amount', 'valor', 'entity', 'reference', 'identifier', 'datePayment'];

/** Creates the adapter of the acquirer EuPago. Accounts are opened at `sandboxUrl`. `close` closes the connections of `http`. */
export function createEupago(
  deps: AdapterDeps,
  http: BankHttp,
  base = BASE_URL,
  sandboxUrl: string | null = null,
): Adapter<EupagoCredentials> & { close(): Promise<void> } {
  const calls = createCalls(deps, http);
  const tokens = createTokens(deps.clock, calls.ask, base);
  const apiOf = (account: Account): Api => ({ ask: calls.ask, tokens, base, account });
  const logUnreadable = createUnreadableLog(deps, LOGGED_MEMBERS);

  return {
    createPush: (account, push) => calls.create('push', pushQuestion(base, account, push), readPushAnswer),

    createReference(account, order) {
      const now = deps.clock.now();
      return calls.create('reference', referenceQuestion(base, account, order, now), (answer) =>
        readReferenceAnswer(answer, order, now),
      );
    },

    inquirePush: (account, push) => inquirePush(apiOf(account), push, deps.clock),

    async listPayments(account, filter) {
      const { unreadable, ...listed } = await list(apiOf(account), filter, deps.clock);
      for (const row of unreadable) logUnreadable(account.id, row);
      return { ...listed, complete: listed.complete && unreadable.length === 0 };
    },

    async refund(account, order) {
      const startedAt = deps.clock.now();
      let token: string;
      try {
        token = await tokens.of(account.credentials);
      } catch (error) {
        if (!(error instanceof BankUnavailable)) throw error;
        // The refund itself was not sent.
        return { kind: 'unreachable', detail: error.message };
      }
      // During a stall, the operator may have retried the refund. The clock may have been set back.
      if (Math.abs(deps.clock.now() - startedAt) >= deps.settings.bankTimeoutMs)
        return { kind: 'unreachable', detail: 'the service stalled before it sent the refund' };
      const question = refundQuestion(`${base}${MANAGEMENT}`, token, order);
      return calls.create('refund', question, (answer) => {
        if (answer.status === UNAUTHORIZED) tokens.discard(account.credentials, token);
        return readRefundAnswer(answer, order);
      });
    },

    inquireRefund: (account, bankRefundId) =>
      manage(apiOf(account), `/refund/${encodeURIComponent(bankRefundId)}`, readRefundState),

    async registerCallback({ credentials }, callbackUrl) {
      if (sandboxUrl === null) throw new BankUnavailable('EuPago has no API to register the callback URL');
      // Opens or changes the account at the sandbox. At EuPago itself, a person does that.
      const url = `${sandboxUrl}/control/accounts`;
      const json = { acquirer: 'eupago', ...credentials, callbackUrl };
      await calls.ask('register-callback', { method: 'POST', url, json }, ({ status }) => {
        if (status !== 200) throw new BankUnavailable(`register-callback: HTTP ${status} at the sandbox`);
      });
    },

    readCallback,
    close: () => http.close(),
  };
}

type Listed = PaymentList & { unreadable: unknown[] };

interface Api {
  readonly ask: BankCalls['ask'];
  readonly tokens: Tokens;
  readonly base: string;
  readonly account: Account;
}

/** The state of a push, by its reference or else by its order. Throws BankUnavailable, also for an unknown reference. */
async function inquirePush(
  api: Api,
  { requestId, bankOrderId: identifier }: SentPush,
  clock: Clock,
): Promise<PushState> {
  if (requestId !== null) {
    const info = await infoOf(api, { identifier, entity: null, reference: requestId });
    if (info === null) throw new BankUnavailable('inquiry: the bank does not know the reference');
    return pushState(info, clock.now());
  }
  const found = await infosOf(api, identifier);
  const states = found.map((info) => pushState(info, clock.now()));
  return states.find(({ kind }) => kind === 'paid') ?? states[0] ?? { kind: 'absent' };
}

/** Sends one read to the management API. Replaces a refused token once, because the bank may revoke it early. */
async function manage<T>(api: Api, path: string, read: (answer: Answer) => T): Promise<T> {
  const { tokens, account } = api;
  const question = (token: string): Question => ({
    method: 'GET',
    url: `${api.base}${MANAGEMENT}${path}`,
    headers: { authorization: `Bearer ${token}` },
  });
  const token = await tokens.of(account.credentials);
  const first = await api.ask('list', question(token), (answer) =>
    answer.status === UNAUTHORIZED ? null : { value: read(answer) },
  );
  if (first !== null) return first.value;
  tokens.discard(account.credentials, token);
  return api.ask('list', question(await tokens.of(account.credentials)), read);
}

/** One reference with its payments; null when the bank does not know it. */
function infoOf(api: Api, named: Named): Promise<ReferenceInfo | null> {
  const { entity, reference } = named;
  const json = {
    chave: api.account.credentials.apiKey,
    referencia: reference,
    ...(entity === null ? {} : { entidade: entity }),
  };
  return api.ask('inquire', { method: 'POST', url: `${api.base}${INFO_PATH}`, json }, (answer) =>
    readReferenceInfo(answer, named),
  );
}

/** The references of our order id. Empty when the bank does not know it. */
async function infosOf(api: Api, identifier: string): Promise<ReferenceInfo[]> {
  const query = new URLSearchParams({ identifier });
  const rows = await manage(api, `/references/info?${query}`, (answer) => readRows(answer, 'referenceList'));
  const infos: ReferenceInfo[] = [];
  for (const row of rows.map((row) => (isObject(row) ? row : {}))) {
    const named = textIn(row, 'identifier');
    if (named !== null && named !== identifier) continue;
    const reference = textIn(row, 'reference');
    // A row without an order may be of this one.
    if (named === null || reference === null) throw new BankUnavailable('list: a reference is unreadable');
    if (infos.length >= REFERENCES_PER_ORDER_MAX) break;
    const found = await infoOf(api, { identifier, entity: textIn(row, 'entity'), reference });
    if (found === null) throw new BankUnavailable('inquiry: the bank does not know a listed reference');
    infos.push(found);
  }
  return infos;
}

/**
 * Reads the payments of the last months and returns those in the range, and those without a usable time. EuPago may never return
 * those already transferred, so a failure there keeps the others.
 */
async function range(api: Api, from: number, to: number, clock: Clock): Promise<Listed> {
  const isWithin = ({ paidAt }: BankRecord) =>
    paidAt === null || paidAt > clock.now() + AHEAD_MAX_MS || (paidAt >= from && paidAt <= to);
  const records = new Map<string, BankRecord>();
  const unreadable: unknown[] = [];
  const part: Pick<PaymentList, 'failure'> = {};
  for (const status of RECEIVED) {
    const answered = manage(api, `/transactions?status=${status}`, (answer) =>
      readRows(answer, 'transactionList'),
    );
    const rows = await answered.catch((error: unknown) => {
      if (status !== 'transferida' || !(error instanceof BankUnavailable)) throw error;
      part.failure = error;
      return [];
    });
    for (const row of rows) {
      const record = readListRow(row);
      if (record === null) unreadable.push(row);
      else if (record !== undefined && isWithin(record)) records.set(record.identity, record);
    }
  }
  return { records: [...records.values()], unreadable, complete: part.failure === undefined, ...part };
}

async function list(api: Api, filter: ListFilter, clock: Clock): Promise<Listed> {
  const { bankOrderId, requestId, from = 0, to = Number.POSITIVE_INFINITY } = filter;
  if (bankOrderId === undefined && requestId === undefined) return range(api, from, to, clock);
  const known =
    bankOrderId === undefined
      ? await infoOf(api, { identifier: null, entity: null, reference: requestId ?? '' })
      : await infosOf(api, bankOrderId);
  const infos = known === null ? [] : [known].flat();
  return {
    records: infos.flatMap(({ records }) => records),
    unreadable: infos.flatMap(({ unreadable }) => unreadable),
    complete: infos.length > 0 && !infos.some(lacksPayment),
  };
}

/** An expired push stays waiting, because the customer may have accepted at the last moment. A paid one needs its payment. */
function pushState(info: ReferenceInfo, now: number): PushState {
  const [payment] = info.records;
  if (payment !== undefined) {
    const paidAt = Math.min(payment.paidAt ?? now, now);
    return { kind: 'paid', paidAt, identity: payment.identity, record: { ...payment, method: 'MBWAY' } };
  }
  if (lacksPayment(info)) throw new BankUnavailable('inquiry: a paid push without a readable payment');
  switch (info.state) {
    case 'cancelada':
      return { kind: 'rejected' };
    case 'erro':
      return { kind: 'declined' };
    default:
      return { kind: 'waiting' };
  }
}

function pushQuestion(base: string, { credentials }: Account, push: PushOrder): Question {
  return {
    method: 'POST',
    url: `${base}/api/v1.02/mbway/create`,
    headers: { authorization: `ApiKey ${credentials.apiKey}` },
    json: {
      payment: {
        identifier: push.bankOrderId,
        amount: { value: eurosFromCents(push.amount), currency: 'EUR' },
        customerPhone: push.phoneNumber,
        countryCode: '+351',
        description: push.description,
      },
      customer: { notify: false },
    },
  };
}

function referenceQuestion(
  base: string,
  { credentials }: Account,
  order: ReferenceOrder,
  now: number,
): Question {
  const today = lisbonDay(now);
  return {
    method: 'POST',
    url: `${base}/clientes/rest_api/multibanco/create`,
    json: {
      chave: credentials.apiKey,
      valor: eurosFromCents(order.amount),
      id: order.bankOrderId,
      data_inicio: today,
      data_fim: dayAfter(today, order.expiryDays),
      per_dup: 0,
    },
  };
}
