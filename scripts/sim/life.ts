import { pino } from 'pino';
import { createBankAccounts, ensureSandboxAccount } from '../../src/banks/accounts.ts';
import { type BankWorkers, createBankWorkers } from '../../src/banks/workers/workers.ts';
import type { Tx } from '../../src/db/database.ts';
import { type Deps, noMetrics } from '../../src/deps.ts';
import { claimIdentity } from '../../src/installation/identity.ts';
import { createIds } from '../../src/kernel/ids.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { createDeadlines } from '../../src/payments/deadlines.ts';
import { createSettlement } from '../../src/payments/settlement.ts';
import { createDispatcher, type Dispatcher } from '../../src/webhooks/delivery/dispatcher.ts';
import { type Doom, SECRET_KEY } from './plan.ts';
import { openStorage, type Storage } from './storage.ts';
import { type Owner, processClock } from './time.ts';
import type { World } from './world.ts';

const ERROR_LEVEL = 'error';
/** A doomed life that does not come to its end within so many steps dies wherever it is. */
const STEPS_MAX = 500;

/**
 * One life of the process: the real parts put together as app.ts does, over the database file, with time, bank and
 * endpoints simulated. It may die at any step; then none of its code does anything that lasts, and the next life begins from
 * the file alone.
 */
export class Life implements Owner {
  readonly deps: Deps;
  readonly storage: Storage;
  dead = false;
  frozenUntil = 0;
  started = false;
  /** Units of work that wait or run. */
  units = 0;
  readonly #world: World;
  readonly #doom: Doom | null;
  #steps = 0;
  #stepsOfAll = 0;
  readonly #dispatcher: Dispatcher;
  readonly #bankWorkers: BankWorkers;
  readonly #deadlines: { start(): void; stop(): Promise<void> };

  /** Opens the database and creates the parts. `doom` is null for a process that does not crash. */
  static async open(world: World, file: string, doom: Doom | null): Promise<Life> {
    let life: Life | null = null;
    const storage = await openStorage(file, () => {
      if (life !== null) life.#committed();
    });
    life = new Life(world, storage, doom);
    return life;
  }

  private constructor(world: World, storage: Storage, doom: Doom | null) {
    this.#world = world;
    this.#doom = doom;
    this.storage = storage;
    this.deps = this.#makeDeps();
    const { deps } = this;
    this.#dispatcher = createDispatcher(deps, { transport: world.endpoints.transport(this) });
    this.#bankWorkers = createBankWorkers({ ...deps, settlement: createSettlement(deps) });
    this.#deadlines = createDeadlines(deps);
  }

  #makeDeps(): Deps {
    const world = this.#world;
    const random = world.prng.fork(`life ${world.lives}`).bytes;
    const clock = processClock(world.time, this, {
      skewMs: () => world.skewMs,
      mayFire: () => !this.dies('timer'),
    });
    const box = createSecretBox(SECRET_KEY, random);
    return {
      db: { ...this.storage.db, read: this.storage.db.read, unit: (work) => this.#unit(work) },
      clock,
      random,
      ids: createIds(clock, random),
      box,
      settings: world.plan.settings,
      log: this.#logger(),
      metrics: noMetrics,
      bank: world.bank.port(this),
      bankAccounts: createBankAccounts({ box }),
      wakeDispatcher: (merchantId) => this.#dispatcher.wake(merchantId),
      wakeBankWorkers: () => this.#bankWorkers.wake(),
    };
  }

  /** Starts as app.ts does. Never resolves when the process dies on the way. */
  async start(): Promise<void> {
    await claimIdentity(this.deps);
    await ensureSandboxAccount(this.deps);
    this.#dispatcher.start();
    this.#bankWorkers.start();
    this.#deadlines.start();
    this.started = true;
  }

  /** Stops as the service does when it is asked to. */
  async stop(): Promise<void> {
    await Promise.all([this.#deadlines.stop(), this.#bankWorkers.stop(), this.#dispatcher.stop()]);
  }

  /** A step is taken. True when the process is dead, or dies here. */
  dies(step: string): boolean {
    if (this.dead) return true;
    const doom = this.#doom;
    if (doom === null || !this.#world.deadly) return false;
    this.#stepsOfAll += 1;
    if (doom.step === null || doom.step === step) this.#steps += 1;
    if (this.#steps < doom.nth && this.#stepsOfAll < STEPS_MAX) return false;
    this.#world.count(`death: ${step}`);
    this.kill(step);
    return true;
  }

  /** Dies now: nothing that is not committed stays, nothing is answered, no timer goes off. */
  kill(step: string): void {
    this.dead = true;
    this.#world.note('the process dies', step);
    this.#world.time.forget(this);
    this.storage.kill();
    this.#world.lifeEnded(this);
  }

  /** What a dead process waits for. */
  never<T>(): Promise<T> {
    return new Promise<T>(() => {});
  }

  async #unit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.dead) return this.never();
    this.units += 1;
    try {
      const value = await this.storage.db.unit(async (tx) => {
        const done = await work(tx);
        if (!this.dead) this.#world.watch.unitDone(this);
        this.dies('unit');
        return done;
      });
      if (this.dead) return await this.never();
      return this.dies('commit') ? await this.never() : value;
    } catch (error) {
      if (this.dead) return await this.never();
      throw error;
    } finally {
      this.units -= 1;
    }
  }

  /** Units that joined the commit were not seen one by one. */
  #committed(): void {
    if (this.dead) return;
    this.#world.watch.unitDone(this);
    this.#world.watch.committed();
  }

  #logger(): Deps['log'] {
    const write = (line: string) => {
      if (!this.dead) this.#world.fail('nothing unexpected is logged', line.trim());
    };
    return pino({ level: ERROR_LEVEL, base: null, timestamp: false }, { write });
  }
}
