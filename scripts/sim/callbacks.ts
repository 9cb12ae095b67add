import type { CallbackRequest } from '../../src/banks/port.ts';
import { receiveCallback } from '../../src/banks/workers/receive-callback.ts';
import type { Acquirer } from '../../src/kernel/acquirer.ts';
import { lisbonText } from '../../src/kernel/lisbon.ts';
import { cents, decimalFromCents } from '../../src/kernel/money.ts';
import { fiveDecimals, localTime, signedRequest } from '../../src/sandbox/eupago/notifications.ts';
import { CALLBACK_KEY, channelOf } from './accounts.ts';
import type { TrueMoney } from './bank-state.ts';
import { failCall } from './calls.ts';
import { Part } from './part.ts';

const TRIES = 4;
const BETWEEN_TRIES_MS = 60_000;

type Announced = Omit<TrueMoney, 'method' | 'paidOrderId' | 'paymentDate' | 'shownFrom'>;

/** The bank's timestamp of a refund, and EuPago's id of it. */
interface RefundTold {
  at: number;
  trid: number;
}

interface Message {
  acquirer: Acquirer;
  request: CallbackRequest;
  isGenuine: boolean;
  /** As shown in the trace. */
  text: string;
}

const UNKNOWN_ORDER = {
  acquirer: 'ifthenpay' as const,
  methodKey: '',
  listKey: '',
  orderId: 'UNKNOWNORDER000',
  requestId: 'none',
  amount: cents(100),
};

/** The bank's callbacks: lost, repeated, reordered, forged. */
export class Callbacks extends Part {
  #refundIds = 0;

  /** Sends the callback of a payment, subject to the faults. */
  send(row: TrueMoney): void {
    const prng = this.prng;
    const faulty = prng.chance(this.world.faults.callback);
    const outcome = faulty
      ? prng.weighted({ lost: 3, twice: 2, later: 2, otherAmount: 2, badKey: 1 })
      : 'sent';
    this.world.count(`callback ${outcome}`);
    if (outcome === 'lost') return;
    const copies = outcome === 'twice' ? prng.int(2, 4) : 1;
    for (let i = 0; i < copies; i++) {
      const amount = outcome === 'otherAmount' ? cents(prng.int(1, 99_999)) : row.amount;
      const delayMs = faulty ? prng.int(0, 10 * 60_000) : prng.int(50, 2000);
      this.#deliver(this.#message({ ...row, amount }, outcome !== 'badKey'), delayMs, TRIES);
    }
  }

  /**
   * Sends the notification of a refund, subject to the faults; a reliable one is repeated until the service acknowledges it.
   * ifthenpay's time is the payment's or the refund's.
   */
  sendRefund(paid: TrueMoney, amount: TrueMoney['amount'], isReliable = false): void {
    const prng = this.prng;
    const faulty = !isReliable && prng.chance(this.world.faults.refund);
    const outcome = faulty ? prng.weighted({ lost: 3, twice: 3, later: 2, badKey: 1 }) : 'sent';
    this.world.count(`refund callback ${outcome}`);
    if (outcome === 'lost') return;
    const at = prng.chance(0.7) ? this.world.time.now : paid.paidAt;
    this.#refundIds += 1;
    const refund = { at, trid: this.#refundIds };
    const message = this.#message({ ...paid, amount }, outcome !== 'badKey', refund);
    const tries = isReliable ? Number.POSITIVE_INFINITY : TRIES;
    for (let copies = outcome === 'twice' ? prng.int(2, 4) : 1; copies > 0; copies--)
      this.#deliver(message, prng.int(0, faulty ? 10 * 60_000 : 1000), tries);
  }

  /** Sends a callback for a payment that does not exist, with or without the valid key. */
  forge(): void {
    const prng = this.prng;
    const { bank, time } = this.world;
    const known = [...bank.pushes, ...bank.references];
    const target = known.length === 0 ? UNKNOWN_ORDER : prng.pick(known);
    const requestId = prng.chance(0.5) ? target.requestId : 'forged';
    const row = { entity: 'MBWAY', reference: null, ...target, requestId, paymentId: '1', paidAt: time.now };
    this.world.count('callback forged');
    this.#deliver(this.#message(row, prng.chance(0.7)), 0, 1);
  }

  #message(row: Announced, isGenuine: boolean, refund?: RefundTold): Message {
    const { acquirer } = row;
    const text = `${row.orderId} ${row.amount} ${refund === undefined ? '' : 'back '}${isGenuine}`;
    const request =
      acquirer === 'eupago' ? this.#signed(row, isGenuine, refund) : this.#query(row, isGenuine, refund);
    return { acquirer, isGenuine, text, request };
  }

  #query(row: Announced, isGenuine: boolean, refund: RefundTold | undefined): CallbackRequest {
    const query = new URLSearchParams({
      key: isGenuine ? CALLBACK_KEY : 'guessed',
      orderId: row.orderId,
      amount: decimalFromCents(row.amount),
      // The bank does not escape a `+`.
      requestId: row.requestId.replaceAll('+', ' '),
      entity: row.entity,
      reference: row.reference ?? '',
      payment_datetime: lisbonText(refund?.at ?? row.paidAt),
      status: refund === undefined ? 'PAGO' : 'DEVOLVIDO',
    });
    return { method: 'GET', headers: {}, query, body: Buffer.alloc(0) };
  }

  /** EuPago's notification, plain or encrypted; a refund has its own id. */
  #signed(row: Announced, isGenuine: boolean, refund: RefundTold | undefined): CallbackRequest {
    const prng = this.prng;
    const isPush = row.reference === null;
    const transaction = {
      identifier: row.orderId,
      reference: row.reference ?? row.requestId,
      entity: isPush ? null : row.entity,
      amount: { value: prng.chance(0.5) ? fiveDecimals(row.amount) : row.amount / 100, currency: 'EUR' },
      date: localTime(refund?.at ?? row.paidAt).join(' '),
      ...(refund === undefined
        ? { method: isPush ? 'MW:PT' : 'PC:PT', trid: Number(row.paymentId), status: 'Paid' }
        : { method: 'RB:PT', trid: refund.trid, originalTrid: Number(row.paymentId), status: 'REFUNDED' }),
    };
    const { headers, body } = signedRequest(
      { webhook_key: channelOf(row.methodKey).webhookKey, encrypts: prng.chance(0.3) ? 1 : 0 },
      {
        flavour: isGenuine ? 'true' : 'bad-key',
        body: JSON.stringify({ channel: { name: 'simulated' }, transaction }),
      },
      prng.bytes,
    );
    return { method: 'POST', headers, query: new URLSearchParams(), body: Buffer.from(body) };
  }

  #deliver(message: Message, delayMs: number, tries: number): void {
    if (tries === 0) return;
    const world = this.world;
    world.time.schedule(delayMs, () => {
      const again = world.time.schedule(BETWEEN_TRIES_MS, () => this.#deliver(message, 0, tries - 1));
      const service = world.accepting('callback');
      if (service === null) return;
      world.note('callback', message.text);
      receiveCallback({ ...service.deps, refunds: service.refunds }, message.acquirer, message.request).then(
        (status) => {
          again();
          const right = message.isGenuine ? 200 : 403;
          if (status !== right) world.fail('a callback is taken by its key alone', `${status}`);
        },
        (error: unknown) => failCall(world, service, 'callback', error),
      );
    });
  }
}
