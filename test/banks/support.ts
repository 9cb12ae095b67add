import type { IncomingMessage, ServerResponse } from 'node:http';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createBankAccounts } from '../../src/banks/accounts.ts';
import { createBank } from '../../src/banks/bank.ts';
import type {
  Bank,
  BankAccount,
  BankRecord,
  CallbackRequest,
  ListFilter,
  PushState,
} from '../../src/banks/port.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import type { BankAttempt, DueAttempt, SettlementPort } from '../../src/banks/settlement-port.ts';
import { type Deps, type Metrics, noMetrics } from '../../src/deps.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { temporaryDatabase } from '../support/database.ts';
import { depsOn } from '../support/deps.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { startReceiver } from '../support/tls-receiver.ts';

export const CREDENTIALS = {
  mbWayKey: 'ABC-123456',
  mbKey: 'DEF-654321',
  backofficeKey: '1111-2222-3333-4444',
  antiPhishingKey: 'an-anti-phishing-key',
};
export const ACCOUNT: BankAccount = { id: 'acc_1', acquirer: 'ifthenpay', credentials: CREDENTIALS };

/** ifthenpay's callback with this query. */
export function callbackOf(query: string | URLSearchParams): CallbackRequest {
  return { method: 'GET', headers: {}, query: new URLSearchParams(query), body: Buffer.alloc(0) };
}

export interface LogLine {
  level: number;
  msg: string;
  [member: string]: unknown;
}

/** A logger that keeps its lines. */
export function keptLog(level = 'debug'): { log: Deps['log']; lines: LogLine[] } {
  const lines: LogLine[] = [];
  return { lines, log: pino({ level }, { write: (line: string) => lines.push(JSON.parse(line)) }) };
}

export interface BankCall {
  operation: string;
  outcome: string;
}

function keptMetrics(): { metrics: Metrics; calls: BankCall[] } {
  const calls: BankCall[] = [];
  return {
    calls,
    metrics: { ...noMetrics, bankCall: (operation, outcome) => calls.push({ operation, outcome }) },
  };
}

interface BankRequest {
  method: string;
  url: string;
  body: string;
}

/** A simulated bank: `answer` handles each request, whose body has already been read. */
export async function handMadeBank(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<{ url: string; requests: BankRequest[] }> {
  const requests: BankRequest[] = [];
  const { port } = await startReceiver(({ method, path, body }, response) => {
    requests.push({ method, url: path, body: String(body) });
    answer(response.req, response, String(body));
  }, 'plain');
  return { url: `http://127.0.0.1:${port}`, requests };
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** The adapter, pointed at `baseUrl`. */
export function adapter(baseUrl: string, clock: Clock = systemClock, bankTimeoutMs = 5000) {
  const kept = { ...keptLog(), ...keptMetrics() };
  const bank = createBank(
    {
      clock,
      settings: { bankTimeoutMs, ifthenpayRefundPath: '/v2/payments/refund' },
      log: kept.log,
      metrics: kept.metrics,
    },
    { sandboxUrl: baseUrl },
  );
  onTestFinished(() => bank.close());
  return { bank, ...kept };
}

export function bankRecord(record: Partial<BankRecord> & { identity: string }): BankRecord {
  return {
    method: 'MBWAY',
    amount: cents(1250),
    paidAt: null,
    requestId: null,
    bankOrderId: null,
    entity: null,
    reference: null,
    raw: {},
    ...record,
  };
}

export interface FakeBank extends Bank {
  /** What the list shows; a function may throw or use the filter. */
  list: (filter: ListFilter, account: BankAccount) => Promise<BankRecord[]>;
  /** False: every list has an unreadable row. */
  complete: boolean;
  inquire: (requestId: string | null) => Promise<PushState>;
  listed: { filter: ListFilter; accountId: Id<'acc'> }[];
  inquired: (string | null)[];
}

/** A bank with empty lists and waiting pushes until a test changes them. */
export function fakeBank(): FakeBank {
  const refuse = async () => ({ kind: 'unreachable', detail: 'a fake' }) as const;
  const bank: FakeBank = {
    list: async () => [],
    complete: true,
    inquire: async () => ({ kind: 'waiting' }),
    listed: [],
    inquired: [],
    createPush: refuse,
    createReference: refuse,
    async inquirePush(_account, { requestId }) {
      bank.inquired.push(requestId);
      return bank.inquire(requestId);
    },
    async listPayments(account, filter) {
      bank.listed.push({ filter, accountId: account.id });
      return { records: await bank.list(filter, account), complete: bank.complete };
    },
    refund: refuse,
    inquireRefund: async () => ({ kind: 'waiting' }),
    async registerCallback() {},
    readCallback: () => ({ kind: 'forged' }),
  };
  return bank;
}

export interface FakeSettlement extends SettlementPort {
  due: DueAttempt[];
  attempts: BankAttempt[];
  recorded: { accountId: Id<'acc'>; identity: string }[];
  calls: string[];
}

/** A settlement port that records its calls. Attempts in `due` are due from their `check_at` until they are answered. */
function fakeSettlement(): FakeSettlement {
  const answered = (call: string, id: string) => {
    settlement.calls.push(call);
    settlement.due = settlement.due.filter((attempt) => attempt.id !== id);
  };
  const settlement: FakeSettlement = {
    due: [],
    attempts: [],
    recorded: [],
    calls: [],
    findAttempt: async (bankOrderId) =>
      settlement.attempts.find((attempt) => attempt.bank_order_id === bankOrderId) ?? null,
    dueAttempts: async (now, limit) =>
      settlement.due.filter(({ check_at }) => (check_at ?? 0) <= now).slice(0, limit),
    nextCheckAt: async () =>
      settlement.due.length === 0 ? null : Math.min(...settlement.due.map(({ check_at }) => check_at ?? 0)),
    claimCheck: async () => true,
    async recordPayments(accountId, records) {
      for (const { identity } of records) settlement.recorded.push({ accountId, identity });
    },
    applyPushState: async ({ id }, state) => answered(`answered ${id} ${state.kind}`, id),
    deferCheck: async ({ id }) => answered(`deferred ${id}`, id),
    expireReference: async ({ id }) => answered(`expired ${id}`, id),
    recoverCreate: async ({ id }) => answered(`recovered ${id}`, id),
    unknownPushes: async (accountId, after) =>
      settlement.attempts.filter(
        (attempt) => attempt.state === 'unknown' && attempt.account_id === accountId && attempt.id > after,
      ),
    async countListRead(accountId, _since, readAt) {
      settlement.calls.push(`list ${accountId} ${readAt}`);
    },
  };
  return settlement;
}

/** Refuses to apply notifications of refunds. */
export const NO_REFUNDS = {
  async applyNotification() {
    throw new Error('no refund is expected');
  },
};

/** An open push of the account. */
export function bankAttempt(changes: Partial<BankAttempt> & Pick<BankAttempt, 'account_id'>): BankAttempt {
  return {
    id: 'att_1',
    transaction_id: 'tx_1',
    merchant_id: 'mer_1',
    method: 'MBWAY',
    state: 'open',
    amount_cents: cents(1250),
    bank_order_id: 'A1',
    request_id: 'ours',
    check_at: null,
    expires_at: null,
    ...changes,
  };
}

/** What a bank worker needs over a real database: a default account, and a bank, a settlement port and a log that tests read. */
export async function workerKit() {
  const db = await temporaryDatabase();
  const clock = fakeClock();
  const [bank, settlement, { log, lines }] = [fakeBank(), fakeSettlement(), keptLog()];
  const deps = { ...depsOn(db, clock), bank, settlement, log };
  const { account } = await setBankAccount(deps, { merchantId: null, credentials: CREDENTIALS });
  return { db, clock, deps, bank, settlement, lines, account, bankAccounts: createBankAccounts(deps) };
}
