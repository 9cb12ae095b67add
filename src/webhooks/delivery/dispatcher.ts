import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { recoverClaims } from '../recovery/recover.ts';
import type { Resolve } from '../transport/resolve.ts';
import type { Transport } from '../transport/transport.ts';
import { Claimer } from './claimer.ts';
import { openConnections } from './connections.ts';
import { Heartbeat } from './heartbeat.ts';
import { InFlight } from './in-flight.ts';
import { createLanes, nextDueOfLanes, type SendLanes } from './lanes.ts';
import { NextLook } from './next-look.ts';
import { Peers } from './peers.ts';
import type { Outcome, Recorded } from './record.ts';
import { Recorder } from './recorder.ts';
import { ATTEMPT_TIMEOUT_MS } from './schedule.ts';
import type { SlotLimits } from './slots.ts';
import { tellAttempt } from './tell.ts';
import { Watch } from './watch.ts';

/** Deliveries that another process wrote, such as the command line, are found within this time. */
const POLL_MS = 500;
/** After another process took what was looked at: it may have left some, and must not meet us there again at once. */
const LOST_MS = 20;
/** It looks every half second; a minute without a look is no delay any more. */
const ALIVE_WITHIN_MS = 60_000;
const IN_FLIGHT_MAX = 1024;
const PER_MERCHANT_MAX = 32;
/** An attempt that runs when the service stops may come to its end. */
const STOP_GRACE_MS = ATTEMPT_TIMEOUT_MS + 500;

export interface DispatcherOptions {
  /** Certificates (PEM) that receivers are trusted by, instead of the usual authorities. */
  ca?: string | undefined;
  /** Resolves names instead of the system's resolver. */
  resolve?: Resolve | undefined;
  /** Attempts in flight at once, in all and of one merchant. */
  inFlightMax?: number | undefined;
  perMerchantMax?: number | undefined;
  /** How long `stop` waits for attempts in flight before it cuts them. */
  stopGraceMs?: number | undefined;
  /** Sends requests instead of guarded sockets; for simulations. */
  transport?: Transport | undefined;
  /** Hears whose events have just got their numbers. */
  onNumbered?: ((merchantIds: Iterable<Id<'mer'>>) => void) | undefined;
}

/** Sends what the outbox holds. */
export interface Dispatcher {
  /** Takes up what is due, also what a dead process had begun. */
  start(): void;
  /**
   * A delivery is due now: cheap, and without effect while stopped. Beside long queues of others the look is at the named
   * merchant's alone; without a name it is at everybody's.
   */
  wake(merchantId?: Id<'mer'>): void;
  /** Whether it looked for due deliveries lately. False means that events wait although they could leave. */
  isAlive(): boolean;
  /** Claims nothing more, lets attempts in flight end and writes their outcomes. One that must be cut goes out again later. */
  stop(): Promise<void>;
}

type DispatcherDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'box' | 'settings' | 'log' | 'metrics'>;

/** A dispatcher, not started yet. */
export function createDispatcher(deps: DispatcherDeps, options: DispatcherOptions = {}): Dispatcher {
  return new OutboxDispatcher(deps, options);
}

class OutboxDispatcher implements Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #options: DispatcherOptions;
  readonly #limits: SlotLimits;
  readonly #lanes: SendLanes;
  readonly #recorder: Recorder;
  readonly #heartbeat: Heartbeat;
  readonly #inFlight: InFlight;
  readonly #claimer: Claimer;
  readonly #watch: Watch;
  /** Null where no other process sends. */
  readonly #peers: Peers | null;
  /** Null while stopped. */
  #transport: Transport | null = null;
  #pumping: Promise<void> | null = null;
  readonly #nextLook = new NextLook();
  #recovered = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: () => void = () => {};
  #timerAt = Number.POSITIVE_INFINITY;
  /** The next repetition that was written while a look was under way, which may not have seen it. */
  #retryAt = Number.POSITIVE_INFINITY;

  constructor(deps: DispatcherDeps, options: DispatcherOptions) {
    this.#deps = deps;
    this.#options = options;
    const { inFlightMax = IN_FLIGHT_MAX, perMerchantMax = PER_MERCHANT_MAX } = options;
    this.#limits = { inFlightMax, perMerchantMax };
    this.#lanes = createLanes(deps.db.read, this.#limits);
    this.#recorder = new Recorder(deps, (batch, recorded) => this.#recorded(batch, recorded));
    this.#heartbeat = new Heartbeat(deps);
    this.#inFlight = new InFlight(deps, (attempt, result) => {
      // Not written: the row stays claimed, as after a crash, and the next start sends it once more.
      if (result === null) this.#give(attempt.delivery.id);
      else this.#ended({ attempt, result });
    });
    const { neighbours } = deps.db;
    this.#peers = neighbours && new Peers(deps, neighbours, () => this.wake());
    const { fresh, recovery } = this.#lanes;
    this.#claimer = new Claimer(deps, {
      lanes: this.#lanes,
      recorder: this.#recorder,
      heartbeat: this.#heartbeat,
      nextLook: this.#nextLook,
      unwrittenMax: inFlightMax,
      mark: () => this.#peers?.mark ?? null,
      send: (attempt, paced) => this.#inFlight.begin(attempt, paced),
      onNumbered: options.onNumbered,
    });
    const slots = { fresh: fresh.slots, recovery: recovery.slots };
    this.#watch = new Watch(deps, { slots, wake: () => this.wake() });
  }

  start(): void {
    if (this.#transport) return;
    this.#transport =
      this.#options.transport ??
      openConnections(this.#deps.settings, { ...this.#options, perMerchantMax: this.#limits.perMerchantMax });
    this.#inFlight.open(this.#transport);
    this.#recovered = false;
    this.#peers?.start();
    this.#watch.start();
    this.wake();
  }

  wake(merchantId?: Id<'mer'>): void {
    this.#nextLook.ask(merchantId);
    this.#look();
  }

  isAlive(): boolean {
    return this.#transport !== null && this.#deps.clock.now() - this.#lookedAt <= ALIVE_WITHIN_MS;
  }

  async stop(): Promise<void> {
    const transport = this.#transport;
    if (!transport) return;
    this.#transport = null;
    this.#cancelTimer();
    this.#watch.stop();
    await this.#peers?.stop();
    await this.#pumping;
    await this.#inFlight.stop(this.#options.stopGraceMs ?? STOP_GRACE_MS);
    await this.#recorder.settled();
    await this.#heartbeat.stop();
    await this.#peers?.leave();
  }

  #look(): void {
    if (this.#transport) this.#pumping ??= this.#pump();
  }

  /** Claims until nothing more can be sent now, then sets the timer for what comes next. Never throws. */
  async #pump(): Promise<void> {
    const { clock, db, log } = this.#deps;
    let nextAt: number | null = null;
    try {
      if (!this.#recovered) await this.#recover();
      // From before the last look: what fell due while it ran must not wait for the next poll.
      let since = clock.now();
      while (this.#nextLook.asked && this.#transport) {
        since = clock.now();
        await this.#claimer.round(this.#nextLook.take());
      }
      nextAt = await nextDueOfLanes(db.read, since);
      this.#lookedAt = clock.now();
    } catch (error) {
      log.error({ detail: errorText(error) }, 'deliveries could not be claimed; trying again');
      this.#nextLook.take();
    }
    this.#pumping = null;
    this.#recorder.write();
    if (!this.#transport) return;
    if (this.#nextLook.asked) this.#pumping = this.#pump();
    else {
      const lookAgainMs = this.#claimer.lost ? LOST_MS * (1 + Math.random()) : POLL_MS;
      this.#setTimer(Math.min(clock.now() + lookAgainMs, nextAt ?? Number.POSITIVE_INFINITY, this.#retryAt));
      this.#retryAt = Number.POSITIVE_INFINITY;
    }
  }

  async #recover(): Promise<void> {
    await this.#peers?.recover();
    const cut = await recoverClaims(this.#deps);
    this.#recovered = true;
    if (cut > 0) this.#deps.log.warn({ cut }, 'deliveries that a crash interrupted go out again');
  }

  /**
   * Gives the slot back before the outcome is written: on SQLite the claim that takes it over and the outcome then share
   * one commit: a queue of one merchant went from 8 deliveries a commit to 22.
   */
  #ended(outcome: Outcome): void {
    const { id, merchant_id } = outcome.attempt.delivery;
    const { durationMs, error } = outcome.result;
    let wanted = this.#claimer.waitsFor(merchant_id);
    for (const { slots } of Object.values(this.#lanes)) {
      const makesRoom = slots.heard(merchant_id, durationMs, error === null);
      if (makesRoom && this.#claimer.anybodyWaits) wanted = true;
    }
    this.#giveSlot(id);
    this.#recorder.add(outcome);
    if (wanted) this.wake();
    if (!wanted || !this.#pumping || this.#deps.db.engine !== 'sqlite') this.#recorder.write();
  }

  #recorded(batch: readonly Outcome[], recorded: Recorded | null): void {
    for (const outcome of batch) {
      this.#heartbeat.give(outcome.attempt.delivery.id);
      tellAttempt(this.#deps, outcome);
    }
    for (const { state } of recorded?.finished ?? []) this.#deps.metrics.deliveryFinished(state);
    const retryAt = recorded?.retryAt ?? null;
    if (recorded?.unblocked || this.#claimer.isFull) this.wake();
    else if (retryAt !== null && this.#pumping) this.#retryAt = Math.min(this.#retryAt, retryAt);
    else if (retryAt !== null && retryAt < this.#timerAt && this.#transport) this.#setTimer(retryAt);
  }

  #give(id: Id<'dlv'>): void {
    this.#heartbeat.give(id);
    this.#giveSlot(id);
  }

  #giveSlot(id: Id<'dlv'>): void {
    this.#lanes.fresh.slots.give(id);
    this.#lanes.recovery.slots.give(id);
  }

  #setTimer(at: number): void {
    const { clock } = this.#deps;
    this.#cancelTimer();
    this.#timerAt = at;
    this.#cancelTimer = clock.after(Math.max(0, at - clock.now()), () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.wake();
    });
  }
}
