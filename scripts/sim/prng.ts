import type { Random } from '../../src/kernel/random.ts';

/** A random generator (xorshift128): a seed gives the same run on every machine and version. */
export class Prng {
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
    const word = mixer(seed);
    this.#a = word();
    this.#b = word();
    this.#c = word();
    this.#d = word() | 1;
  }

  /** Returns an independent generator for one part of the run. */
  fork(part: string): Prng {
    return new Prng(`${this.#seed}/${part}`);
  }

  /** 32 random bits. */
  word(): number {
    const t = this.#d ^ (this.#d << 11);
    this.#d = this.#c;
    this.#c = this.#b;
    this.#b = this.#a;
    this.#a = (this.#a ^ (this.#a >>> 19) ^ t ^ (t >>> 8)) >>> 0;
    return this.#a;
  }

  /** From 0 to below 1. */
  fraction(): number {
    return this.word() / 2 ** 32;
  }

  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.int(0, list.length - 1)];
    if (picked === undefined) throw new RangeError('nothing to pick from');
    return picked;
  }

  /** Returns a row of this kind, sometimes any row, so that actions are refused too; null without a row. */
  pickMostly<Row>(table: ReadonlyMap<string, Row>, kind: (row: Row) => boolean = () => true): Row | null {
    const rows = [...table.values()];
    const chosen = this.chance(0.8) ? rows.filter(kind) : rows;
    return chosen.length === 0 ? null : this.pick(chosen);
  }

  /** Returns one of the names with the probability of its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return this.pick(entries.map(([name]) => name));
  }

  /** Returns the value of one of the entries with the probability of its weight. */
  choose<T>(entries: Readonly<Record<string, readonly [weight: number, value: T]>>): T {
    const weights = Object.fromEntries(Object.entries(entries).map(([name, [weight]]) => [name, weight]));
    return (entries[this.weighted(weights)] as (typeof entries)[string])[1];
  }

  bytes: Random = (length) => {
    const bytes = Buffer.alloc(length);
    for (let i = 0; i < length; i++) bytes[i] = this.word() & 255;
    return bytes;
  };
}

/** Returns a function that derives 32-bit words from a text. */
function mixer(text: string): () => number {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let word = state ^ (state >>> 16);
    word = Math.imul(word, 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return (word ^ (word >>> 16)) >>> 0;
  };
}
