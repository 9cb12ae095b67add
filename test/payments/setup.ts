import { onTestFinished } from 'vitest';
import { createBankAccounts } from '../../src/banks/accounts.ts';
import {
  type Bank,
  type BankAccount,
  type BankRecord,
  BankUnavailable,
  type PushState,
} from '../../src/banks/port.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { type BankWorkers, createBankWorkers } from '../../src/banks/workers/workers.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { Deps } from '../../src/deps.ts';
import { createRuntimeStats } from '../../src/http/runtime-stats.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { lisbonEndOfDay } from '../../src/kernel/lisbon.ts';
import type { Cents } from '../../src/kernel/money.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { createDeadlines } from '../../src/payments/deadlines.ts';
import { initTransaction } from '../../src/payments/init.ts';
import { startMbway } from '../../src/payments/mbway.ts';
import { startMultibanco } from '../../src/payments/multibanco.ts';
import { createSettlement } from '../../src/payments/settlement.ts';
import type { Merchant } from '../../src/rpc/context.ts';
import { bankRecord, CREDENTIALS, fakeBank, keptLog } from '../banks/support.ts';
import { databaseUrl, temporaryFolder } from '../support/database.ts';
import { depsOn } from '../support/deps.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { selectRow, selectRows } from '../support/rows.ts';

export const { settings: SETTINGS } = readConfig({
  SERVICE_DATABASE_URL: 'sqlite:/nowhere/service.db',
  SERVICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  SERVICE_REQUIRE_CHECKOUT_DATA: 'false',
  SERVICE_INQUIRY_SECONDS: '10',
  SERVICE_INQUIRIES_PER_SECOND: '100000',
  SERVICE_RECONCILE_SECONDS: '300',
});

export const OPERATOR = { merchantId: null, operator: true };

/** Credentials of another contract, with the list that the usual credentials read, and with its own list. */
export const OWN = { ...CREDENTIALS, mbWayKey: 'OWN-000001', mbKey: 'OWN-000002' };
export const OWN_LIST = { ...OWN, backofficeKey: '9999-9999-9999-9999' };

interface Order {
  requestId: string;
  orderId: string;
  amount: Cents;
}

export type Push = Order & { state: PushState };
export type Reference = Order & { entity: string; reference: string };
type Row = BankRecord & { paidAt: number };

/** A bank in memory: tests answer its pushes and add rows to its list. */
export interface MemoryBank extends Bank {
  /** The outcome of the next create: it is accepted, unreachable, or accepted with an answer that hangs. */
  next: 'accepted' | 'unreachable' | 'hanging';
  listUnavailable: boolean;
  /** This many inquiries hang until `release`. */
  hangingInquiries: number;
  inquiriesCount: number;
  readonly pushes: Push[];
  readonly references: Reference[];
  readonly rows: Row[];
  /** The customer answers a push. A payment is added to the list, on request under a foreign order id. */
  answer(push: Push, state: 'paid' | 'rejected', foreignOrder?: boolean): Row | null;
  /** A payment that names no order of the service, on request with the digits of its reference. */
  foreign(amount: Cents, digits?: { entity: string; reference: string }): Row;
  release(): void;
}

function memoryBank(clock: Clock): MemoryBank {
  const hanging: (() => void)[] = [];
  const hang = () => new Promise<void>((resolve) => hanging.push(resolve));
  let count = 0;
  const add = (row: Parameters<typeof bankRecord>[0]): Row => {
    const full = { ...bankRecord({ method: 'REFERENCE', ...row }), paidAt: clock.now() };
    bank.rows.push(full);
    return full;
  };
  const bank: MemoryBank = {
    ...fakeBank(),
    next: 'accepted',
    listUnavailable: false,
    hangingInquiries: 0,
    inquiriesCount: 0,
    pushes: [],
    references: [],
    rows: [],
    async createPush(_account: BankAccount, { bankOrderId: orderId, amount }) {
      const { next } = bank;
      bank.next = 'accepted';
      if (next === 'unreachable') return { kind: 'unreachable', detail: 'a fake' };
      const requestId = `request-${count++}`;
      bank.pushes.push({ requestId, orderId, amount, state: { kind: 'waiting' } });
      if (next === 'hanging') await hang();
      return { kind: 'accepted', requestId };
    },
    async createReference(_account, { bankOrderId: orderId, amount, expiryDays }) {
      const digits = { entity: '11990', reference: String(100_000_000 + count) };
      const requestId = `request-${count++}`;
      bank.references.push({ requestId, orderId, amount, ...digits });
      const expiresAt = lisbonEndOfDay(clock.now(), expiryDays);
      return { kind: 'accepted', requestId, ...digits, expiresAt };
    },
    async inquirePush(_account, { requestId }) {
      bank.inquiriesCount += 1;
      const state = bank.pushes.find((push) => push.requestId === requestId)?.state;
      if (bank.hangingInquiries > 0) {
        bank.hangingInquiries -= 1;
        await hang();
      }
      return state ?? { kind: 'waiting' };
    },
    async listPayments(_account, { bankOrderId, requestId, from, to }) {
      if (bank.listUnavailable) throw new BankUnavailable('list: a fake');
      const records = bank.rows.filter(
        (row) =>
          row.paidAt <= clock.now() &&
          (bankOrderId === undefined || row.bankOrderId === bankOrderId) &&
          (requestId === undefined || row.requestId === requestId) &&
          (from === undefined || row.paidAt >= from) &&
          (to === undefined || row.paidAt <= to),
      );
      return { records, complete: true };
    },
    answer(push, state, foreignOrder = false) {
      const identity = `push:${push.requestId}`;
      push.state = state === 'paid' ? { kind: 'paid', paidAt: clock.now(), identity } : { kind: state };
      if (state !== 'paid') return null;
      const bankOrderId = foreignOrder ? 'FOREIGN' : push.orderId;
      return add({ identity, method: 'MBWAY', amount: push.amount, requestId: push.requestId, bankOrderId });
    },
    foreign: (amount, { entity, reference } = { entity: '21800', reference: '1' }) => {
      const identity = `row:${count++}`;
      return add({
        identity,
        amount,
        requestId: identity,
        bankOrderId: `FOREIGN${identity}`,
        entity,
        reference,
      });
    },
    release() {
      for (const resolve of hanging.splice(0)) resolve();
    },
  };
  return bank;
}

/** The first element, which must exist. */
export function firstOf<T>(rows: readonly T[]): T {
  const [first] = rows;
  if (first === undefined) throw new Error('no rows');
  return first;
}

/** The payments slice and the bank workers on a real database, at `url` or a new one, with a bank in memory and a fake clock. */
export async function setup(url?: string) {
  const clock = fakeClock(Date.UTC(2026, 2, 27, 12));
  const bank = memoryBank(clock);
  const db = await openDatabase(url ?? (await databaseUrl(temporaryFolder(), onTestFinished)));
  const { log, lines } = keptLog();
  let workers: BankWorkers | null = null;
  const base = { ...depsOn(db, clock), settings: SETTINGS };
  const deps: Deps = {
    ...base,
    bank,
    runtimeStats: createRuntimeStats(clock),
    log,
    bankAccounts: createBankAccounts(base),
    wakeBankWorkers: () => workers?.wake(),
  };
  const settlement = createSettlement(deps);
  workers = createBankWorkers({ ...deps, settlement });
  const jobs = [workers, createDeadlines(deps)];
  for (const job of jobs) job.start();
  // Their first runs find nothing.
  await clock.advance(0);
  onTestFinished(async () => {
    bank.release();
    await clock.advance(0);
    await Promise.all(jobs.map((job) => job.stop()));
    await db.close();
  });
  const { merchantId } = await createMerchant(deps, { name: 'A', domains: ['shop.pt'] });
  const merchant: Merchant = {
    id: merchantId,
    keyId: 'key_1',
    name: 'A',
    firstPaidAt: null,
    domains: null,
  };
  const { account } = await setBankAccount(deps, { merchantId: null, credentials: CREDENTIALS });
  const init = async () => {
    const { transactionId } = await initTransaction(
      deps,
      merchant,
      { orderId: 'O', amount: 10, storeUrl: 'https://shop.pt' } as never,
      { setHeader() {}, origin: undefined, referer: undefined, idempotencyKey: undefined },
    );
    return transactionId as Id<'tx'>;
  };
  /** Moves the clock at once, as after a sleep of the machine. */
  const pass = async (ms: number) => {
    await clock.advance(0);
    await clock.jump(ms);
  };
  /** Creates a transaction and sends a push. Resolves to its id. */
  const pushed = async (phoneNumber = '912345678') => {
    const transactionId = await init();
    await startMbway(deps, merchant, { transactionId, phoneNumber });
    return transactionId;
  };
  /** Creates a transaction with a reference. Resolves to its id. */
  const referred = async () => {
    const transactionId = await init();
    await startMultibanco(deps, merchant, { transactionId });
    return transactionId;
  };
  const attempts = () => selectRows(db, 'attempts');
  const receipts = () => selectRows(db, 'receipts');
  const status = async (id: Id<'tx'>) => (await selectRow(db, 'transactions', { id })).status;
  /** The attempt with this order id, as the bank's workers know it. */
  const attemptOf = async (bankOrderId: string) => {
    const attempt = await settlement.findAttempt(bankOrderId);
    if (attempt === null) throw new Error(`there is no attempt ${bankOrderId}`);
    return attempt;
  };
  return {
    clock,
    bank,
    deps,
    merchant,
    account,
    settlement,
    init,
    pushed,
    referred,
    pass,
    attempts,
    receipts,
    status,
    attemptOf,
    lines,
  };
}
