import { setTimeout as wait } from 'node:timers/promises';
import { readBankRecord } from './bank-record.ts';
import type { CallLog } from './call-log.ts';
import type { Installation } from './installation.ts';
import { compareMoney, type Money, type Receipt } from './money.ts';

const PAGE = 1000;
const SETTLE_MS_MAX = 120_000;
const SETTLE_EVERY_MS = 500;

/** A transaction as the operator sees it. */
export interface Shown {
  transaction: { transactionId: string; externalOrderId: string; status: string; amount: number };
  attempts: {
    method: string;
    state: string;
    phoneNumber: string | null;
    entity: string | null;
    reference: string | null;
  }[];
  receipts: { amount: number; flags: string[] }[];
  events: { id: string; event: string }[];
  deliveries: { deliveryId: string; eventId: string; event: string; state: string; attempts: unknown[] }[];
}

/** The final state of the service and of the bank. */
export interface FinalState extends Money {
  shown: Map<string, Shown>;
  /** Transactions that did not settle in time. */
  stuck: string[];
}

/**
 * Waits until every payment at the bank has its receipt, then until everything is settled, and
 * reads the state with the operator's commands and from the bank's record. Reads again when money arrived
 * in between, because the first read lacks its events.
 */
export async function readFinalState(
  installation: Installation,
  log: CallLog,
  startedAt: number,
): Promise<FinalState> {
  const deadline = Date.now() + SETTLE_MS_MAX;
  const readMoney = async (): Promise<Money> => ({
    bank: await readBankRecord(installation.sandboxUrl, startedAt, Date.now()),
    receipts: await readReceipts(installation),
  });
  let money = await readMoney();
  for (;;) {
    while (compareMoney(money).missing > 0 && Date.now() < deadline) {
      await wait(SETTLE_EVERY_MS);
      money = await readMoney();
    }
    const settled = await readSettled(installation, [...log.inits.keys()], Date.now() + SETTLE_MS_MAX);
    const now = await readMoney();
    const isSame = now.bank.length === money.bank.length && now.receipts.length === money.receipts.length;
    if (isSame || Date.now() > deadline) return { ...settled, ...now };
    money = now;
  }
}

async function readSettled(installation: Installation, ids: readonly string[], deadline: number) {
  const shown = new Map<string, Shown>();
  let stuck = ids;
  for (;;) {
    for (const id of stuck) shown.set(id, await installation.operator(['transaction', 'show', id]));
    stuck = stuck.filter((id) => !isSettled(shown.get(id)));
    if (stuck.length === 0 || Date.now() > deadline) return { shown, stuck: [...stuck] };
    await wait(SETTLE_EVERY_MS);
  }
}

/** Returns whether everything has ended, except open references, which wait for the customer. */
function isSettled(shown: Shown | undefined): boolean {
  if (shown === undefined) return false;
  const waiting = shown.attempts.some(
    ({ method, state }) =>
      state === 'initiated' || state === 'unknown' || (state === 'open' && method === 'MBWAY'),
  );
  return !waiting && shown.deliveries.every(({ state }) => state !== 'due');
}

async function readReceipts(installation: Installation): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (;;) {
    const after = receipts.at(-1)?.id;
    const page = await installation.operator<Receipt[]>([
      ...['receipt', 'list', '--limit', String(PAGE)],
      ...(after === undefined ? [] : ['--after', after]),
    ]);
    receipts.push(...page);
    if (page.length < PAGE) return receipts;
  }
}
