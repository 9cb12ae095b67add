import { setBankAccount } from '../../src/banks/set-account.ts';
import { HOUR_MS } from '../../src/kernel/clock.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { type MerchantSettings, setMerchant } from '../../src/merchants/set-merchant.ts';
import { assignReceipt } from '../../src/payments/exceptions/assign-receipt.ts';
import { creditTransaction } from '../../src/payments/exceptions/credit-transaction.ts';
import { keepReceipt, markReturned } from '../../src/payments/exceptions/settle-receipt.ts';
import { releaseTransaction } from '../../src/payments/release.ts';
import { restartAutoRecovery } from '../../src/webhooks/recovery/auto-recovery.ts';
import { recoverEvents } from '../../src/webhooks/recovery/recover-events.ts';
import { resendDelivery } from '../../src/webhooks/resend.ts';
import { sendTestEvent } from '../../src/webhooks/test-event.ts';
import { contract } from './accounts.ts';
import { alike } from './bank-state.ts';
import { failCall } from './calls.ts';
import { OperatorRefunds } from './operator-refunds.ts';
import { Part } from './part.ts';
import type { Service } from './service.ts';
import { attemptOfOrder, paysAlone, type ReceiptView, receiptsOf, sum } from './snapshot.ts';
import type { ShopId } from './world.ts';

const OPERATOR = { merchantId: null, operator: true };

/** The operator: holds, releases, credits, assigns, returns, resends, and changes settings. */
export class Operator extends Part {
  /** Transactions to release or credit, and receipts to assign with their transaction. */
  readonly requested = {
    release: new Set<string>(),
    credit: new Set<string>(),
    assign: new Set<string>(),
  };
  readonly refunds = new OperatorRefunds(this.world, this.prng.fork('refunds'));

  /** The start of the operator's recoveries, which no automatic recovery uses. */
  get recoversSince(): number {
    return this.world.scenario.startAt - HOUR_MS;
  }

  randomAction(): void {
    const action = this.prng.choose<() => void>({
      holdOn: [3, () => this.#set({ hold: true })],
      holdOff: [2, () => this.#set({ hold: false })],
      release: [4, () => this.release(this.#anyTransaction())],
      credit: [3, () => this.credit(this.#creditable() ?? this.#underpaid() ?? this.#anyTransaction())],
      resend: [3, () => this.#resend()],
      recover: [2, () => this.#recover()],
      test: [1, () => this.test(this.prng.pick(this.world.shops).id)],
      assign: [3, () => this.#assign(this.#receipt(({ unmatched }) => unmatched === 1))],
      giveBack: [3, () => this.#return(this.#receipt((row) => row.over === 1 || !paysAlone(row)))],
      keep: [2, () => this.#keep(this.#receipt((row) => row.late === 1 || row.over === 1))],
      account: [1, () => this.#account()],
      webhookOff: [1, () => this.#set({ webhookEnabled: false })],
      webhookOn: [2, () => this.#set({ webhookEnabled: true })],
      recoverOff: [1, () => this.#set({ autoRecover: false, customerMails: false, alerts: false })],
      recoverOn: [2, () => this.#set({ autoRecover: true, customerMails: true, alerts: true })],
    });
    action();
  }

  release(id: string | null): void {
    if (id === null) return;
    this.requested.release.add(id);
    this.run('release', (service) => releaseTransaction(service.deps, id));
  }

  credit(id: string | null): void {
    if (id === null) return;
    this.requested.credit.add(id);
    this.run('credit', (service) => creditTransaction(service.deps, id));
  }

  /** Plans a credit after a payment of too little. */
  onUnderpaid(): void {
    const { time } = this.world;
    if (this.prng.chance(0.7)) time.schedule(this.prng.int(1000, HOUR_MS), () => this.creditAny());
  }

  /** Credits a transaction whose receipts suffice, or tries one whose receipts do not. */
  creditAny(): void {
    this.credit(this.#creditable() ?? this.#underpaid());
  }

  /** Settles every open exception as its flags allow. */
  async settleAll(settled: () => Promise<void>): Promise<void> {
    const { monitor } = this.world;
    await this.refunds.settleAll(settled);
    for (const id of [...monitor.state.receipts.keys()]) {
      const open = () => {
        const row = monitor.state.receipts.get(id);
        return row !== undefined && row.settlement === null ? row : null;
      };
      if (open()?.unmatched === 1 && this.prng.chance(0.7)) this.#assign(open());
      await settled();
      const row = open();
      if (row === null) continue;
      if (row.over === 1) this.#return(row);
      else if (paysAlone(row)) {
        if (row.late === 1) this.#keep(row);
      } else if (row.under === 1 && this.prng.chance(0.5)) this.credit(row.transaction_id);
      await settled();
      const left = open();
      if (left !== null && !paysAlone(left)) this.#return(left);
      await settled();
    }
  }

  /** Assigns a receipt to the transaction that the customer paid, or by mistake to another. */
  #assign(receipt: ReceiptView | null): void {
    if (receipt === null) return;
    const { bank, monitor } = this.world;
    const money = bank.money.find((row) => alike(row) === receipt.identity);
    const paid = attemptOfOrder(monitor.state, money?.paidOrderId);
    const target = paid !== undefined && this.prng.chance(0.7) ? paid.transaction_id : this.#anyTransaction();
    if (target === null) return;
    this.requested.assign.add(`${receipt.id} ${target}`);
    const order = { receiptId: receipt.id, transactionId: target, note: 'by phone' };
    this.run('assign', (service) => assignReceipt(service.deps, order));
  }

  #return(receipt: ReceiptView | null): void {
    if (receipt === null) return;
    const due = this.world.monitor.state.transactions.get(receipt.transaction_id ?? '')?.amount_cents ?? 0;
    const amountCents = paysAlone(receipt) ? receipt.amount_cents - due : receipt.amount_cents;
    const order = { receiptId: receipt.id, amountCents, note: 'by transfer' };
    this.run('return', (service) => markReturned(service.deps, OPERATOR, order));
  }

  #keep(receipt: ReceiptView | null): void {
    if (receipt === null) return;
    const order = { receiptId: receipt.id, note: '' };
    this.run('keep', (service) => keepReceipt(service.deps, OPERATOR, order));
  }

  /** Sets new bank credentials; existing attempts keep their account. */
  #account(): void {
    const world = this.world;
    const own = this.prng.chance(0.5) ? this.prng.pick(world.shops).id : null;
    const credentials = contract(this.prng.int(10, 999_999));
    this.run('account', (service) => setBankAccount(service.deps, { merchantId: own, credentials }));
  }

  #receipt(kind: (row: ReceiptView) => boolean): ReceiptView | null {
    return this.prng.pickMostly(this.world.monitor.state.receipts, kind);
  }

  #set(settings: MerchantSettings): void {
    const shop = this.prng.pick(this.world.shops);
    this.run(JSON.stringify(settings), (service) =>
      setMerchant(service.deps, shop.id, settings, restartAutoRecovery),
    );
  }

  #resend(): void {
    const { deliveries } = this.world.monitor.state;
    const delivery = this.prng.pickMostly(deliveries, ({ state }) => state === 'undelivered');
    if (delivery !== null) this.run('resend', (service) => resendDelivery(service.deps, delivery.id));
  }

  #recover(): void {
    const merchantId = this.prng.pick(this.world.shops).id;
    const order = { merchantId, since: this.recoversSince, latest: this.prng.chance(0.3) };
    this.run('recover', async (service) => {
      for await (const _ of recoverEvents(service.deps, order));
    });
  }

  test(shop: ShopId): void {
    this.run('test event', (service) => sendTestEvent(service.deps, shop));
  }

  #creditable(): string | null {
    const { state } = this.world.monitor;
    for (const { id, status, held, amount_cents: due } of state.transactions.values()) {
      const received = sum(receiptsOf(state, id).map((row) => row.amount_cents));
      if (status !== 'paid' && held === 0 && received >= due) return id;
    }
    return null;
  }

  #underpaid(): string | null {
    const { transactions, receipts } = this.world.monitor.state;
    const under = [...receipts.values()].find(
      (row) => row.under === 1 && transactions.get(row.transaction_id ?? '')?.status !== 'paid',
    );
    return under?.transaction_id ?? null;
  }

  #anyTransaction(): ReceiptView['transaction_id'] {
    return this.prng.pickMostly(this.world.monitor.state.transactions)?.id ?? null;
  }

  /** Runs an action, if a process accepts the call. */
  run(name: string, work: (service: Service) => Promise<unknown>): void {
    const world = this.world;
    const service = world.accepting('operator');
    if (service === null) return;
    world.note('operator', name);
    work(service).then(
      () => world.count(`operator ${name}`),
      (error: unknown) => {
        if (!(error instanceof OperatorError)) failCall(world, service, name, error);
      },
    );
  }
}
