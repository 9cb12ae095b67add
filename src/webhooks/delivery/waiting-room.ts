import type { Id } from '../../kernel/ids.ts';
import type { Left, Picked } from './pick.ts';
import type { Slots } from './slots.ts';

/** What is due and waits for a slot, as the last look at each queue saw it. */
export class WaitingRoom {
  readonly #left = new Map<Slots, Left>();

  /** A look at the queue of these slots begins; what is returned takes its result. */
  look(slots: Slots): (picked: Pick<Picked, 'left' | 'whole'>) => void {
    const before = this.#left.get(slots) ?? 'unknown';
    // Until the look is over, whatever is given back may matter to it.
    this.#left.set(slots, 'unknown');
    return ({ left, whole }) => this.#left.set(slots, whole ? left : joined(before, left));
  }

  /** Whether anybody waits for a slot. */
  get isEmpty(): boolean {
    return [...this.#left.values()].every((left) => left !== 'unknown' && left.size === 0);
  }

  /** Whether a slot given back by this merchant lets something go that waits for one. */
  waitsFor(merchantId: Id<'mer'>): boolean {
    return [...this.#left].some(
      ([slots, left]) =>
        slots.freesAny(merchantId) &&
        (left === 'unknown' || left.has(merchantId) || (left.size > 0 && slots.freesOthers(merchantId))),
    );
  }
}

/** What is left after a look at some merchants alone: theirs and what was left before. */
function joined(before: Left, left: Left): Left {
  return before === 'unknown' || left === 'unknown' ? 'unknown' : new Set([...before, ...left]);
}
