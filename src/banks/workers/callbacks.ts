import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import { instantFromBankText } from '../../kernel/lisbon.ts';
import { type BankAccount, type BankRecord, BankSilent, type Ledger, type PushState } from '../port.ts';
import {
  attemptOfOrder,
  claimHint,
  countLook,
  dueHints,
  type HintedAttempt,
  type HintRow,
  nextHintAt,
} from '../store.ts';
import { findMoney } from './find-money.ts';
import { createWorkLoop, type WorkLoop } from './work-loop.ts';

export type HintDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'bank' | 'bankAccounts'> & { ledger: Ledger };

/** When the bank's record is read after a callback; then reconciliation takes over. */
const LOOKS_AFTER_MS = [0, 5000, 30_000, 120_000];
const CONCURRENCY_MAX = 16;
/** How long a look keeps other processes away. */
const LOOK_LEASE_MS = 60_000;

/** The loop that confirms callbacks from the bank's record. */
export function createHintLoop(deps: HintDeps): WorkLoop {
  return createWorkLoop({
    name: 'hints',
    clock: deps.clock,
    log: deps.log,
    concurrencyMax: CONCURRENCY_MAX,
    async due(limit) {
      const hints = await dueHints(deps.db.read, deps.clock.now(), limit);
      return hints.map((hint) => ({ key: hint.id, run: () => confirmHint(deps, hint) }));
    },
    nextAt: () => nextHintAt(deps.db.read),
  });
}

/** One look, counted whatever comes of it, so that a hint ends after its last one even when the bank stays silent. */
async function confirmHint(deps: HintDeps, hint: HintRow): Promise<void> {
  if (!(await isOurs(deps, hint))) return;
  let seen = false;
  try {
    seen = await look(deps, hint);
  } catch (error) {
    const detail = errorText(error);
    if (error instanceof BankSilent)
      deps.log.debug({ hintId: hint.id, detail }, 'no answer about a hint yet');
    else deps.log.error({ hintId: hint.id, detail }, 'a hint could not be confirmed');
  }
  const nextAfterMs = LOOKS_AFTER_MS[hint.checks_count + 1];
  const checkAt = seen || nextAfterMs === undefined ? null : hint.received_at + nextAfterMs;
  await deps.db.unit((tx) => countLook(tx, hint, checkAt));
}

/** Of several processes one looks; should it die over it, another does when its time is over. */
async function isOurs(deps: HintDeps, hint: HintRow): Promise<boolean> {
  if (deps.db.neighbours === null) return true;
  return await deps.db.unit((tx) => claimHint(tx, hint, deps.clock.now() + LOOK_LEASE_MS));
}

/** True when the bank's record shows the money that the hint spoke of. */
async function look(deps: HintDeps, hint: HintRow): Promise<boolean> {
  const order = hint.bank_order_id;
  const attempt = order === null ? undefined : await attemptOfOrder(deps.db.read, order);
  if (order !== null && attempt?.method === 'MBWAY') {
    // A push is paid once: its money, already here, needs no look.
    if (await deps.ledger.isPaid(order)) return true;
  }
  const account = await deps.bankAccounts.byId(deps.db.read, attempt?.account_id ?? hint.account_id);
  if (attempt !== undefined && (await pushIsPaid(deps, account, attempt))) return true;
  const { records } = await findMoney(deps, account, {
    bankOrderId: hint.bank_order_id,
    requestId: hint.request_id,
  });
  return records.some((record) => isHintedMoney(hint, record));
}

/** Asks about an open push by the request id that the bank gave us, never by the one in the callback. */
async function pushIsPaid(deps: HintDeps, account: BankAccount, attempt: HintedAttempt): Promise<boolean> {
  if (attempt.method !== 'MBWAY' || attempt.state !== 'open' || attempt.request_id === null) return false;
  const askedAt = deps.clock.now();
  const state = await deps.bank.inquirePush(account, attempt.request_id).catch(waitIfSilent);
  if (state.kind === 'waiting') return false;
  await deps.ledger.pushAnswered(attempt.id, state, askedAt);
  return state.kind === 'paid';
}

/** The list may still answer when the inquiry does not. */
function waitIfSilent(error: unknown): PushState {
  if (error instanceof BankSilent) return { kind: 'waiting' };
  throw error;
}

/**
 * A push has one payment. A reference can be paid again: then only a row as new as the hint is the hinted money, and
 * without a readable time in the hint every look is taken.
 */
function isHintedMoney(hint: HintRow, record: BankRecord): boolean {
  if (record.method === 'MBWAY') return true;
  const hintedAt = paidAtOf(hint);
  return hintedAt !== null && record.paidAt !== null && record.paidAt >= hintedAt;
}

function paidAtOf(hint: HintRow): number | null {
  const { payment_datetime: text } = JSON.parse(hint.params) as Record<string, string | undefined>;
  return text === undefined ? null : instantFromBankText(text);
}
