import { receiveCallback } from '../../src/banks/workers/receive-callback.ts';
import { lisbonText } from '../../src/kernel/lisbon.ts';
import { cents, decimalFromCents } from '../../src/kernel/money.ts';
import type { TrueMoney } from './bank-truth.ts';
import type { Prng } from './prng.ts';
import type { World } from './world.ts';

const TRIES = 4;
const BETWEEN_TRIES_MS = 60_000;

/** The bank's callbacks on their way: lost, repeated, reordered, falsified. */
export class Callbacks {
  readonly #world: World;
  readonly #prng: Prng;

  constructor(world: World, prng: Prng) {
    this.#world = world;
    this.#prng = prng;
  }

  /** Tells the service of money, as well as the run's faults let it. */
  send(row: TrueMoney): void {
    const prng = this.#prng;
    const faulty = prng.chance(this.#world.faults.callback);
    const fate = faulty ? prng.weighted({ lost: 3, twice: 2, later: 2, otherAmount: 2, badKey: 1 }) : 'sent';
    this.#world.count(`callback ${fate}`);
    if (fate === 'lost') return;
    const copies = fate === 'twice' ? prng.int(2, 4) : 1;
    for (let i = 0; i < copies; i++) {
      const query = this.#query(row);
      if (fate === 'otherAmount') query.set('amount', decimalFromCents(cents(prng.int(1, 99_999))));
      if (fate === 'badKey') query.set('key', 'guessed');
      const delayMs = faulty ? prng.int(0, 10 * 60_000) : prng.int(50, 2000);
      this.#deliver(query, delayMs, TRIES);
    }
  }

  /** Somebody who knows the key, or does not, claims a payment that never was. */
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
      const { life } = world;
      const again = world.time.schedule(BETWEEN_TRIES_MS, () => this.#deliver(query, 0, tries - 1));
      if (life === null || life.frozenUntil > world.time.now || life.dies('callback comes')) return;
      world.note(
        'callback',
        `${query.get('orderId')} ${query.get('amount')} ${query.get('key') === 'guessed'}`,
      );
      receiveCallback(life.deps, query).then(
        (status) => {
          again();
          const right = query.get('key') === world.callbackKey ? 200 : 403;
          if (status !== right) world.fail('a callback is taken by its key alone', `${status}`);
        },
        (error: unknown) => {
          if (!life.dead) world.fail('no call fails unexpectedly', `callback: ${String(error)}`);
        },
      );
    });
  }
}
