import { setTimeout as wait } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import type { CallLog, Shop } from './call-log.ts';
import { type Answer, CALL_TIMEOUT_MS, call } from './calls.ts';
import type { Installation } from './installation.ts';
import { type BankRecord, moneyFaults, readBankRecord } from './money.ts';

const SETTLE_MS_MAX = 120_000;
const SETTLE_EVERY_MS = 2000;

/** The tables that are judged, with the column that orders their rows. */
const TABLES = {
  transactions: 'id',
  attempts: 'id',
  receipts: 'id',
  events: 'id',
  deliveries: 'id',
  delivery_attempts: 'number',
  refunds: 'id',
  refund_history: 'number',
  bank_accounts: 'id',
} as const satisfies { [Table in keyof Tables]?: keyof Tables[Table] };

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
type Rows = { [Table in keyof typeof TABLES]: Row<Table>[] };

/** A transaction with its rows, oldest first. */
export type Order = ReturnType<typeof ordersOf> extends Map<string, infer Each> ? Each : never;

/** The final state of the service and of the bank. */
export interface FinalState extends Rows, BankRecord {
  /** When the rows were read, UTC milliseconds. The bank may still report a refund afterwards, which makes an event. */
  readAt: number;
  /** By transaction, oldest first; including those without a response. */
  orders: Map<string, Order>;
  /** The response of the API for each acknowledged session. */
  sessions: Map<string, Answer | null>;
  /** Pages that links led to and that do not exist. */
  missingPages: string[];
  /** Transactions that did not settle in time. */
  stuck: string[];
}

/** Waits until every payment at the bank has its receipt and everything is settled, and reads the state. */
export async function readFinalState(
  installation: Installation,
  log: CallLog,
  shops: readonly Shop[],
): Promise<FinalState> {
  const deadline = Date.now() + SETTLE_MS_MAX;
  const db = await openDatabase(installation.databaseUrl);
  try {
    for (;;) {
      const readAt = Date.now();
      // The bank last: a refund that is settled in the rows is already in its record.
      const rows = await readRows(db);
      const state = { ...rows, ...readBankRecord(installation.bankFile) };
      const orders = ordersOf(state, shops);
      const stuck = [...orders].filter(([, order]) => !isSettled(order)).map(([id]) => id);
      const isOver = stuck.length === 0 && [...moneyFaults(state.bank, state.receipts)].length === 0;
      if (isOver || Date.now() > deadline)
        return { ...state, ...(await readCheckout(installation, log)), readAt, orders, stuck };
      await wait(SETTLE_EVERY_MS);
    }
  } finally {
    await db.close();
  }
}

function readRows(db: Database): Promise<Rows> {
  return db.snapshot(async (read) => {
    const tables: [string, unknown[]][] = [];
    for (const [table, column] of Object.entries(TABLES)) {
      const query = sql`select * from ${sql.table(table)} order by ${sql.ref(column)}`;
      tables.push([table, (await query.execute(read)).rows]);
    }
    return Object.fromEntries(tables) as Rows;
  });
}

function ordersOf(rows: Rows, shops: readonly Shop[]) {
  const [attempts, receipts] = [byTransaction(rows.attempts), byTransaction(rows.receipts)];
  const [events, deliveries] = [byTransaction(rows.events), byTransaction(rows.deliveries)];
  const refunds = Map.groupBy(rows.refunds, ({ receipt_id }) => receipt_id);
  const orders = rows.transactions.map((transaction) => {
    const { id, merchant_id } = transaction;
    const own = receipts(id);
    const order = {
      transaction,
      shop: shops.find(({ merchantId }) => merchantId === merchant_id),
      attempts: attempts(id),
      receipts: own,
      refunds: own.flatMap((receipt) => refunds.get(receipt.id) ?? []),
      events: events(id),
      deliveries: deliveries(id),
    };
    return [id as string, order] as const;
  });
  return new Map(orders);
}

function byTransaction<Row extends { transaction_id: string | null }>(rows: Row[]): (id: string) => Row[] {
  const groups = Map.groupBy(rows, ({ transaction_id }) => transaction_id);
  return (id) => groups.get(id) ?? [];
}

/**
 * Returns whether everything has ended, except open references, which wait for the customer. Where webhooks are recovered, the
 * last event must have been delivered; it supersedes the earlier ones.
 */
function isSettled({ shop, attempts, refunds, events, deliveries }: Order): boolean {
  const isWaiting =
    attempts.some(
      ({ method, state }) =>
        state === 'initiated' || state === 'unknown' || (state === 'open' && method === 'MBWAY'),
    ) ||
    refunds.some(({ state }) => state === 'requested' || state === 'sent') ||
    deliveries.some(({ state }) => state === 'due');
  if (isWaiting || !shop?.hasExtras) return !isWaiting;
  const last = events.at(-1);
  const arrived = deliveries.some(({ state, event_id }) => state === 'delivered' && event_id === last?.id);
  return last === undefined || arrived;
}

async function readCheckout({ url }: Installation, log: CallLog) {
  const sessions = new Map<string, Answer | null>();
  for (const [id, { shop }] of log.sessions)
    sessions.set(id, await call(url, shop, `/checkout/v1/sessions?sessionId=${id}`));
  const missingPages: string[] = [];
  for (const page of log.linkPages) {
    const { ok } = await fetch(page, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
    if (!ok) missingPages.push(page);
  }
  return { sessions, missingPages };
}
