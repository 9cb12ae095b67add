import { receiveCallback } from '../../src/banks/workers/receive-callback.ts';
import { lisbonText } from '../../src/kernel/lisbon.ts';
import { cents, decimalFromCents } from '../../src/kernel/money.ts';
import type { TrueMoney } from './bank-state.ts';
import type { Prng } from './prng.ts';
import type { World } from './world.ts';

const TRIES = 4;
const BETWEEN_TRIES_MS = 60_000;

/** The bank's callbacks: lost, repeated, reordered, falsified. */
export class Callbacks {
  readonly #world: World;
  readonly #prng: Prng;

  constructor(world: World, prng: Prng) {
    this.#world = world;
    this.#prng = prng;
  }

  /** Sends the callback of a payment, subject to the faults. */
  send(row: TrueMoney): void {
    const prng = this.#prng;
    const faulty = prng.chance(this.#world.faults.callback);
    const outcome = faulty
      ? prng.weighted({ lost: 3, twice: 2, later: 2, otherAmount: 2, badKey: 1 })
      : 'sent';
    this.#world.count(`callback ${outcome}`);
    if (outcome === 'lost') return;
    const copies = outcome === 'twice' ? prng.int(2, 4) : 1;
    for (let i = 0; i < copies; i++) {
      const query = this.#query(row);
      if (outcome === 'otherAmount') query.set('amount', decimalFromCents(cents(prng.int(1, 99_999))));
      if (outcome === 'badKey') query.set('key', 'guessed');
      const delayMs = faulty ? prng.int(0, 10 * 60_000) : prng.int(50, 2000);
      this.#deliver(query, delayMs, TRIES);
    }
  }

  /** Sends the notification of a refund, subject to the faults. The bank's time is the payment's or the refund's. */
  sendRefund(paid: TrueMoney, amount: TrueMoney['amount']): void {
    const prng = this.#prng;
    const faulty = prng.chance(this.#world.faults.refund);
    const outcome = faulty ? prng.weighted({ lost: 3, twice: 3, later: 2, badKey: 1 }) : 'sent';
    this.#world.count(`refund callback ${outcome}`);
    if (outcome === 'lost') return;
    const query = this.#query({ ...paid, amount });
    query.set('status', 'DEVOLVIDO');
    if (prng.chance(0.7)) query.set('payment_datetime', lisbonText(this.#world.time.now));
    if (outcome === 'badKey') query.set('key', 'guessed');
    for (let copies = outcome === 'twice' ? prng.int(2, 4) : 1; copies > 0; copies--)
      this.#deliver(query, faulty ? prng.int(0, 10 * 60_000) : prng.int(0, 1000), TRIES);
  }

  /** Sends a callback for a payment that does not exist, with or without the right key. */
  forge(): void {
    const prng = this.#prng;
    const { bank } = this.#world;
    const known = [...bank.pushes, ...bank.references];
    const target = known.length === 0 ? null : prng.pick(known);
    const query = new URLSearchParams({
      key: prng.chance(0.7) ? this.#world.callbackKey : 'guessed',
      orderId: target?.orderId ?? 'NOBODYSORDER000',
      amount: target === null ? '1.00' : decimalFromCents(target.amount),
      requestId: prng.chance(0.5) ? (target?.requestId ?? 'none') : 'forged',
      payment_datetime: lisbonText(this.#world.time.now),
    });
    this.#world.count('callback forged');
    this.#deliver(query, 0, 1);
  }

  #query(row: TrueMoney): URLSearchParams {
    return new URLSearchParams({
      key: this.#world.callbackKey,
      orderId: row.orderId,
      amount: decimalFromCents(row.amount),
      requestId: row.requestId,
      entity: row.entity,
      reference: row.reference ?? '',
      payment_datetime: lisbonText(row.paidAt),
      status: 'PAGO',
    });
  }

  #deliver(query: URLSearchParams, delayMs: number, tries: number): void {
    if (tries === 0) return;
    const world = this.#world;
    world.time.schedule(delayMs, () => {
      const { service } = world;
      const request = { method: 'GET', headers: {}, query, body: Buffer.alloc(0) };
      const again = world.time.schedule(BETWEEN_TRIES_MS, () => this.#deliver(query, 0, tries - 1));
      if (service === null || service.frozenUntil > world.time.now || service.crashes('callback comes'))
        return;
      world.note(
        'callback',
        `${query.get('orderId')} ${query.get('amount')} ${query.get('key') === 'guessed'}`,
      );
      receiveCallback({ ...service.deps, refunds: service.refunds }, 'ifthenpay', request).then(
        (status) => {
          again();
          const right = query.get('key') === world.callbackKey ? 200 : 403;
          if (status !== right) world.fail('a callback is taken by its key alone', `${status}`);
        },
        (error: unknown) => {
          if (!service.dead) world.fail('no call fails unexpectedly', `callback: ${String(error)}`);
        },
      );
    });
  }
}
