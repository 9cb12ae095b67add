import type { Prng } from './prng.ts';
import type { World } from './world.ts';

/** A part of the simulated world, with its own randomness. */
export class Part {
  protected readonly world: World;
  protected readonly prng: Prng;

  constructor(world: World, prng: Prng) {
    this.world = world;
    this.prng = prng;
  }
}
