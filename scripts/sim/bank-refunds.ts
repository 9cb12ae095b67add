import type { IfthenpayCredentials } from '../../src/banks/ifthenpay/profile.ts';
import {
  type AcceptedRefundState,
  type BankRefundOrder,
  BankUnavailable,
  type RefundOutcome,
} from '../../src/banks/port.ts';
import type { Cents } from '../../src/kernel/money.ts';
import { drawWay, exchange } from './exchange.ts';
import type { Prng } from './prng.ts';
import type { Service } from './service.ts';
import { sum } from './snapshot.ts';
import type { World } from './world.ts';

/** A refund call in the bank's own state. It is `open` while it is under way or accepted. */
interface TrueRefund {
  refundId: string;
  requestId: string;
  amount: Cents;
  state: 'open' | 'made' | 'not made';
  reason: string;
}

const MINUTE_MS = 60_000;
const REFUSALS = ['INSUFFICIENT_FUNDS', 'The refund was refused'];

/**
 * The bank's side of refunds: it makes every refund that it is asked for, and the monitor checks what it was asked. It may refuse, accept
 * for later, or never be reached.
 */
export class BankRefunds {
  /** The calls, by refund id. */
  readonly calls = new Map<string, TrueRefund>();
  readonly #world: World;
  readonly #prng: Prng;

  constructor(world: World, prng: Prng) {
    this.#world = world;
    this.#prng = prng;
  }

  /** The sum that went back of a payment, or of all. */
  madeCents(requestId: string | null = null): number {
    return sum(this.#made(requestId).map(({ amount }) => amount));
  }

  /** How many refunds of this payment and amount were made. */
  madeCount(requestId: string | null, amount: number): number {
    return this.#made(requestId).filter((call) => call.amount === amount).length;
  }

  async refund(
    service: Service,
    credentials: IfthenpayCredentials,
    order: BankRefundOrder,
  ): Promise<RefundOutcome> {
    const world = this.#world;
    if (service.dead) return service.never();
    world.monitor.refundLeaves(order.refundId);
    const { refundId, requestId, amount } = order;
    const call: TrueRefund = { refundId, requestId, amount, state: 'open', reason: '' };
    this.calls.set(refundId, call);
    const prng = this.#prng;
    const faults = world.faults.refund;
    const isUnreachable = prng.chance(faults / 4);
    const way = isUnreachable
      ? { arrivesMs: null, answersMs: null, failsMs: prng.int(1, 1000) }
      : drawWay(world, prng, faults);
    const answer = exchange<RefundOutcome>(service, world, {
      name: 'refund',
      ...way,
      work: () => this.#decide(call, credentials),
      noAnswer: () => ({ kind: isUnreachable ? 'unreachable' : 'unknown', detail: 'simulated' }),
    });
    // The process died before it sent the call, or the call never arrives.
    if (service.dead || way.arrivesMs === null) call.state = 'not made';
    const outcome = await answer;
    world.count(`refund ${outcome.kind}`);
    return outcome;
  }

  inquire(service: Service, bankRefundId: string): Promise<AcceptedRefundState> {
    return exchange<AcceptedRefundState>(service, this.#world, {
      name: 'refund inquiry',
      ...drawWay(this.#world, this.#prng, this.#world.faults.question),
      work: () => {
        const call = this.calls.get(bankRefundId.replace(/^bank-/, ''));
        if (call === undefined || call.state === 'open') return { kind: 'waiting' };
        return call.state === 'made' ? { kind: 'done' } : { kind: 'refused', reason: call.reason };
      },
      noAnswer: () => {
        throw new BankUnavailable('simulated silence');
      },
    });
  }

  #decide(call: TrueRefund, { backofficeKey }: IfthenpayCredentials): RefundOutcome {
    const world = this.#world;
    const prng = this.#prng;
    const paid = world.bank.money.find(({ requestId }) => requestId === call.requestId);
    if (paid?.method !== 'MBWAY' || paid.backofficeKey !== backofficeKey)
      world.fail('a refund goes to the account that received the money', call.refundId);
    if (prng.chance(world.faults.refund / 3)) return this.#refuse(call);
    if (!prng.chance(0.2)) return this.#make(call);
    const isRefused = prng.chance(0.3);
    world.time.schedule(prng.int(0, 20 * MINUTE_MS), () => {
      if (isRefused) this.#refuse(call);
      else this.#make(call);
    });
    return { kind: 'accepted', refundId: `bank-${call.refundId}` };
  }

  #refuse(call: TrueRefund): RefundOutcome {
    call.state = 'not made';
    call.reason = this.#prng.pick(REFUSALS);
    return { kind: 'refused', reason: call.reason };
  }

  #make(call: TrueRefund): RefundOutcome {
    const world = this.#world;
    call.state = 'made';
    const { requestId, amount } = call;
    const paid = world.bank.money.find((row) => row.requestId === requestId);
    world.note('bank refunds', `${call.refundId} ${amount}`);
    if (paid === undefined || this.madeCents(requestId) > paid.amount)
      world.fail('never more goes back than came in', `${requestId}: ${this.madeCents(requestId)}`);
    if (paid !== undefined) world.callbacks.sendRefund(paid, amount);
    return { kind: 'done' };
  }

  #made(requestId: string | null): TrueRefund[] {
    return [...this.calls.values()].filter(
      (call) => call.state === 'made' && (requestId === null || call.requestId === requestId),
    );
  }
}
