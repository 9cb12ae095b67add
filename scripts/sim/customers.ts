import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { cents } from '../../src/kernel/money.ts';
import type { TruePush, TrueReference } from './bank-state.ts';
import { Part } from './part.ts';

/** The customers: they accept, reject, ignore, and pay late, twice, too much or too little. */
export class Customers extends Part {
  onPush(push: TruePush): void {
    const prng = this.prng;
    const { mbwayWindowMs, mbwayGraceMs } = this.world.scenario.settings;
    const lapsesMs = mbwayWindowMs + mbwayGraceMs;
    const plan = prng.choose<() => void>({
      accept: [8, () => this.#answer(push, prng.int(0, mbwayWindowMs), 'paid')],
      reject: [3, () => this.#answer(push, prng.int(0, mbwayWindowMs), 'rejected')],
      decline: [1, () => this.#answer(push, prng.int(0, 5000), 'declined')],
      never: [4, () => {}],
      inGrace: [2, () => this.#answer(push, mbwayWindowMs + prng.int(0, mbwayGraceMs), 'paid')],
      late: [2, () => this.#answer(push, lapsesMs + prng.int(0, 30_000), 'paid')],
      veryLate: [1, () => this.#answer(push, lapsesMs + prng.int(0, 60 * MINUTE_MS), 'paid')],
    });
    plan();
  }

  /** Plans payments of a reference, even if it was never shown. */
  onReference(reference: TrueReference): void {
    const prng = this.prng;
    const times = prng.weighted({ 0: 4, 1: 5, 2: 2, 3: 1 });
    for (let i = 0; i < Number(times); i++) this.#pay(reference, this.#whenToPay(reference));
  }

  /** Plans payments of a transaction that failed or was cancelled. */
  onEnded(orderIds: ReadonlySet<string>): void {
    const prng = this.prng;
    const { bank } = this.world;
    if (this.world.healthy || !prng.chance(0.5)) return;
    for (const push of bank.pushes)
      if (orderIds.has(push.orderId)) this.#answer(push, prng.int(0, 15_000), 'paid');
    for (const reference of bank.references) {
      if (orderIds.has(reference.orderId) && prng.chance(0.5)) this.#pay(reference, prng.int(0, 15_000));
    }
  }

  #whenToPay(reference: TrueReference): number {
    const prng = this.prng;
    const left = Math.max(1000, reference.expiresAt - this.world.time.now);
    const draw = prng.choose<() => number>({
      soon: [4, () => prng.int(1000, Math.min(left, 10 * MINUTE_MS))],
      someTime: [3, () => prng.int(1000, left)],
      lastMinute: [1, () => left + prng.int(-5000, 5000)],
      afterExpiry: [2, () => left + prng.int(0, 150 * MINUTE_MS)],
      muchLater: [1, () => left + prng.int(0, 30 * 60 * MINUTE_MS)],
    });
    return draw();
  }

  #pay(reference: TrueReference, inMs: number): void {
    const prng = this.prng;
    const kind = prng.weighted({ exact: 8, less: 2, half: 3, more: 1 });
    this.#payIn(reference, inMs, kind);
    if (kind === 'half' && prng.chance(0.6)) this.#payIn(reference, inMs + prng.int(0, 30 * MINUTE_MS), kind);
  }

  #payIn(reference: TrueReference, inMs: number, kind: 'exact' | 'less' | 'half' | 'more'): void {
    const prng = this.prng;
    const { time } = this.world;
    const due = reference.amount;
    const amount = {
      exact: due,
      less: cents(Math.max(1, due - prng.int(1, 50))),
      half: cents(Math.max(1, Math.ceil(due / 2))),
      more: cents(due + prng.int(1, 500)),
    }[kind];
    time.schedule(inMs, () => {
      this.world.note('customer pays', `${reference.orderId} ${amount} of ${due}`);
      this.world.callbacks.send(this.world.bank.receive(reference, amount));
      // Twice within one second: only the rank distinguishes the two rows.
      if (prng.chance(0.05)) this.world.callbacks.send(this.world.bank.receive(reference, amount));
    });
  }

  #answer(push: TruePush, inMs: number, state: 'paid' | 'rejected' | 'declined'): void {
    this.world.time.schedule(inMs, () => {
      if (push.state !== 'waiting') return;
      push.state = state;
      push.answeredAt = this.world.time.now;
      this.world.note(state === 'paid' ? 'customer accepts' : `push ${state}`, push.orderId);
      if (state === 'paid') this.world.callbacks.send(this.world.bank.receive(push, push.amount));
    });
  }
}
