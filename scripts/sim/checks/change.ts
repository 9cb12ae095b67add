import type { AttemptState } from '../../../src/db/tables/payments.ts';
import { alike } from '../bank-state.ts';
import type { AttemptView, ReceiptView, Snapshot, TransactionView } from '../snapshot.ts';
import type { World } from '../world.ts';
import { whyEnded } from './endings.ts';

/** The change made by one unit of work. */
export interface Change {
  before: Snapshot;
  after: Snapshot;
  /** The service's clock. */
  now: number;
  world: World;
}

/** An invariant, checked after every unit of work. Yields a message for each violation. */
export interface ChangeCheck {
  name: string;
  faults(change: Change): Iterable<string>;
}

const LIVE: readonly AttemptState[] = ['initiated', 'open', 'unknown'];
const EVENT_OF = {
  paid: 'payment.success',
  failed: 'payment.failed',
  cancelled: 'payment.cancelled',
} as const;

const MOVES: Readonly<Record<string, readonly string[]>> = {
  pending: ['paid', 'failed', 'cancelled'],
  failed: ['paid'],
  cancelled: ['paid'],
  paid: [],
};

/** Allowed moves without a receipt; with a receipt an attempt becomes `paid` from any state. */
const ATTEMPT_MOVES: Readonly<Record<AttemptState, readonly AttemptState[]>> = {
  initiated: ['open', 'unknown', 'dead'],
  open: ['rejected', 'declined', 'lapsed', 'expired'],
  unknown: ['open', 'dead', 'lapsed', 'rejected', 'declined'],
  paid: [],
  rejected: [],
  declined: [],
  lapsed: [],
  expired: [],
  dead: [],
};

export const CHANGE_CHECKS: readonly ChangeCheck[] = [
  { name: 'a receipt is never deleted or altered, and moves only by assignment', faults: receiptsStay },
  { name: 'a receipt is money that the bank has', faults: receiptsAreReal },
  { name: 'a receipt is flagged by the state it meets', faults: receiptsAreFlagged },
  { name: 'a terminal state leaves only through a receipt or the operator', faults: statesMoveAsAllowed },
  { name: 'paid only on a full receipt, a release or a credit', faults: paidHasItsReason },
  { name: 'never failed or cancelled while an attempt is live or unknown', faults: overWhileLive },
  { name: 'failed and cancelled have their reason', faults: endingHasItsReason },
  { name: 'one state change is one event', faults: oneEventEach },
  { name: 'paid is announced once', faults: paidOnce },
  { name: 'events are numbered once, without a gap, in the order of their commits', faults: sequencesHold },
  { name: 'an attempt moves only as its states allow', faults: attemptsMove },
  { name: 'an attempt ends only on evidence', faults: attemptsEndOnEvidence },
  { name: 'a live attempt has its next check', faults: attemptsAreChecked },
  { name: 'a deadline exists while nothing else can end a transaction', faults: deadlinesHold },
  { name: "the time of payment is the bank's", faults: paidAtIsTheBanks },
  { name: 'a settled receipt stays settled, and notes stay', faults: settlementsHold },
  { name: 'a sale is covered by its receipts', faults: salesAreCovered },
  { name: 'a finished delivery stays as it is, with at most 5 attempts', faults: deliveriesMove },
];

/** What the bank reported of a receipt. */
function reported({ identity, amount_cents, paid_at, recorded_at, request_id, bank_order_id }: ReceiptView) {
  return JSON.stringify([identity, amount_cents, paid_at, recorded_at, request_id, bank_order_id]);
}

function place({ transaction_id, late, duplicate, under, over, unmatched }: ReceiptView) {
  return JSON.stringify([transaction_id, late, duplicate, under, over, unmatched]);
}

function* receiptsStay({ before, after, world }: Change): Iterable<string> {
  for (const [id, was] of before.receipts) {
    const is = after.receipts.get(id);
    if (is === undefined) {
      yield `${id} is gone`;
      continue;
    }
    if (reported(is) !== reported(was)) yield `${id} was altered`;
    const assigned = world.operator.requested.assign.has(`${id} ${is.transaction_id}`);
    if (place(is) !== place(was) && !(was.transaction_id === null && assigned))
      yield `${id} was moved from ${place(was)} to ${place(is)}`;
  }
}

function* receiptsAreReal({ before, after, world }: Change): Iterable<string> {
  if (before.receipts.size === after.receipts.size) return;
  const have = new Map<string, number>();
  for (const row of world.bank.money) have.set(keyOfMoney(row), (have.get(keyOfMoney(row)) ?? 0) + 1);
  for (const row of after.receipts.values()) {
    const left = have.get(keyOfReceipt(row)) ?? 0;
    if (left === 0)
      yield `${row.identity} of ${row.amount_cents} is no money of the bank, or is recorded twice`;
    have.set(keyOfReceipt(row), left - 1);
  }
}

function keyOfMoney(row: World['bank']['money'][number]): string {
  return `${row.amount} ${alike(row)}`;
}

function keyOfReceipt(row: ReceiptView): string {
  const origin = row.identity.startsWith('push ') ? row.identity : row.identity.replace(/ \d+$/, '');
  return `${row.amount_cents} ${origin}`;
}

/** Receipts that are new, or newly assigned to a transaction. */
function newReceipts({ before, after }: Change): ReceiptView[] {
  return [...after.receipts.values()].filter((row) => {
    const was = before.receipts.get(row.id);
    return was === undefined || was.transaction_id !== row.transaction_id;
  });
}

function* receiptsAreFlagged(change: Change): Iterable<string> {
  for (const row of newReceipts(change)) {
    const was = row.transaction_id === null ? undefined : change.before.transactions.get(row.transaction_id);
    const expected = flagsOf(was, row.amount_cents);
    for (const [flag, set] of Object.entries(expected)) {
      if (row[flag as keyof typeof expected] !== Number(set)) yield `${row.identity}: ${flag} is not ${set}`;
    }
  }
}

function flagsOf(was: TransactionView | undefined, amount: number) {
  const settled = was !== undefined && (was.status === 'paid' || was.held === 1);
  const open = was !== undefined && !settled;
  return {
    unmatched: was === undefined,
    duplicate: settled,
    late: open && was.status !== 'pending',
    under: open && amount < was.amount_cents,
    over: open && amount > was.amount_cents,
  };
}

/** The transactions changed by this unit, before and after. */
function* moved({ before, after }: Change): Iterable<{ was: TransactionView; is: TransactionView }> {
  for (const [id, is] of after.transactions) {
    const was = before.transactions.get(id);
    if (was !== undefined && (was.status !== is.status || was.held !== is.held)) yield { was, is };
  }
}

function* statesMoveAsAllowed(change: Change): Iterable<string> {
  for (const id of change.before.transactions.keys()) {
    if (!change.after.transactions.has(id)) yield `${id} is gone`;
  }
  for (const { was, is } of moved(change)) {
    if (was.status === is.status) {
      if (is.held === 0) yield `${is.id} is no longer held, and still ${is.status}`;
      else if (!hasNewFullReceipt(change, is)) yield `${is.id} is held without a full receipt`;
    } else if (MOVES[was.status]?.includes(is.status) !== true) {
      yield `${is.id} went from ${was.status} to ${is.status}`;
    } else if (was.held === 1 && is.status !== 'paid') {
      yield `${is.id} was held and became ${is.status}`;
    }
  }
}

function hasNewFullReceipt(change: Change, transaction: TransactionView): boolean {
  return newReceipts(change).some(
    (row) => row.transaction_id === transaction.id && row.amount_cents >= transaction.amount_cents,
  );
}

function* paidHasItsReason(change: Change): Iterable<string> {
  const { requested } = change.world.operator;
  for (const { was, is } of moved(change)) {
    if (is.status !== 'paid') continue;
    const held = change.before.holds.has(is.merchant_id);
    const released = was.held === 1 && requested.release.has(is.id);
    const credited =
      was.held === 0 && requested.credit.has(is.id) && receivedBy(change.after, is) >= is.amount_cents;
    const received = was.held === 0 && !held && hasNewFullReceipt(change, is);
    if (!released && !credited && !received) yield `${is.id} became paid without a full receipt`;
  }
}

function receivedBy(state: Snapshot, transaction: TransactionView): number {
  const rows = [...state.receipts.values()].filter((row) => row.transaction_id === transaction.id);
  return rows.reduce((sum, row) => sum + row.amount_cents, 0);
}

function attemptsOf(state: Snapshot, transactionId: string): AttemptView[] {
  return [...state.attempts.values()].filter((attempt) => attempt.transaction_id === transactionId);
}

function* overWhileLive({ after }: Change): Iterable<string> {
  for (const row of after.transactions.values()) {
    if (row.status !== 'failed' && row.status !== 'cancelled') continue;
    for (const attempt of attemptsOf(after, row.id)) {
      if (LIVE.includes(attempt.state))
        yield `${row.id} is ${row.status}, attempt ${attempt.id} ${attempt.state}`;
    }
  }
}

/** A transaction fails with its last attempt, and is cancelled with a lapsed push or at its deadline. */
function* endingHasItsReason(change: Change): Iterable<string> {
  for (const { was, is } of moved(change)) {
    if (was.status === is.status || (is.status !== 'failed' && is.status !== 'cancelled')) continue;
    const ended = attemptsOf(change.after, was.id).filter(
      (attempt) => change.before.attempts.get(attempt.id)?.state !== attempt.state,
    );
    const by = ended.map((attempt) => attempt.state);
    const failed = by.some((state) => ['rejected', 'declined', 'expired'].includes(state));
    const timeIsUp = change.now >= is.created_at + change.world.scenario.settings.pendingMs;
    const right = is.status === 'failed' ? failed : !failed && (by.includes('lapsed') || timeIsUp);
    if (!right) yield `${is.id} became ${is.status} with attempts ${by.join(', ') || 'unchanged'}`;
  }
}

function* oneEventEach({ before, after }: Change): Iterable<string> {
  const fresh = [...after.events.values()].filter((event) => !before.events.has(event.id));
  for (const id of before.events.keys()) if (!after.events.has(id)) yield `event ${id} is gone`;
  const delivered = new Set([...after.deliveries.values()].map((delivery) => delivery.event_id));
  for (const event of fresh) if (!delivered.has(event.id)) yield `event ${event.id} has no delivery`;
  for (const [id, is] of after.transactions) {
    const was = before.transactions.get(id);
    const kinds = fresh.filter((event) => event.transaction_id === id).map((event) => event.kind);
    const due =
      was === undefined || was.status === is.status || is.status === 'pending' ? [] : [EVENT_OF[is.status]];
    if (kinds.join() !== due.join())
      yield `${id} became ${is.status} and announced ${kinds.join() || 'nothing'}`;
    if (is.events_count !== (was?.events_count ?? 0) + due.length)
      yield `${id} counts ${is.events_count} events`;
  }
}

function* paidOnce({ after }: Change): Iterable<string> {
  const announced = new Set<string | null>();
  for (const event of after.events.values()) {
    if (event.kind !== 'payment.success') continue;
    if (announced.has(event.transaction_id)) yield `${event.transaction_id} was announced twice`;
    announced.add(event.transaction_id);
    const status = after.transactions.get(event.transaction_id ?? '')?.status;
    if (status !== 'paid') yield `${event.transaction_id} was announced as paid and is ${status}`;
  }
}

function* sequencesHold({ before, after }: Change): Iterable<string> {
  const counted = new Map<string, number>();
  for (const { id, merchant_id: merchantId, sequence } of after.events.values()) {
    const was = before.events.get(id)?.sequence ?? null;
    if (was !== null && was !== sequence) yield `${id} was ${was} and is ${sequence}`;
    const next = (counted.get(merchantId) ?? 0) + 1;
    if (sequence !== null && sequence !== next) yield `${id} has ${sequence}, not ${next}`;
    // No event after one without a number may have a number.
    counted.set(merchantId, sequence === null ? Number.NaN : next);
  }
}

function* attemptsMove({ before, after }: Change): Iterable<string> {
  for (const [id, is] of after.attempts) {
    const was = before.attempts.get(id);
    if (was === undefined) {
      if (is.state !== 'initiated') yield `${id} began as ${is.state}`;
    } else if (was.state !== is.state) {
      const paid = [...after.receipts.values()].some(
        (row) => row.attempt_id === id || isSettledMoneyOf(row, is),
      );
      const allowed = is.state === 'paid' ? paid : ATTEMPT_MOVES[was.state].includes(is.state);
      if (!allowed) yield `${id} went from ${was.state} to ${is.state}`;
    }
  }
}

/** Whether an operator settled the push's money before its request id was known. */
function isSettledMoneyOf(row: ReceiptView, push: AttemptView): boolean {
  const settled = row.settlement !== null || row.transaction_id !== null;
  return row.attempt_id === null && settled && row.identity === `push ${push.request_id}`;
}

function* attemptsAreChecked({ after }: Change): Iterable<string> {
  for (const { id, state, check_at } of after.attempts.values()) {
    if ((state === 'initiated' || state === 'open') && check_at === null)
      yield `${id} is ${state} and has no next check`;
  }
}

/** A pending transaction without live attempts has its deadline; every other one has none. */
function* deadlinesHold({ after, world }: Change): Iterable<string> {
  for (const row of after.transactions.values()) {
    const waiting = row.status === 'pending' && row.held === 0;
    const live = attemptsOf(after, row.id).some(({ state }) => LIVE.includes(state));
    const expected = row.created_at + world.scenario.settings.pendingMs;
    if (waiting && !live && row.deadline_at !== expected)
      yield `${row.id} waits until ${row.deadline_at}, not ${expected}`;
    if (!waiting && row.deadline_at !== null) yield `${row.id} is ${row.status} and has a deadline`;
  }
}

/** The bank's time of payment, never later than its recording, is the transaction's. */
function* paidAtIsTheBanks({ after }: Change): Iterable<string> {
  for (const row of after.receipts.values())
    if (row.paid_at > row.recorded_at) yield `${row.id} was paid after it was recorded`;
  for (const { id, paid_at } of after.transactions.values()) {
    if (paid_at === null) continue;
    const own = [...after.receipts.values()].filter((row) => row.transaction_id === id);
    if (!own.some((row) => row.paid_at === paid_at)) yield `${id} was paid at ${paid_at}, no receipt was`;
  }
}

function* settlementsHold({ before, after }: Change): Iterable<string> {
  for (const [id, is] of after.receipts) {
    const was = before.receipts.get(id)?.settlement ?? null;
    if (was !== null && is.settlement !== was) yield `${id} was ${was} and is ${is.settlement}`;
    if ((is.settlement === null) !== (is.settled_at === null))
      yield `${id} is ${is.settlement}, settled at ${is.settled_at}`;
    const due = after.transactions.get(is.transaction_id ?? '')?.amount_cents ?? 0;
    const back = paysAlone(is) ? (is.over === 1 ? is.amount_cents - due : null) : is.amount_cents;
    const expected = is.settlement === 'returned' ? back : null;
    if (is.returned_cents !== expected) yield `${id} returned ${is.returned_cents}, not ${expected}`;
    if (was !== null || is.settlement === null || !before.receipts.has(id)) continue;
    const noted = [...after.notes.values()].some(
      (note) => note.receipt_id === id && !before.notes.has(note.id),
    );
    if (!noted) yield `${id} was ${is.settlement} without a note`;
  }
  for (const [id, note] of before.notes)
    if (JSON.stringify(after.notes.get(id)) !== JSON.stringify(note)) yield `note ${id} was altered`;
}

/** A sale is one full receipt, or receipts credited together; what counts for it, less what went back, covers its amount. */
function* salesAreCovered({ after }: Change): Iterable<string> {
  for (const row of after.transactions.values()) {
    const own = [...after.receipts.values()].filter((receipt) => receipt.transaction_id === row.id);
    const full = own.filter(paysAlone);
    const credited = own.filter((receipt) => receipt.settlement === 'credited' && !paysAlone(receipt));
    const counted = [...full, ...credited].reduce(
      (sum, receipt) => sum + receipt.amount_cents - (receipt.returned_cents ?? 0),
      0,
    );
    const sold = row.status === 'paid' || row.held === 1;
    if (full.length + Math.min(credited.length, 1) !== (sold ? 1 : 0))
      yield `${row.id} is ${row.status} with ${full.length} full and ${credited.length} credited receipts`;
    if (sold && counted < row.amount_cents) yield `${row.id} of ${row.amount_cents} is covered by ${counted}`;
  }
}

export function paysAlone(receipt: ReceiptView): boolean {
  return receipt.unmatched === 0 && receipt.duplicate === 0 && receipt.under === 0;
}

function* attemptsEndOnEvidence(change: Change): Iterable<string> {
  for (const [id, is] of change.after.attempts) {
    const was = change.before.attempts.get(id);
    if (was === undefined || was.state === is.state) continue;
    const missing = whyEnded(was, is, change.world);
    if (missing !== null) yield `attempt ${is.bank_order_id} became ${is.state}: ${missing}`;
  }
}

function* deliveriesMove({ before, after }: Change): Iterable<string> {
  for (const [id, was] of before.deliveries) {
    const is = after.deliveries.get(id);
    if (is === undefined) yield `${id} is gone`;
    else if (was.state !== 'due' && (is.state !== was.state || is.attempts_count !== was.attempts_count)) {
      yield `${id} was ${was.state} and is ${is.state} after ${is.attempts_count} attempts`;
    } else if (is.attempts_count < was.attempts_count || is.attempts_count > 5) {
      yield `${id} counts ${is.attempts_count} attempts`;
    }
  }
}
