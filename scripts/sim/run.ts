import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { END_CHECKS } from './checks/end.ts';
import { type Doom, drawDoom, drawPlan, NO_FAULTS } from './plan.ts';
import { Prng } from './prng.ts';
import { createDatabase } from './storage.ts';
import { type Violation, World } from './world.ts';

/** What came of one seed. */
export interface RunResult {
  seed: number;
  violation: Violation | null;
  /** Every step. */
  trace: readonly string[];
  /** Of the whole trace: equal for equal runs. */
  digest: string;
  counts: ReadonlyMap<string, number>;
}

/** A read and what follows it take two turns of the event loop. */
const QUIET_TURNS = 3;
const STOPS_MAX = 20_000;
const MINUTE_MS = 60_000;
const JUMP_MAX_MS = 15 * MINUTE_MS;
/** How long the service is left alone at most while nothing is due: its looks come late, as on a busy machine. */
const IDLE_STEP_MAX_MS = 10 * MINUTE_MS;
/** How often the service's looks come at a time when something happens outside only. */
const LOOK_CHANCE = 0.25;
/** Nothing planned is further away than a reference's last day, its grace and the shopper who comes later still. */
const RUN_MAX_MS = 5 * 24 * 60 * MINUTE_MS;

/** Plays one seed from its beginning until everything has come to rest, and holds it against every promise. */
export async function runSeed(seed: number, folder: string): Promise<RunResult> {
  const prng = new Prng(`seed ${seed}`);
  const file = join(folder, 'run.db');
  await createDatabase(folder, file);
  const world = new World(drawPlan(prng.fork('plan')), prng, file);
  const run = new Run(world);
  try {
    await run.play();
  } finally {
    world.deadly = false;
    world.life?.kill('the run is over');
  }
  const { trace, violation, counts } = world;
  return { seed, violation, trace: trace.lines, digest: trace.digest(), counts };
}

class Run {
  readonly #world: World;
  readonly #prng: Prng;
  #stops = 0;
  /** The life after which a restart is planned already. */
  #restarting = 0;

  constructor(world: World) {
    this.#world = world;
    this.#prng = world.prng.fork('run');
  }

  async play(): Promise<void> {
    const world = this.#world;
    const { plan } = world;
    const first = await world.begin(null);
    await first.start();
    await world.furnish(first);
    world.watch.committed();
    this.#planEvents();
    world.faults = plan.faults;
    if (plan.crashChance > 0) {
      world.deadly = true;
      first.kill('the first life ends');
      this.#restartIn(0);
    }
    await this.#until(() => world.time.now >= plan.startAt + plan.activeMs);
    this.#heal();
    await this.#until(() => !world.time.hasWorldEvents() && world.watch.isQuiet());
    if (world.violation !== null) return;
    for (const { name, faults } of END_CHECKS) for (const fault of faults(world)) world.fail(name, fault);
  }

  #planEvents(): void {
    const world = this.#world;
    const { plan, time } = world;
    const prng = this.#prng;
    const sometime = (task: () => void) => time.schedule(prng.int(0, plan.activeMs), task);
    world.merchants.plan();
    for (let i = 0; i < plan.operatorActs; i++) sometime(() => world.operator.act());
    for (let i = 0; i < plan.jumps; i++) sometime(() => this.#jump());
    for (let i = 0; i < plan.freezes; i++) sometime(() => this.#freeze());
    for (let i = 0; i < plan.stops; i++) sometime(() => this.#stop());
    if (prng.chance(0.3)) for (let i = prng.int(1, 3); i > 0; i--) sometime(() => world.callbacks.forge());
    if (prng.chance(0.2)) sometime(() => this.#foreignMoney());
  }

  /** Bank, endpoints and process are healthy from here on; what was begun must come to its end. */
  #heal(): void {
    const world = this.#world;
    world.note('everything is healthy');
    world.faults = NO_FAULTS;
    world.deadly = false;
    world.healthy = true;
    if (world.life === null) this.#restartIn(0);
    if (this.#prng.chance(0.5)) {
      for (let i = 1; i <= 4; i++)
        world.time.schedule(i * 30 * MINUTE_MS, () => world.operator.creditSomebody());
      for (const { id, held } of world.watch.state.transactions.values()) {
        if (held === 1) world.time.schedule(1000, () => world.operator.release(id));
      }
    }
  }

  #jump(): void {
    const world = this.#world;
    const by = this.#prng.pick([-1, 1]) * this.#prng.int(1, JUMP_MAX_MS);
    world.skewMs = this.#prng.chance(0.3) ? 0 : world.skewMs + by;
    world.jumpedAt = world.time.now;
    world.note("the service's clock jumps", `now ${world.skewMs} ms off`);
    world.count('clock jump');
  }

  #freeze(): void {
    const { life, time } = this.#world;
    if (life === null) return;
    life.frozenUntil = time.now + this.#prng.int(1000, 20 * MINUTE_MS);
    this.#world.note('the process freezes', new Date(life.frozenUntil).toISOString());
    this.#world.count('freeze');
  }

  /** The operator stops the service, as operators should, and starts it again. */
  #stop(): void {
    const world = this.#world;
    const { life } = world;
    if (life === null) return;
    world.note('the process is asked to stop');
    life.stop().then(
      () => {
        if (life.dead) return;
        world.count('stop');
        life.kill('it stopped');
        this.#restartIn(this.#prng.int(200, 60_000));
      },
      (error: unknown) => world.fail('no call fails unexpectedly', `stop: ${String(error)}`),
    );
  }

  #foreignMoney(): void {
    const { bank, callbacks, time } = this.#world;
    const source = {
      ...{ requestId: 'foreign', orderId: 'NOTOURS', entity: '21800', reference: '999999999' },
      ...{ mbKey: 'SIM-000002', backofficeKey: '0000-0000-0000-0001', expiresAt: time.now },
    };
    const amount = this.#prng.int(1, 10_000) as Parameters<typeof bank.receive>[1];
    callbacks.send(bank.receive({ ...source, amount }, amount));
  }

  #restartIn(delayMs: number): void {
    const world = this.#world;
    world.time.schedule(delayMs, () => {
      if (world.life !== null) return;
      const doom = world.deadly ? drawDoom(this.#prng, world.plan) : null;
      this.#start(doom).catch((error: unknown) => {
        world.fail('no call fails unexpectedly', `start: ${String(error)}`);
      });
    });
  }

  async #start(doom: Doom | null): Promise<void> {
    const life = await this.#world.begin(doom);
    try {
      await life.start();
    } catch (error) {
      if (!life.dead) throw error;
    }
  }

  /** Lets time pass, from one thing that happens to the next, until `over`. */
  async #until(over: () => boolean): Promise<void> {
    const world = this.#world;
    const { time, plan } = world;
    await this.#settle();
    while (world.violation === null && !over()) {
      this.#stops += 1;
      const late = time.now > plan.startAt + plan.activeMs + RUN_MAX_MS;
      if (this.#stops > STOPS_MAX || late) {
        world.fail('every run comes to rest', this.#unrest());
        return;
      }
      const { at, withIdle } = this.#nextStop();
      time.now = Math.max(time.now, at);
      for (;;) {
        const task = time.takeDue(withIdle);
        if (task === undefined || world.violation !== null) break;
        task();
        await this.#settle();
        if (world.life?.started) world.watch.started();
        this.#restartAfterDeath();
      }
    }
  }

  #restartAfterDeath(): void {
    const world = this.#world;
    if (world.life !== null || this.#restarting === world.lives) return;
    this.#restarting = world.lives;
    const prng = this.#prng;
    this.#restartIn(prng.pick([prng.int(100, 2000), prng.int(100, 2000), prng.int(2000, 30 * MINUTE_MS)]));
  }

  /**
   * When something can happen: outside, at a deadline, or because a row of the database falls due. The service's looks
   * at the database come when something is due, and else only now and then: each would find nothing.
   */
  #nextStop(): { at: number; withIdle: boolean } {
    const world = this.#world;
    const { time, plan } = world;
    if (this.#prng.chance(plan.fineChance)) {
      return { at: Math.min(time.nextAt(true), time.now + MINUTE_MS), withIdle: true };
    }
    const due = world.watch.nextDueAt(world.serviceNow()) - world.skewMs;
    const idle = Math.min(due, time.now + IDLE_STEP_MAX_MS);
    const outside = time.nextAt(false);
    return { at: Math.min(outside, idle), withIdle: idle <= outside || this.#prng.chance(LOOK_CHANCE) };
  }

  /** Waits until all promises, reads and commits have settled: reads and commits each wait for a turn of the event loop. */
  async #settle(): Promise<void> {
    const world = this.#world;
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      await turn();
      quiet = world.opening || (world.life?.units ?? 0) > 0 ? 0 : quiet + 1;
    }
  }

  #unrest(): string {
    const { attempts, transactions, deliveries, receipts } = this.#world.watch.state;
    const open = [...attempts.values()].filter(({ state }) =>
      ['initiated', 'open', 'unknown'].includes(state),
    );
    const pending = [...transactions.values()].filter(
      ({ status, held }) => status === 'pending' && held === 0,
    );
    const due = [...deliveries.values()].filter(({ state }) => state === 'due');
    return `${open.length} attempts live, ${pending.length} transactions pending, ${due.length} deliveries due, ${receipts.size} of ${this.#world.bank.money.length} rows recorded, ${this.#stops} stops`;
  }
}
