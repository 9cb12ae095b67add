import { pino } from 'pino';
import { createWorkers } from '../../src/app-workers.ts';
import { createBankAccounts, ensureSandboxAccount } from '../../src/banks/accounts.ts';
import type { RefundPort } from '../../src/banks/settlement-port.ts';
import type { Tx } from '../../src/db/database.ts';
import { type Deps, noMetrics } from '../../src/deps.ts';
import { createRuntimeStats } from '../../src/http/runtime-stats.ts';
import { claimIdentity } from '../../src/installation/identity.ts';
import { createIds } from '../../src/kernel/ids.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { createDeadlines } from '../../src/payments/deadlines.ts';
import { createAutoRecovery } from '../../src/webhooks/recovery/auto-recovery.ts';
import { DatabaseFault } from './database.ts';
import { type CrashPoint, SECRET_KEY } from './scenario.ts';
import { openStorage, type Storage } from './storage.ts';
import { processClock } from './time.ts';
import type { World } from './world.ts';

const ERROR_LEVEL = 'error';
/** Logged for a mail that ends unsent and for a refund made elsewhere, which the checks judge. */
const EXPECTED = ['"mail not sent:', 'a refund that this service did not make'];
/** A process that has not reached its crash point after this many steps crashes anyway. */
const STEPS_MAX = 500;
const START_MS = 1000;

/**
 * One process of the service: the production parts wired as app.ts does, on the database file, with time, bank and
 * endpoints simulated. It may crash at any step; from then on its code has no effect, and the next process starts from
 * the file.
 */
export class Service {
  readonly deps: Deps;
  /** This process as calls use it: it may stall after a commit of theirs. */
  readonly ofCalls: Service;
  readonly refunds: RefundPort;
  readonly storage: Storage;
  dead = false;
  /** Simulated time until which the process is stalled. */
  frozenUntil = 0;
  started = false;
  /** Units of work that are queued or running. */
  units = 0;
  readonly #world: World;
  readonly #crashPoint: CrashPoint | null;
  #startedAt = Number.POSITIVE_INFINITY;
  #steps = 0;
  #stepsOfAll = 0;
  readonly #jobs: readonly { start(): void; stop(): Promise<void> }[];

  /** Opens the database and creates the parts. `crashPoint` is null for a process that does not crash. */
  static async open(world: World, file: string, crashPoint: CrashPoint | null): Promise<Service> {
    let service: Service | null = null;
    const storage = await openStorage(file, () => {
      if (service !== null) service.#committed();
    });
    service = new Service(world, storage, crashPoint);
    return service;
  }

  private constructor(world: World, storage: Storage, crashPoint: CrashPoint | null) {
    this.#world = world;
    this.#crashPoint = crashPoint;
    this.storage = storage;
    const workers = createWorkers(this.#core(), (mail) => world.mails.send(this, mail), {
      transport: world.endpoints.transport(this),
    });
    const { deps, refunds, dispatcher, bankWorkers, refundWorker, mailWorker } = workers;
    this.deps = deps;
    this.refunds = refunds;
    this.#jobs = [
      ...[dispatcher, bankWorkers, refundWorker, createDeadlines(deps)],
      ...[mailWorker, createAutoRecovery(deps)],
    ];
    const { unit } = deps.db;
    const stalling: Deps['db']['unit'] = async (work) => world.database.answer(this, await unit(work));
    const calls = { ...deps, db: { ...deps.db, read: deps.db.read, unit: stalling } };
    this.ofCalls = Object.create(this, { deps: { value: calls } });
  }

  /** The dependencies that app.ts passes to the workers. */
  #core() {
    const world = this.#world;
    const random = world.prng.fork(`service ${world.starts}`).bytes;
    const clock = processClock(world, this);
    const box = createSecretBox(SECRET_KEY, random);
    const { settings } = world.scenario;
    const { db } = this.storage;
    return {
      db: { ...db, read: db.read, unit: <T>(work: (tx: Tx) => Promise<T>) => this.#unit(work) },
      clock,
      random,
      ids: createIds(clock, random),
      box,
      settings,
      log: this.#logger(),
      metrics: noMetrics,
      runtimeStats: createRuntimeStats(clock),
      bank: world.bank.port(this, clock),
      bankAccounts: createBankAccounts({ box, settings }),
      serviceUrl: () => 'https://pay.example',
    };
  }

  /** Starts as app.ts does. Never resolves when the process crashes during the start. */
  async start(): Promise<void> {
    await claimIdentity(this.deps);
    await ensureSandboxAccount(this.deps);
    for (const job of this.#jobs) job.start();
    this.started = true;
    this.#startedAt = this.#world.time.now;
  }

  /** Stops as the service does on SIGTERM. */
  async stop(): Promise<void> {
    await Promise.all(this.#jobs.map((job) => job.stop()));
  }

  /** Counts a step. Returns true when the process is dead, or crashes at this step. */
  crashes(step: string): boolean {
    if (this.dead) return true;
    const crashPoint = this.#crashPoint;
    if (crashPoint === null || !this.#world.crashesEnabled) return false;
    this.#stepsOfAll += 1;
    if (crashPoint.step === null || crashPoint.step === step) this.#steps += 1;
    if (this.#steps < crashPoint.nth && this.#stepsOfAll < STEPS_MAX) return false;
    this.#world.count(`crash: ${step}`);
    this.kill(step);
    return true;
  }

  /** Kills the process: uncommitted work is lost, nothing is answered, no timer fires. */
  kill(step: string): void {
    this.dead = true;
    const world = this.#world;
    world.note('the process dies', step);
    world.time.forget(this);
    this.storage.kill();
    if (world.service === this) world.service = null;
  }

  /** A promise that never settles, for callers in a dead process. */
  never<T>(): Promise<T> {
    return new Promise<T>(() => {});
  }

  /** Whether the database may fail: not while the process starts and takes over interrupted work. */
  get #hasFaults(): boolean {
    return this.#world.time.now >= this.#startedAt + START_MS;
  }

  async #unit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.dead) return this.never();
    const { database } = this.#world;
    this.units += 1;
    try {
      if (this.#hasFaults) database.begin();
      const value = await this.storage.db.unit(async (tx) => {
        if (!this.dead) this.#world.monitor.transactionBegins();
        const done = await work(tx);
        if (!this.dead) this.#world.monitor.transactionDone(this);
        this.crashes('unit');
        return done;
      });
      if (this.dead) return await this.never();
      if (this.crashes('commit')) return await this.never();
      if (this.#hasFaults) database.committed();
      return value;
    } catch (error) {
      if (this.dead) return await this.never();
      throw error;
    } finally {
      this.units -= 1;
    }
  }

  /** Checks all units of the commit. */
  #committed(): void {
    if (this.dead) return;
    this.#world.monitor.transactionDone(this);
    this.#world.monitor.committed();
  }

  #logger(): Deps['log'] {
    const write = (line: string) => {
      if (!this.dead && !EXPECTED.some((text) => line.includes(text)) && !DatabaseFault.isIn(line))
        this.#world.fail('nothing unexpected is logged', line.trim());
    };
    return pino({ level: ERROR_LEVEL, base: null, timestamp: false }, { write });
  }
}
