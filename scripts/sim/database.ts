import { Part } from './part.ts';
import type { Service } from './service.ts';

const LATE_MS_MAX = 12 * 60_000;
/** The service retries some writes a few times. */
const FAULTS_IN_A_ROW_MAX = 3;
/** Longer than the dispatcher waits before it tries again. */
const POLL_MS = 1000;

/** A unit of work that failed for its caller, and may have been committed. */
export class DatabaseFault extends Error {
  constructor(what: string) {
    super(`simulated database fault: ${what}`);
  }

  static isIn(text: string): boolean {
    return text.includes('simulated database fault');
  }
}

/** The faults between a process and its database, as on PostgreSQL. */
export class DatabaseFaults extends Part {
  #inARow = 0;
  #failedAt = Number.NEGATIVE_INFINITY;

  /** Whether a unit has just failed, so that the service's polls must run. */
  get isRecent(): boolean {
    return this.world.time.now < this.#failedAt + POLL_MS;
  }

  /** Throws when the database refuses a unit before it begins. */
  begin(): void {
    this.#fail('refused');
  }

  /** Throws when the answer to the commit of a unit is lost. */
  committed(): void {
    this.#fail('answer lost');
    this.#inARow = 0;
  }

  /** Resolves to the value, minutes late in a process that stalls right after a commit. */
  async answer<T>(service: Service, value: T): Promise<T> {
    const { world } = this;
    // A jump of the clock could equal the stall, which would hide it from the service.
    if (world.scenario.jumps > 0 || !this.prng.chance(world.faults.stall)) return value;
    world.count('database answer late');
    world.note('the answer to a commit is late');
    await new Promise<void>((resolve) =>
      world.time.schedule(this.prng.int(1000, LATE_MS_MAX), resolve, service),
    );
    return value;
  }

  #fail(what: string): void {
    const { world } = this;
    if (this.#inARow >= FAULTS_IN_A_ROW_MAX || !this.prng.chance(world.faults.database)) return;
    this.#inARow += 1;
    this.#failedAt = world.time.now;
    world.count(`database ${what}`);
    world.note('database fault', what);
    throw new DatabaseFault(what);
  }
}
