import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createIfthenpay } from '../../src/banks/ifthenpay/adapter.ts';
import type {
  Bank,
  BankAccount,
  BankRecord,
  DueAttempt,
  Ledger,
  ListFilter,
  PushState,
} from '../../src/banks/port.ts';
import type { Database } from '../../src/db/database.ts';
import type { Deps, Metrics } from '../../src/deps.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { createIds, type Id } from '../../src/kernel/ids.ts';
import { type Cents, cents } from '../../src/kernel/money.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';

export const CREDENTIALS = {
  mbWayKey: 'ABC-123456',
  mbKey: 'DEF-654321',
  backofficeKey: '1111-2222-3333-4444',
  antiPhishingKey: 'an-anti-phishing-key',
};
export const ACCOUNT: BankAccount = { id: 'acc_1', credentials: CREDENTIALS };

export interface LogLine {
  level: number;
  msg: string;
  [member: string]: unknown;
}

/** A logger that keeps its lines. */
export function keptLog(): { log: Deps['log']; lines: LogLine[] } {
  const lines: LogLine[] = [];
  return { lines, log: pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) }) };
}

export interface BankCall {
  operation: string;
  outcome: string;
}

function keptMetrics(): { metrics: Metrics; calls: BankCall[] } {
  const calls: BankCall[] = [];
  return {
    calls,
    metrics: {
      bankCall: (operation, outcome) => calls.push({ operation, outcome }),
      deliveryAttempt() {},
      deliveryFinished() {},
      deliveriesUnclaimed() {},
      rowsPruned() {},
      request() {},
    },
  };
}

/** Closes a server with its connections when the test is over. */
export function closeAfterTest(server: Server): void {
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    if (server.listening) await once(server, 'close');
  });
}

/** A bank made by hand: `answer` does what it likes with each request, its body read already. */
export async function handMadeBank(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<{ url: string; requests: { method: string; url: string; body: string }[] }> {
  const requests: { method: string; url: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push({ method: request.method ?? '', url: request.url ?? '', body });
    answer(request, response, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterTest(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** The adapter, pointed at `baseUrl`. */
export function adapter(baseUrl: string, clock: Clock = systemClock, bankTimeoutMs = 5000) {
  const kept = { ...keptLog(), ...keptMetrics() };
  const bank = createIfthenpay(
    { clock, settings: { bankTimeoutMs }, log: kept.log, metrics: kept.metrics },
    { baseUrl },
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
  /** What the list shows; a function may throw or look at the filter. */
  list: (
    filter: ListFilter,
    account: BankAccount,
    unreadable: (row: unknown) => void,
  ) => Promise<BankRecord[]>;
  inquire: (requestId: string) => Promise<PushState>;
  listed: { filter: ListFilter; accountId: Id<'acc'> }[];
  inquired: string[];
}

/** The port, faked: empty lists and waiting pushes until a test says otherwise. */
export function fakeBank(): FakeBank {
  const refuse = async () => ({ kind: 'unreachable', detail: 'a fake' }) as const;
  const bank: FakeBank = {
    list: async () => [],
    inquire: async () => ({ kind: 'waiting' }),
    listed: [],
    inquired: [],
    createPush: refuse,
    createReference: refuse,
    async inquirePush(_account, requestId) {
      bank.inquired.push(requestId);
      return bank.inquire(requestId);
    },
    async listPayments(account, filter, unreadable = () => {}) {
      bank.listed.push({ filter, accountId: account.id });
      return bank.list(filter, account, unreadable);
    },
    async registerCallback() {},
    verifyCallback: () => ({ kind: 'refused' }),
  };
  return bank;
}

export interface FakeLedger extends Ledger {
  due: (Omit<DueAttempt, 'checkAt'> & { at: number })[];
  recorded: { accountId: Id<'acc'>; identity: string }[];
  calls: string[];
  paid: Set<string>;
}

/** A ledger that remembers what it was told. Attempts in `due` are due from their `at`, until they are answered. */
export function fakeLedger(): FakeLedger {
  const forget = (id: string) => {
    ledger.due = ledger.due.filter((attempt) => attempt.id !== id);
  };
  const ledger: FakeLedger = {
    due: [],
    recorded: [],
    calls: [],
    paid: new Set(),
    dueAttempts: async (now, limit) =>
      ledger.due
        .filter(({ at }) => at <= now)
        .slice(0, limit)
        .map((attempt) => ({ ...attempt, checkAt: attempt.at })),
    nextCheckAt: async () => (ledger.due.length === 0 ? null : Math.min(...ledger.due.map(({ at }) => at))),
    async record(accountId, records) {
      for (const { identity } of records) ledger.recorded.push({ accountId, identity });
    },
    async pushAnswered(id, state) {
      ledger.calls.push(`answered ${id} ${state.kind}`);
      forget(id);
    },
    async bankSilent(id) {
      ledger.calls.push(`silent ${id}`);
      forget(id);
    },
    async referenceRead(id) {
      ledger.calls.push(`read ${id}`);
      forget(id);
    },
    async recover(id) {
      ledger.calls.push(`recover ${id}`);
      forget(id);
    },
    async listRead(accountId, startedAt) {
      ledger.calls.push(`list ${accountId} ${startedAt}`);
    },
    takeLook: async () => true,
    isPaid: async (bankOrderId) => ledger.paid.has(bankOrderId),
  };
  return ledger;
}

/** The pieces of Deps that accounts and callbacks need, over a real database. */
export function accountDeps(db: Database, clock: Clock) {
  return {
    db,
    clock,
    random: systemRandom,
    ids: createIds(clock, systemRandom),
    box: createSecretBox(Buffer.alloc(32, 7), systemRandom),
  };
}

/** Rows that an attempt needs around it: a merchant and a pending transaction. Resolves to the attempt's id. */
export async function insertAttempt(
  db: Database,
  ids: Deps['ids'],
  attempt: {
    accountId: Id<'acc'>;
    method: 'MBWAY' | 'REFERENCE';
    bankOrderId: string;
    requestId?: string;
    amount?: Cents;
    state?: 'open' | 'unknown';
  },
): Promise<Id<'att'>> {
  const [merchantId, transactionId, id] = [ids('mer'), ids('tx'), ids('att')];
  const amount = attempt.amount ?? cents(1250);
  await db.unit(async (tx) => {
    await insertMerchant(tx, merchantId);
    await tx
      .insertInto('transactions')
      .values({
        ...{ id: transactionId, merchant_id: merchantId, order_id: 'order', amount_cents: amount },
        ...{ status: 'pending', held: 0, store_domain: 'shop.pt', created_at: 0, events_count: 0 },
      } as never)
      .execute();
    await tx
      .insertInto('attempts')
      .values({
        ...{ id, transaction_id: transactionId, merchant_id: merchantId, account_id: attempt.accountId },
        ...{ method: attempt.method, state: attempt.state ?? 'open', amount_cents: amount },
        ...{ bank_order_id: attempt.bankOrderId, request_id: attempt.requestId ?? null },
        ...{ created_at: 0, accepted: 1, silent_count: 0, clear_reads: 0 },
      } as never)
      .execute();
  });
  return id;
}

export async function insertMerchant(tx: Database['read'], id: Id<'mer'>): Promise<void> {
  await tx
    .insertInto('merchants')
    .values({
      ...{ id, name: 'Shop', active: 1, hold: 0, webhook_url: null, webhook_enabled: 0 },
      ...{ webhook_secret: 'sealed', first_paid_at: null, created_at: 0 },
    })
    .execute();
}
