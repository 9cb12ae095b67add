import { setTimeout as wait } from 'node:timers/promises';
import { type Paid, readBankRecord } from './bank-record.ts';
import type { Diary } from './diary.ts';
import type { Installation } from './installation.ts';

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

export interface Receipt {
  id: string;
  transactionId: string | null;
  amount: number;
  requestId: string;
  flags: string[];
}

/** What the service, and the bank, say in the end. */
export interface Books {
  shown: Map<string, Shown>;
  receipts: Receipt[];
  bank: Paid[];
  /** Transactions of which something was still not settled when the patience was over. */
  stuck: string[];
}

/** Waits until everything is settled, then reads it all, by the operator's commands and the bank's own record. */
export async function readBooks(
  installation: Installation,
  diary: Diary,
  startedAt: number,
  patienceMs = SETTLE_MS_MAX,
): Promise<Books> {
  const shown = new Map<string, Shown>();
  const deadline = Date.now() + patienceMs;
  let open = [...diary.inits.keys()];
  for (;;) {
    for (const id of open) shown.set(id, await installation.operator(['transaction', 'show', id]));
    open = open.filter((id) => !isSettled(shown.get(id)));
    if (open.length === 0 || Date.now() > deadline) break;
    await wait(SETTLE_EVERY_MS);
  }
  const bank = await readBankRecord(installation.sandboxUrl, startedAt, Date.now());
  return { shown, receipts: await readReceipts(installation), bank, stuck: open };
}

/** An open reference may wait for its customer; everything else must have come to an end. */
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
