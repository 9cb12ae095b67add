import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { type Cents, cents } from '../../src/kernel/money.ts';
import type { Author } from '../../src/payments/exceptions/exception.ts';
import { createRefund } from '../../src/payments/refunds/create-refund.ts';
import { dismissReported, recordReported } from '../../src/payments/refunds/reported.ts';
import { retryRefund } from '../../src/payments/refunds/retry-refund.ts';
import { settleRefund } from '../../src/payments/refunds/settle-refund.ts';
import { Part } from './part.ts';
import type { ReceiptView, RefundView } from './snapshot.ts';

/** Refunds by the operator and by merchants' owners; the operator settles unknown refunds according to the bank. */
export class OperatorRefunds extends Part {
  /** Runs one random action, or two at once. */
  randomAction(): void {
    const act = this.prng.weighted({ create: 7, twice: 2, retry: 3, settle: 2, elsewhere: 1, report: 1 });
    if (act === 'elsewhere') this.world.bank.refunds.makeElsewhere();
    else if (act === 'report')
      this.#settleReport(this.prng.pickMostly(this.world.monitor.state.reported_refunds)?.id, 'record');
    else if (act === 'retry') this.#retry();
    else if (act === 'settle') this.#settle(this.#refund((row) => this.#outcome(row) !== null));
    else for (const receipt of Array(act === 'twice' ? 2 : 1).fill(this.#receipt())) this.#create(receipt);
  }

  /** Plans a refund soon after a payment arrived. */
  onReceipt(): void {
    const { time, scenario, healthy } = this.world;
    if (scenario.refundActions === 0 || healthy || !this.prng.chance(0.6)) return;
    time.schedule(this.prng.int(0, 5 * MINUTE_MS), () => this.#create(this.#receipt()));
  }

  /** Settles refunds by transfer, and most unknown ones. */
  async settleAll(settled: () => Promise<void>): Promise<void> {
    for (const { id } of [...this.world.monitor.state.refunds.values()]) {
      const row = this.world.monitor.state.refunds.get(id);
      if (row?.state === 'awaiting_transfer' || this.prng.chance(0.7)) this.#settle(row ?? null);
      await settled();
    }
    for (const id of this.world.monitor.state.reported_refunds.keys()) {
      for (const how of ['record', 'dismiss'] as const) {
        this.#settleReport(id, how);
        await settled();
      }
    }
  }

  #create(receipt: ReceiptView | null): void {
    if (receipt === null) return;
    const prng = this.prng;
    const rest = receipt.amount_cents - receipt.refund_cents;
    const size = prng.weighted({ all: 3, part: 4, half: 2, above: 1 });
    const amounts: Record<typeof size, Cents | null> = {
      all: null,
      part: cents(prng.int(1, Math.max(1, rest))),
      // Equal refunds of one receipt, whose notifications are identical.
      half: cents(Math.max(1, Math.floor(receipt.amount_cents / 2))),
      above: cents(rest + prng.int(1, 100)),
    };
    const { id: receiptId, transaction_id: transactionId } = receipt;
    const of = transactionId !== null && prng.chance(0.3) ? { transactionId } : { receiptId };
    const order = { of, amount: amounts[size] };
    this.world.operator.run('refund', (service) => createRefund(service.deps, this.#author(receipt), order));
  }

  #retry(): void {
    const refund = this.#refund(({ state }) => state === 'failed');
    if (refund === null) return;
    this.world.operator.run('refund retry', (service) =>
      retryRefund(service.deps, this.#author(null), refund.id),
    );
  }

  /** Settles the report of a refund that was made elsewhere, unless it is settled. */
  #settleReport(id: string | undefined, how: 'record' | 'dismiss'): void {
    const report = this.world.monitor.state.reported_refunds.get(id ?? '');
    if (report?.settled_at !== null) return;
    const order = { reportId: report.id, note: 'the bank says so' };
    this.world.operator.run(`refund ${how}`, async ({ deps }) => {
      if (how === 'record') await recordReported(deps, order);
      else await dismissReported(deps, order);
    });
  }

  #settle(refund: RefundView | null): void {
    const outcome = refund === null ? null : this.#outcome(refund);
    if (refund === null || outcome === null) return;
    const order = { refundId: refund.id, outcome, note: 'the bank says so' };
    this.world.operator.run('refund settle', (service) => settleRefund(service.deps, order));
  }

  /** The outcome of the refund that the operator finds out; null while the bank may still make it. */
  #outcome({ id, state }: RefundView): 'done' | 'failed' | null {
    if (state === 'awaiting_transfer') return this.prng.pick(['done', 'done', 'failed']);
    const call = this.world.bank.refunds.calls.get(id);
    // A process that died before the call sent nothing.
    if (call === undefined) return state === 'unknown' ? 'failed' : null;
    if (call.state === 'open') return null;
    return call.state === 'made' ? 'done' : 'failed';
  }

  #author(receipt: ReceiptView | null): Author {
    const merchantId = receipt?.merchant_id ?? null;
    const isOwner = merchantId !== null && this.prng.chance(0.3);
    return isOwner ? { merchantId, operator: false } : { merchantId: null, operator: true };
  }

  /** Returns a receipt with money left to refund, mostly of a push, or any receipt. */
  #receipt(): ReceiptView | null {
    const rows = [...this.world.monitor.state.receipts.values()];
    const left = rows.filter((row) => row.refund_cents < row.amount_cents);
    const byBank = left.filter(({ method }) => method === 'MBWAY');
    const chosen = this.prng.weighted({ byBank: 6, left: 3, rows: 1 });
    const list = { byBank, left, rows }[chosen];
    return list.length === 0 ? null : this.prng.pick(list);
  }

  #refund(kind: (row: RefundView) => boolean): RefundView | null {
    return this.prng.pickMostly(this.world.monitor.state.refunds, kind);
  }
}
