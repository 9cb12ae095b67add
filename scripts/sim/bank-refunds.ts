import type { Answer } from '../../src/banks/exchange.ts';
import type {
  AcceptedRefundState,
  Bank,
  BankAccount,
  BankRefundOrder,
  RefundOutcome,
} from '../../src/banks/port.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { type Cents, cents } from '../../src/kernel/money.ts';
import type { TrueMoney } from './bank-state.ts';
import { drawSendingWay, exchange, noResponse } from './exchange.ts';
import { Part } from './part.ts';
import type { Service } from './service.ts';
import { sum } from './snapshot.ts';

/** A refund call in the bank's own state. It is `open` while it is in flight or accepted. */
interface TrueRefund {
  refundId: string;
  /** The bank's id of the payment. */
  requestId: string;
  amount: Cents;
  /** Whether its request was sent, or will never be sent. */
  isSent: boolean;
  state: 'open' | 'made' | 'not made';
  reason: string;
}

/** Begins the ids of the refunds that the bank made without the service. */
const ELSEWHERE = 'elsewhere-';
const REFUSALS = ['INSUFFICIENT_FUNDS', 'The refund was refused'];

/**
 * The bank's side of refunds. It makes every refund that the service requests, and the monitor checks the requests. It may
 * refuse, accept for later processing, or be unreachable.
 */
export class BankRefunds extends Part {
  /** The calls, by refund id. */
  readonly calls = new Map<string, TrueRefund>();

  /** The refunds made of one payment, or of all payments. */
  made(requestId: string | null = null): TrueRefund[] {
    return [...this.calls.values()].filter(
      (call) => call.state === 'made' && (requestId === null || call.requestId === requestId),
    );
  }

  madeCents(requestId: string | null = null): number {
    return sum(this.made(requestId).map(({ amount }) => amount));
  }

  /** Whether the bank made a refund of the payment in its back office. */
  isMadeElsewhere(requestId: string | null): boolean {
    return requestId !== null && this.made(requestId).some(({ refundId }) => refundId.startsWith(ELSEWHERE));
  }

  /**
   * Makes a refund of a push in the bank's back office, if possible of one that the service has not recorded, of an amount that no
   * other refund of the push has.
   */
  makeElsewhere(): void {
    const { bank, monitor, callbacks } = this.world;
    const { receipts, refunds } = monitor.state;
    const receiptOf = (paymentId: string) =>
      [...receipts.values()].find(({ request_id }) => request_id === paymentId);
    const pushes = bank.money.filter(({ method }) => method === 'MBWAY');
    const unrecorded = pushes.filter(({ paymentId }) => receiptOf(paymentId) === undefined);
    if (pushes.length === 0) return;
    const paid = this.prng.pick(unrecorded.length > 0 ? unrecorded : pushes);
    const { paymentId: requestId } = paid;
    const id = receiptOf(requestId)?.id;
    const left = paid.amount - this.madeCents(requestId);
    if (left === 0) return;
    const amount = cents(this.prng.int(1, left));
    const isKnown = [...refunds.values()].some((row) => row.receipt_id === id && row.amount_cents === amount);
    if (isKnown || this.made(requestId).some((made) => made.amount === amount)) return;
    const refundId = `${ELSEWHERE}${this.calls.size}`;
    this.calls.set(refundId, { refundId, requestId, amount, isSent: true, state: 'made', reason: '' });
    this.world.note('the bank refunds elsewhere', `${amount} of ${requestId}`);
    this.world.count(id === undefined ? 'refund made before its receipt' : 'refund made elsewhere');
    callbacks.sendRefund(paid, amount, true);
  }

  /** Passes the service's order to `bank`, which must send exactly this refund, once. */
  async refund(
    service: Service,
    account: BankAccount,
    order: BankRefundOrder,
    bank: Pick<Bank, 'refund'>,
  ): Promise<RefundOutcome> {
    const world = this.world;
    if (service.dead) return service.never();
    world.monitor.checkRefund(order.refundId, account.id);
    const { refundId, requestId, amount } = order;
    for (const other of this.calls.values()) if (other.requestId === requestId) other.isSent = true;
    this.calls.set(refundId, { refundId, requestId, amount, isSent: false, state: 'not made', reason: '' });
    const outcome = await bank.refund(account, order);
    world.count(`refund ${outcome.kind}`);
    if (account.acquirer === 'eupago') world.count(`eupago refund ${outcome.kind}`);
    return outcome;
  }

  /** Sends a refund to the bank. `respond` converts the bank's decision to its response. */
  send(
    service: Service,
    sent: Pick<TrueMoney, 'acquirer' | 'paymentId' | 'amount' | 'listKey'>,
    respond: (outcome: RefundOutcome) => Answer,
  ): Promise<Answer> {
    const world = this.world;
    const call = [...this.calls.values()].find(
      (one) => one.requestId === sent.paymentId && one.amount === sent.amount && !one.isSent,
    );
    if (call === undefined) {
      world.fail('no refund is sent twice', `${sent.amount} of ${sent.paymentId}`);
      return service.never();
    }
    call.isSent = true;
    const { failure, ...way } = drawSendingWay(world, this.prng, world.faults.refund);
    const answer = exchange<Answer>(service, world, {
      name: 'refund',
      ...way,
      work: () => respond(this.#decide(call, sent)),
      failure: () => noResponse(failure),
    });
    // Otherwise the process died before it sent the call, or the call never arrives.
    if (!service.dead && way.arrivesMs !== null) call.state = 'open';
    return answer;
  }

  stateOf(bankRefundId: string): AcceptedRefundState {
    const call = this.calls.get(bankRefundId.replace(/^bank-/, ''));
    if (call === undefined || call.state === 'open') return { kind: 'waiting' };
    return call.state === 'made' ? { kind: 'done' } : { kind: 'refused', reason: call.reason };
  }

  /** Only EuPago accepts a refund for later processing. */
  #decide(call: TrueRefund, { acquirer, listKey }: Pick<TrueMoney, 'acquirer' | 'listKey'>): RefundOutcome {
    const world = this.world;
    const prng = this.prng;
    const paid = world.bank.money.find(({ paymentId }) => paymentId === call.requestId);
    if (paid?.method !== 'MBWAY' || paid.listKey !== listKey || paid.acquirer !== acquirer) {
      world.fail('a refund goes to the account that received the money', call.refundId);
      return this.#refuse(call);
    }
    if (prng.chance(world.faults.refund / 2)) return this.#refuse(call);
    if (acquirer === 'ifthenpay' || prng.chance(0.5)) return this.#make(call, paid);
    const isRefused = prng.chance(0.3);
    world.time.schedule(prng.int(0, 20 * MINUTE_MS), () => {
      if (isRefused) this.#refuse(call);
      else this.#make(call, paid);
    });
    return { kind: 'accepted', refundId: `bank-${call.refundId}` };
  }

  #refuse(call: TrueRefund): RefundOutcome {
    call.state = 'not made';
    call.reason = this.prng.pick(REFUSALS);
    return { kind: 'refused', reason: call.reason };
  }

  #make(call: TrueRefund, paid: TrueMoney): RefundOutcome {
    const world = this.world;
    call.state = 'made';
    const { requestId, amount } = call;
    // The service cannot know of a refund made elsewhere, but its own never exceed the payment.
    const own = this.made(requestId).filter(({ refundId }) => !refundId.startsWith(ELSEWHERE));
    const fits = sum(own.map((one) => one.amount)) <= paid.amount;
    const madeCents = this.madeCents(requestId);
    if (fits && madeCents > paid.amount) return this.#refuse(call);
    world.note('bank refunds', `${call.refundId} ${amount}`);
    if (madeCents > paid.amount)
      world.fail('never more goes back than came in', `${requestId}: ${madeCents}`);
    world.callbacks.sendRefund(paid, amount);
    return { kind: 'done' };
  }
}
