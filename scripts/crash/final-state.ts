import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../../src/db/open.ts';
import type { ListedReceipt } from '../../src/payments/list-receipts.ts';
import type { ShownRefund } from '../../src/payments/refunds/view.ts';
import type { ShownTransaction } from '../../src/payments/show.ts';
import type { TransactionRow } from '../../src/payments/store.ts';
import type { TransactionEvents } from '../../src/webhooks/history.ts';
import type { CallLog, Shop } from './call-log.ts';
import { type Answer, call } from './calls.ts';
import type { Installation } from './installation.ts';
import { type Money, moneyFaults, readBankRecord } from './money.ts';

const PAGE = 1000;
const SETTLE_MS_MAX = 120_000;
const SETTLE_EVERY_MS = 500;

/** A transaction as the operator sees it. */
export type Shown = ShownTransaction & TransactionEvents;

const ORDER_COLUMNS = ['id', 'merchant_id', 'session_id', 'order_id', 'status', 'created_at'] as const;
export type OrderRow = Pick<TransactionRow, (typeof ORDER_COLUMNS)[number]>;

/** The final state of the service and of the bank. */
export interface FinalState extends Money {
  shown: Map<string, Shown>;
  /** Every transaction, including those without a response, oldest first. */
  orders: OrderRow[];
  shopOf(order: OrderRow): Shop | undefined;
  refunds: ShownRefund[];
  /** The response of the API for each acknowledged session. */
  sessions: Map<string, Answer | null>;
  /** Pages that links led to and that do not exist. */
  missingPages: string[];
  /** Transactions that did not settle in time. */
  stuck: string[];
}

/**
 * Waits until every payment at the bank has its receipt, then until everything is settled, and reads the state with the
 * operator's commands, from the database and from the bank's record. Reads again when money arrived in between, because the first
 * read lacks its events.
 */
export async function readFinalState(
  installation: Installation,
  log: CallLog,
  shops: readonly Shop[],
): Promise<FinalState> {
  const deadline = Date.now() + SETTLE_MS_MAX;
  const shopOf = (order: OrderRow) => shops.find(({ merchantId }) => merchantId === order.merchant_id);
  const readMoney = async (): Promise<Money> => ({
    ...readBankRecord(installation.bankFile),
    receipts: await readPages<ListedReceipt>(installation.operator, ['receipt', 'list'], ({ id }) => id),
  });
  let money = await readMoney();
  for (;;) {
    while (moneyFaults(money).length > 0 && Date.now() < deadline) {
      await wait(SETTLE_EVERY_MS);
      money = await readMoney();
    }
    const orders = await readOrders(installation.databaseUrl);
    const settled = await readSettled(installation, orders, shopOf, Date.now() + SETTLE_MS_MAX);
    const refunds = await readRefunds(installation, deadline);
    const now = await readMoney();
    const isSame = now.bank.length === money.bank.length && now.receipts.length === money.receipts.length;
    if (isSame || Date.now() > deadline) {
      const checkout = await readCheckout(installation, log);
      const read = await readOrders(installation.databaseUrl);
      return { ...settled, ...now, ...checkout, orders: read, shopOf, refunds };
    }
    money = now;
  }
}

async function readSettled(
  installation: Installation,
  orders: readonly OrderRow[],
  shopOf: FinalState['shopOf'],
  deadline: number,
) {
  const shown = new Map<string, Shown>();
  let stuck = orders;
  for (;;) {
    for (const { id } of stuck) shown.set(id, await installation.operator(['transaction', 'show', id]));
    stuck = stuck.filter((order) => !isSettled(shown.get(order.id), shopOf(order)?.hasExtras ?? false));
    if (stuck.length === 0 || Date.now() > deadline) return { shown, stuck: stuck.map(({ id }) => id) };
    await wait(SETTLE_EVERY_MS);
  }
}

/**
 * Returns whether everything has ended, except open references, which wait for the customer; with `recovers`, whether the last
 * event was delivered.
 */
function isSettled(shown: Shown | undefined, recovers: boolean): boolean {
  if (shown === undefined) return false;
  const waiting = shown.attempts.some(
    ({ method, state }) =>
      state === 'initiated' || state === 'unknown' || (state === 'open' && method === 'MBWAY'),
  );
  if (waiting || shown.deliveries.some(({ state }) => state === 'due')) return false;
  const arrived = new Set(
    shown.deliveries.flatMap(({ state, eventId }) => (state === 'delivered' ? eventId : [])),
  );
  const last = shown.events.findLastIndex(({ id }) => arrived.has(id));
  // A delivered later event supersedes the earlier ones.
  return !recovers || last === shown.events.length - 1;
}

async function readOrders(databaseUrl: string): Promise<OrderRow[]> {
  const db = await openDatabase(databaseUrl);
  try {
    return await db.read.selectFrom('transactions').select(ORDER_COLUMNS).orderBy('id').execute();
  } finally {
    await db.close();
  }
}

async function readRefunds({ operator }: Installation, deadline: number): Promise<ShownRefund[]> {
  for (;;) {
    const listed = await readPages<ShownRefund>(operator, ['refund', 'list'], ({ refundId }) => refundId);
    if (Date.now() > deadline || !listed.some(({ state }) => state === 'requested' || state === 'sent')) {
      const refunds: ShownRefund[] = [];
      for (const { refundId } of listed) refunds.push(await operator(['refund', 'show', refundId]));
      return refunds;
    }
    await wait(SETTLE_EVERY_MS);
  }
}

async function readCheckout({ url }: Installation, log: CallLog) {
  const sessions = new Map<string, Answer | null>();
  for (const [id, { shop }] of log.sessions)
    sessions.set(id, await call(url, shop, `/checkout/v1/sessions?sessionId=${id}`));
  const missingPages: string[] = [];
  for (const page of log.linkPages) if (!(await fetch(page)).ok) missingPages.push(page);
  return { sessions, missingPages };
}

/** Reads all pages of a list of the operator. */
async function readPages<Row>(
  operator: Installation['operator'],
  command: readonly string[],
  idOf: (row: Row) => string,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await operator<Row[]>([
      ...[...command, '--limit', String(PAGE)],
      ...(last === undefined ? [] : ['--after', idOf(last)]),
    ]);
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}
