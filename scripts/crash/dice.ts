import { createHash } from 'node:crypto';

/** Chance from a seed: the same seed and stream give the same throws, whatever the other streams do. */
export interface Dice {
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  /** True in `percent` of 100 throws. */
  chance(percent: number): boolean;
  /** One of the keys, each as often as its weight says. */
  pick<K extends string>(weights: Readonly<Record<K, number>>): K;
}

export function createDice(seed: number, stream: string): Dice {
  let throws = 0;
  const fraction = () => {
    const digest = createHash('sha256').update(`${seed} ${stream} ${throws++}`).digest();
    return digest.readUInt32BE(0) / 2 ** 32;
  };
  return {
    between: (min, max) => min + Math.floor(fraction() * (max - min + 1)),
    chance: (percent) => fraction() * 100 < percent,
    pick<K extends string>(weights: Readonly<Record<K, number>>): K {
      const entries = Object.entries(weights) as [K, number][];
      let left = fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        left -= weight;
        if (left < 0) return key;
      }
      throw new Error('nothing to pick from');
    },
  };
}
