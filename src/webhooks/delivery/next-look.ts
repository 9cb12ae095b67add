import type { Id } from '../../kernel/ids.ts';

/** Merchants that one look names at most; for more of them it goes round everybody's deliveries. */
const NAMED_MAX = 32;

/** What the dispatcher's next look is for, as those who wake it ask. */
export class NextLook {
  /** Null for everybody's deliveries. */
  #names: Set<Id<'mer'>> | null = new Set();
  #asked = false;

  /** Whether a look is wanted. */
  get asked(): boolean {
    return this.#asked;
  }

  /** Asks for a look at one merchant's deliveries; without a name, at everybody's. */
  ask(merchantId?: Id<'mer'>): void {
    this.#asked = true;
    if (merchantId === undefined || this.#names === null || this.#names.size >= NAMED_MAX) this.#names = null;
    else this.#names.add(merchantId);
  }

  /** Whose deliveries were asked for, null for everybody's; from now on nothing is. */
  take(): ReadonlySet<Id<'mer'>> | null {
    const names = this.#names;
    this.#names = new Set();
    this.#asked = false;
    return names;
  }
}
