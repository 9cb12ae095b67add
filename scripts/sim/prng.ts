import type { Random } from '../../src/kernel/random.ts';

/** A small generator of its own, so that a seed means the same run on every machine and version: xorshift128. */
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

  /** A generator of its own for one part of the run: what one part draws does not move what another draws. */
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

  /** One of the names, each as likely as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return this.pick(entries.map(([name]) => name));
  }

  /** Randomness as the service takes it. */
  bytes: Random = (length) => {
    const bytes = Buffer.alloc(length);
    for (let i = 0; i < length; i++) bytes[i] = this.word() & 255;
    return bytes;
  };
}

/** Spreads a text over as many 32-bit words as are asked for. */
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
