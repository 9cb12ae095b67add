import type { Prng } from './prng.ts';
import type { Service } from './service.ts';
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

/** A part of the world as one process of the service sees it. */
export class ServicePart extends Part {
  protected readonly service: Service;

  constructor(world: World, prng: Prng, service: Service) {
    super(world, prng);
    this.service = service;
  }
}
