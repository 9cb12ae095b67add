import { sql } from 'kysely';
import type { RefundOutcome } from '../../src/banks/port.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { createRefund } from '../../src/payments/refunds/create-refund.ts';
import { createRefunds } from '../../src/payments/refunds/refunds.ts';
import { settleRefund } from '../../src/payments/refunds/settle-refund.ts';
import type { Prng } from '../sim/prng.ts';
import type { ActingDeps, Action } from './actions.ts';
import type { DemoDeps } from './fill.ts';
import { type Login, loginOf } from './people.ts';

const DAYS = 45;
const PER_METHOD_MAX = 14;
/** An IBAN of the documentation of a bank. */
const IBAN = 'PT50000201231234567890154';
const REASONS = [
  'Artigo esgotado',
  'Devolução no prazo de 14 dias',
  'Chegou danificado',
  'Encomenda em duplicado',
];
/** The bank's outcomes, which show every state; all other refunds are done. */
const OUTCOMES: readonly RefundOutcome[] = [
  { kind: 'unknown', detail: 'refund: the call timed out' },
  { kind: 'refused', reason: 'INSUFFICIENT_FUNDS' },
  { kind: 'unreachable', detail: 'connect ECONNREFUSED' },
];

/**
 * Returns refunds of some recent payments in every lasting state: MB WAY payments by the bank, Multibanco payments by transfer.
 */
export async function refundActions(deps: DemoDeps, prng: Prng, logins: readonly Login[]): Promise<Action[]> {
  const { until } = deps;
  const actions: Action[] = [];
  for (const method of ['MBWAY', 'REFERENCE'] as const) {
    const receipts = await payingReceipts(deps, method, until - DAYS * DAY_MS, until - 2 * DAY_MS);
    const step = Math.max(1, Math.floor(receipts.length / PER_METHOD_MAX));
    const some = receipts.filter((_, number) => number % step === 0).slice(0, PER_METHOD_MAX);
    for (const [place, receipt] of some.entries()) {
      const at = Math.min(receipt.recorded_at + prng.int(5, 90) * HOUR_MS, until - prng.int(2, 20) * HOUR_MS);
      const part = prng.chance(0.4) ? Math.max(1, Math.round(receipt.amount_cents * 0.4)) : null;
      const order = {
        of: { receiptId: receipt.id },
        amount: part === null ? null : cents(part),
        reason: prng.pick(REASONS),
        iban: method === 'REFERENCE' && place > 1 ? IBAN : undefined,
      };
      const by = loginOf(logins, receipt.merchant_id);
      const author = { operator: false, merchantId: receipt.merchant_id };
      const settle = method === 'MBWAY' ? send : transfer;
      const run: Action['run'] = async (then) => settle(then, await createRefund(then, author, order), place);
      actions.push({ at, by, run });
    }
  }
  return actions;
}

async function payingReceipts({ db }: DemoDeps, method: 'MBWAY' | 'REFERENCE', from: number, to: number) {
  return db.read
    .selectFrom('receipts')
    .innerJoin('transactions', 'transactions.id', 'receipts.transaction_id')
    .selectAll('receipts')
    .where('transactions.status', '=', 'paid')
    .where('receipts.recorded_at', '>', from)
    .where('receipts.recorded_at', '<', to)
    .where('receipts.method', '=', method)
    .where(sql<boolean>`late + duplicate + under + over = 0`)
    .orderBy('receipts.id', 'desc')
    .limit(20 * PER_METHOD_MAX)
    .execute();
}

/** Simulates the bank's outcome of a refund that the service sends. */
async function send(deps: ActingDeps, id: Id<'ref'>, place: number): Promise<void> {
  const { actor: _, ...service } = deps;
  const port = createRefunds(service);
  const due = (await port.dueRefunds(deps.clock.now(), PER_METHOD_MAX)).find((refund) => refund.id === id);
  if (due === undefined) throw new Error(`refund ${id} is not due`);
  await port.claim(due, null);
  await port.applyOutcome(id, OUTCOMES[place] ?? { kind: 'done' });
}

/** Simulates the operator's settlement of a refund by bank transfer; the first refunds stay pending. */
async function transfer(deps: ActingDeps, id: Id<'ref'>, place: number): Promise<void> {
  if (place < 5) return;
  const outcome = place === 5 ? 'failed' : 'done';
  const note = outcome === 'done' ? 'Transferência executada pelo banco.' : 'IBAN recusado pelo banco.';
  await settleRefund(deps, { refundId: id, outcome, note });
}
