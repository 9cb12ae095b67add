import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { cents } from '../../src/kernel/money.ts';
import { accountOf, channel, contract } from './accounts.ts';
import { FOREIGN } from './bank-state.ts';
import { END_CHECKS } from './checks/end.ts';
import { recoverable } from './checks/recovery.ts';
import { Part } from './part.ts';
import { Prng } from './prng.ts';
import { type CrashPoint, drawCrashPoint, drawScenario, NO_FAULTS } from './scenario.ts';
import type { Service } from './service.ts';
import { createDatabase } from './storage.ts';
import { World } from './world.ts';

export type RunResult = Awaited<ReturnType<typeof runSeed>>;

/** A read and its continuation take two turns of the event loop. */
const QUIET_TURNS = 3;
const TURNS_MAX = 200_000;
const STOPS_MAX = 20_000;
const JUMP_MAX_MS = 15 * MINUTE_MS;
/** The longest step of time while nothing is due; the service's polls then run late, as on a busy machine. */
const IDLE_STEP_MAX_MS = 10 * MINUTE_MS;
/** The probability that the service polls at a time when only the outside world acts. */
const POLL_CHANCE = 0.25;
/** Longer than any planned event: a reference's last day, its grace and a later payment. */
const RUN_MAX_MS = 5 * 24 * 60 * MINUTE_MS;

/** The number of successes that resting endpoints are given, and the time between them. */
const RELEASE_TRIES = 4;
const RELEASE_MS = 30 * MINUTE_MS;

/** Runs one seed until all work is complete, and checks every invariant. */
export async function runSeed(seed: number, folder: string) {
  const prng = new Prng(`seed ${seed}`);
  const file = join(folder, 'run.db');
  await createDatabase(folder, file);
  const world = new World(drawScenario(prng.fork('plan')), prng, file);
  const run = new Run(world, prng.fork('run'));
  // The service ends some of its waits by the real clock, so that a replay would depend on the speed of the machine.
  const { now } = performance;
  performance.now = () => 0;
  try {
    await run.play();
  } catch (error) {
    world.fail('nothing is thrown', error instanceof Error ? `${error.stack}` : String(error));
  } finally {
    performance.now = now;
    world.crashesEnabled = false;
    world.service?.kill('end of the run');
  }
  const { trace, violation, counts } = world;
  /** Equal for equal runs. */
  const digest = createHash('sha256').update(trace.join('\n')).digest('hex').slice(0, 16);
  return { seed, violation, trace, digest, counts };
}

class Run extends Part {
  #stops = 0;
  /** The start count for which a restart is already planned. */
  #restarting = 0;

  async play(): Promise<void> {
    const world = this.world;
    const { scenario } = world;
    const first = await world.begin(null);
    await first.start();
    await world.createMerchants(first);
    world.monitor.committed();
    this.#planEvents();
    world.faults = scenario.faults;
    if (scenario.crashChance > 0) {
      world.crashesEnabled = true;
      first.kill('end of the setup');
      this.#restartIn(0);
    }
    await this.#until(() => world.time.now >= scenario.startAt + scenario.activeMs);
    this.#heal();
    await this.#until(() => !world.time.hasWorldEvents() && world.monitor.isQuiet());
    await world.operator.settleAll(() => this.#settle());
    await this.#until(() => world.monitor.isQuiet());
    await this.#releaseMissed();
    const { service } = world;
    if (service === null) world.fail('every run comes to rest', 'no process is running');
    if (world.violation !== null || service === null) return;
    for (const [name, faults] of Object.entries(END_CHECKS))
      for await (const fault of faults(world, service)) world.fail(name, fault);
  }

  /** Gives a success to endpoints whose recovery rests after its last wait; the service's clock may date it before the miss. */
  async #releaseMissed(): Promise<void> {
    const { time, operator, monitor } = this.world;
    for (let tries = 0; tries < RELEASE_TRIES && recoverable(this.world).length > 0; tries++) {
      const startedAt = time.now;
      for (const shop of new Set(recoverable(this.world).map((missed) => missed.shop))) operator.test(shop);
      await this.#until(() => time.now >= startedAt + RELEASE_MS && monitor.isQuiet());
    }
  }

  #planEvents(): void {
    const world = this.world;
    const { scenario, time } = world;
    const prng = this.prng;
    const sometime = (times: number, task: () => void, moments = prng) => {
      for (let i = 0; i < times; i++) time.schedule(moments.int(0, scenario.activeMs), task);
    };
    world.merchants.plan();
    world.shoppers.plan();
    world.endpoints.plan();
    sometime(scenario.operatorActions, () => world.operator.randomAction());
    sometime(scenario.refundActions, () => world.operator.refunds.randomAction(), prng.fork('refunds'));
    sometime(scenario.routeActions, () => world.second.randomAction());
    sometime(scenario.jumps, () => this.#jump());
    sometime(scenario.freezes, () => this.#freeze());
    sometime(scenario.stops, () => this.#stop());
    if (prng.chance(0.3)) sometime(prng.int(1, 3), () => world.callbacks.forge());
    if (prng.chance(0.3)) sometime(1, () => this.#foreignMoney());
  }

  /** Ends all faults; from here on everything that was started must finish. */
  #heal(): void {
    const world = this.world;
    world.note('everything is healthy');
    world.faults = NO_FAULTS;
    world.crashesEnabled = false;
    world.healthy = true;
    if (world.service !== null) world.service.frozenUntil = 0;
    if (world.service === null) this.#restartIn(0);
    if (this.prng.chance(0.5)) {
      for (let i = 1; i <= 4; i++) world.time.schedule(i * 30 * MINUTE_MS, () => world.operator.creditAny());
      for (const { id, held } of world.monitor.state.transactions.values()) {
        if (held === 1) world.time.schedule(1000, () => world.operator.release(id));
      }
    }
  }

  #jump(): void {
    const world = this.world;
    const by = this.prng.pick([-1, 1]) * this.prng.int(1, JUMP_MAX_MS);
    const from = world.serviceNow();
    world.skewMs = this.prng.chance(0.3) ? 0 : world.skewMs + by;
    world.jumpedAt = world.time.now;
    if (world.serviceNow() < from) world.backwardJumps.push({ from, to: world.serviceNow() });
    world.note("the service's clock jumps", `now ${world.skewMs} ms off`);
    world.count('clock jump');
  }

  #freeze(): void {
    const { service, time } = this.world;
    if (service === null) return;
    service.frozenUntil = time.now + this.prng.int(1000, 20 * MINUTE_MS);
    this.world.note('the process freezes', new Date(service.frozenUntil).toISOString());
    this.world.count('freeze');
  }

  #stop(): void {
    const world = this.world;
    const { service } = world;
    if (service === null) return;
    world.note('the process is asked to stop');
    service.stop().then(
      () => {
        if (service.dead) return;
        world.count('stop');
        service.kill('stopped');
        this.#restartIn(this.prng.int(200, 60_000));
      },
      (error: unknown) => world.fail('no call fails unexpectedly', `stop: ${String(error)}`),
    );
  }

  #foreignMoney(): void {
    const { bank, callbacks, scenario, time } = this.world;
    const isSecond = scenario.secondAcquirer && this.prng.chance(0.5);
    const account = isSecond
      ? accountOf('eupago', channel(1).apiKey)
      : accountOf('ifthenpay', contract(1).mbKey);
    const source = {
      ...account,
      requestId: FOREIGN,
      orderId: 'NOTOURS',
      entity: '21800',
      reference: '999999999',
      expiresAt: time.now,
    };
    // Some foreign payments have the amount of an order, so that they can be assigned in full.
    const due = bank.references[0]?.amount ?? bank.pushes[0]?.amount;
    const amount = due !== undefined && this.prng.chance(0.5) ? due : cents(this.prng.int(1, 10_000));
    callbacks.send(bank.receive({ ...source, amount }, amount));
  }

  #restartIn(delayMs: number): void {
    const world = this.world;
    world.time.schedule(delayMs, () => {
      if (world.service !== null) return;
      void this.#start(world.crashesEnabled ? drawCrashPoint(this.prng, world.scenario) : null);
    });
  }

  async #start(crashPoint: CrashPoint | null): Promise<void> {
    let service: Service | null = null;
    try {
      service = await this.world.begin(crashPoint);
      await service.start();
    } catch (error) {
      if (service?.dead !== true) this.world.fail('no call fails unexpectedly', `start: ${String(error)}`);
    }
  }

  /** Advances time from event to event until `over` returns true. */
  async #until(over: () => boolean): Promise<void> {
    const world = this.world;
    const { time, scenario } = world;
    await this.#settle();
    while (world.violation === null && !over()) {
      this.#stops += 1;
      const late = time.now > scenario.startAt + scenario.activeMs + RUN_MAX_MS;
      if (this.#stops > STOPS_MAX || late) {
        const unfinished = JSON.stringify(world.monitor.unfinished());
        world.fail('every run comes to rest', `unfinished: ${unfinished}, ${this.#stops} stops`);
        return;
      }
      const { at, withIdle } = this.#nextStop();
      time.now = Math.max(time.now, at);
      for (;;) {
        const task = time.takeDue(withIdle);
        if (task === undefined || world.violation !== null) break;
        task();
        await this.#settle();
        if (world.service?.started) world.monitor.started();
        this.#restartAfterDeath();
      }
    }
  }

  #restartAfterDeath(): void {
    const world = this.world;
    if (world.service !== null || this.#restarting === world.starts) return;
    this.#restarting = world.starts;
    const prng = this.prng;
    this.#restartIn(prng.pick([prng.int(100, 2000), prng.int(100, 2000), prng.int(2000, 30 * MINUTE_MS)]));
  }

  /**
   * Returns the time of the next external event, deadline or due row. The service's polls run when a row is due, and otherwise
   * rarely, because they would find nothing.
   */
  #nextStop(): { at: number; withIdle: boolean } {
    const world = this.world;
    const { time, scenario } = world;
    if (world.database.isRecent || this.prng.chance(scenario.fineChance)) {
      return { at: Math.min(time.nextAt(true), time.now + MINUTE_MS), withIdle: true };
    }
    const due = world.monitor.nextDueAt(world.serviceNow()) - world.skewMs;
    const idle = Math.min(due, time.now + IDLE_STEP_MAX_MS);
    const outside = time.nextAt(false);
    return { at: Math.min(outside, idle), withIdle: idle <= outside || this.prng.chance(POLL_CHANCE) };
  }

  /** Waits until all promises, reads and commits have settled: reads and commits each wait for a turn of the event loop. */
  async #settle(): Promise<void> {
    const world = this.world;
    for (let quiet = 0, turns = 0; quiet < QUIET_TURNS && world.violation === null; turns++) {
      await turn();
      quiet = world.opening || (world.service?.units ?? 0) > 0 ? 0 : quiet + 1;
      if (turns > TURNS_MAX) world.fail('every run comes to rest', 'a unit of work does not end');
    }
  }
}
