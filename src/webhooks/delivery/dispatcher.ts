import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { createPeriodicJob, type PeriodicJob } from '../../kernel/periodic.ts';
import { Numbering } from '../numbering.ts';
import type { AttemptResult } from '../transport/exchange.ts';
import type { Resolve } from '../transport/resolve.ts';
import { createTransport, type Transport } from '../transport/transport.ts';
import { type Claimed, claimDue, releaseUnsent } from './claim.ts';
import { nextDueAt } from './due-store.ts';
import { Heartbeat } from './heartbeat.ts';
import { Recorder } from './recorder.ts';
import { ATTEMPT_TIMEOUT_MS } from './schedule.ts';
import { Scheduler } from './scheduler.ts';
import { Sender } from './sender.ts';
import { PROMPT_FACTOR, recoveryLimits } from './slots.ts';
import { Watchdog } from './watchdog.ts';

/** Deliveries that another process inserted, such as the command line, are found within this time. */
const POLL_MS = 500;
/** While the cluster bus announces deliveries, polling only covers a lost message. */
const CONNECTED_POLL_MS = 5000;
/** The pause after another process claimed the same deliveries; jitter of up to 100 % avoids repeated contention. */
const CONTENDED_MS = 20;
/** The dispatcher counts as stuck after this long without a check of the queue. */
const ALIVE_WITHIN_MS = 60_000;
const IN_FLIGHT_MAX = 1024;
const PER_MERCHANT_MAX = 32;
/** `stop` waits until running attempts have reached their deadline. */
const STOP_GRACE_MS = ATTEMPT_TIMEOUT_MS + 500;

export interface DispatcherOptions {
  /** Trusted certificates (PEM), instead of Node's default CAs. */
  ca?: string | undefined;
  /** Resolves host names instead of the system's resolver. */
  resolve?: Resolve | undefined;
  /** The most attempts in flight, for all merchants and for one merchant. */
  inFlightMax?: number | undefined;
  perMerchantMax?: number | undefined;
  /** How long `stop` waits for attempts in flight before it interrupts them. */
  stopGraceMs?: number | undefined;
  /** Replaces the guarded transport; for simulations. */
  transport?: Transport | undefined;
}

type DispatcherDeps = Pick<
  Deps,
  'db' | 'clock' | 'random' | 'box' | 'settings' | 'log' | 'metrics' | 'queueMail'
>;

/** Sends the due deliveries: claims them, makes the attempts, records the outcomes. Starts and stops once. */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #options: DispatcherOptions;
  readonly #unrecordedMax: number;
  readonly #fresh: Scheduler;
  readonly #recovery: Scheduler;
  readonly #sender: Sender;
  readonly #numbering: Numbering;
  readonly #recorder: Recorder;
  readonly #heartbeat: Heartbeat;
  readonly #watchdog: Watchdog;
  readonly #job: PeriodicJob;
  readonly #attempts = new Set<Promise<void>>();
  #unsubscribe = () => {};
  #isRunning = false;
  #isRecovered = false;
  #isChecking = false;
  /** Another process claimed deliveries that the last check had found. */
  #isContended = false;
  #checkedAt = Number.NEGATIVE_INFINITY;
  /** When the deliveries of all merchants in both queues were last requested. */
  #polledAt = Number.NEGATIVE_INFINITY;
  #retryAt = Number.POSITIVE_INFINITY;
  #cancelRetry = () => {};

  constructor(deps: DispatcherDeps, options: DispatcherOptions = {}) {
    const { inFlightMax = IN_FLIGHT_MAX, perMerchantMax = PER_MERCHANT_MAX } = options;
    this.#deps = deps;
    this.#options = options;
    this.#unrecordedMax = inFlightMax;
    this.#fresh = new Scheduler(deps.db.read, 'fresh', { inFlightMax, perMerchantMax });
    this.#recovery = new Scheduler(deps.db.read, 'recovery', recoveryLimits({ inFlightMax, perMerchantMax }));
    const transport =
      options.transport ??
      createTransport({
        allowPrivateNetworks: deps.settings.webhookAllowPrivateNetworks,
        connectionsMax: perMerchantMax * PROMPT_FACTOR,
        resolve: options.resolve,
        ca: options.ca,
      });
    this.#sender = new Sender(deps, transport);
    this.#numbering = new Numbering(deps, () => this.wake());
    this.#recorder = new Recorder(deps);
    this.#heartbeat = new Heartbeat(deps, () => this.wake());
    this.#watchdog = new Watchdog(deps, { fresh: this.#fresh.slots, recovery: this.#recovery.slots });
    this.#job = createPeriodicJob({
      clock: deps.clock,
      run: () => this.#check(),
      retryAfterMs: POLL_MS,
      onError: (error) => deps.log.error({ detail: errorText(error) }, 'cannot claim deliveries; retrying'),
    });
  }

  start(): void {
    this.#isRunning = true;
    this.#heartbeat.start();
    this.#watchdog.start();
    this.#unsubscribe = this.#deps.db.cluster?.subscribe('deliveries', () => this.wake()) ?? (() => {});
    this.#job.start();
  }

  /** Checks for due deliveries of this merchant, or of all merchants, now. Cheap; calls are coalesced. */
  wake(merchantId?: Id<'mer'>): void {
    this.#request(merchantId);
    this.#checkSoon();
  }

  /** Whether the dispatcher has checked for due deliveries within the last minute. */
  isAlive(): boolean {
    return this.#isRunning && this.#deps.clock.now() - this.#checkedAt <= ALIVE_WITHIN_MS;
  }

  /** Stops claiming, waits for attempts in flight and records them. An interrupted attempt is repeated after a restart. */
  async stop(): Promise<void> {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#unsubscribe();
    this.#cancelRetry();
    await Promise.all([this.#job.stop(), this.#watchdog.stop()]);
    await this.#sender.stop(this.#options.stopGraceMs ?? STOP_GRACE_MS);
    this.#recorder.stop();
    await Promise.all([...this.#attempts, this.#numbering.drain()]);
    await this.#heartbeat.stop();
  }

  /** Whether a check is requested and few enough outcomes wait to be recorded. */
  get #canCheck(): boolean {
    const isRequested = this.#fresh.isRequested || this.#recovery.isRequested;
    return isRequested && this.#isRunning && this.#recorder.size < this.#unrecordedMax;
  }

  #request(merchantId?: Id<'mer'>): void {
    this.#numbering.request();
    this.#fresh.request(merchantId);
    if (merchantId !== undefined) return;
    this.#recovery.request();
    this.#polledAt = this.#deps.clock.now();
  }

  #checkSoon(): void {
    if (!this.#isChecking && this.#canCheck) this.#job.wake();
  }

  /** Claims until nothing more can be sent now, in a backlog for minutes. Resolves to the milliseconds until the next check. */
  async #check(): Promise<number> {
    const { clock, db } = this.#deps;
    this.#isChecking = true;
    // A run without a request is a periodic poll.
    if (!this.#fresh.isRequested) this.#request();
    try {
      if (!this.#isRecovered) await this.#heartbeat.recover();
      this.#isRecovered = true;
      this.#isContended = false;
      let nextAt: number;
      do {
        // Taken before the last claim, so that deliveries that fall due during the claim do not wait for the next poll.
        let since = clock.now();
        while (this.#canCheck) {
          since = clock.now();
          // Polls even when merchants wake the dispatcher constantly: their requests cover neither other merchants nor recoveries.
          // Half of POLL_MS, because the next check may come only after a pause of POLL_MS.
          if (Math.abs(since - this.#polledAt) >= POLL_MS / 2) this.#request();
          await this.#recorder.gathered();
          await this.#claimFrom(this.#fresh);
          await this.#claimFrom(this.#recovery);
          this.#checkedAt = clock.now();
        }
        nextAt = (await nextDueAt(db.read, since)) ?? Number.POSITIVE_INFINITY;
      } while (this.#canCheck);
      this.#checkedAt = clock.now();
      const pauseMs = this.#isContended
        ? CONTENDED_MS + (this.#deps.random(1).readUInt8() % CONTENDED_MS)
        : this.#heartbeat.instanceId === null
          ? POLL_MS
          : CONNECTED_POLL_MS;
      return Math.max(0, Math.min(pauseMs, nextAt - this.#checkedAt));
    } finally {
      this.#isChecking = false;
      this.#recorder.flush();
    }
  }

  /** Claims what the scheduler picks and starts the attempts. */
  async #claimFrom(scheduler: Scheduler): Promise<void> {
    if (!scheduler.isRequested) return;
    const { db, clock, metrics } = this.#deps;
    // Recovered events already have sequence numbers.
    const isNumberingNeeded = scheduler === this.#fresh && this.#numbering.isNeeded();
    const picked = await scheduler.next(clock.now());
    const unclaimed = new Set(picked.map(({ id }) => id));
    try {
      // A lapsed lease makes a delivery due again while its outcome still waits to be recorded.
      const due = picked.filter(({ id }) => !this.#heartbeat.holds(id));
      if (await isNumberingNeeded) await this.#numbering.start();
      // On SQLite the numbering, the outcomes and the claims queued here share one commit.
      this.#recorder.flush();
      if (due.length > 0) {
        const { instanceId } = this.#heartbeat;
        const held = this.#heartbeat.lapsed(clock.now());
        const { claimed, ended } = await claimDue(this.#deps, due, {
          instanceId,
          queue: scheduler.queue,
          held,
        });
        this.#isContended ||= claimed.length + ended.length < due.length && db.cluster !== null;
        if (ended.length > 0) this.#request();
        for (const state of ended) metrics.deliveryFinished(state);
        for (const { delivery } of claimed) unclaimed.delete(delivery.id);
        for (const id of unclaimed) scheduler.slots.release(id);
        for (const attempt of claimed) {
          // A delivery that was claimed instead of a picked one has no slot yet.
          scheduler.slots.take(attempt.delivery.id, attempt.delivery.merchant_id, attempt.startedAt);
          this.#start(attempt);
        }
      }
    } finally {
      for (const id of unclaimed) scheduler.slots.release(id);
    }
  }

  #start(attempt: Claimed): void {
    this.#heartbeat.hold(attempt);
    const running = this.#attempt(attempt).finally(() => {
      this.#heartbeat.release(attempt.delivery.id);
      this.#attempts.delete(running);
    });
    this.#attempts.add(running);
  }

  /** Sends one attempt and records its outcome. Never rejects. */
  async #attempt(attempt: Claimed): Promise<void> {
    const { id, merchant_id: merchantId } = attempt.delivery;
    const result = await this.#sender.send(attempt);
    if (result === null) {
      // Once stopped, the row stays claimed, as after a crash, and the next start sends it again.
      if (this.#isRunning) await this.#release(attempt);
      this.#fresh.slots.release(id);
      this.#recovery.slots.release(id);
      this.#checkSoon();
      return;
    }
    this.#fresh.attemptEnded(id, merchantId, result);
    this.#recovery.attemptEnded(id, merchantId, result);
    const recording = this.#recorder.add({ attempt, result });
    this.#checkSoon();
    // On SQLite a requested check flushes the outcome together with its claims.
    if (!this.#isChecking || !this.#canCheck || this.#deps.db.engine !== 'sqlite') this.#recorder.flush();
    const recorded = await recording;
    this.#report(attempt, result);
    if (recorded === null) return;
    const state = recorded.finished.get(id);
    if (state !== undefined) this.#deps.metrics.deliveryFinished(state);
    if (recorded.unblocked) this.wake();
    else this.#checkSoon();
    if (recorded.retryAt !== null) this.#wakeAt(recorded.retryAt);
  }

  /** Releases the claim of an attempt that was not sent, and requests a check of both queues. */
  async #release(attempt: Claimed): Promise<void> {
    try {
      await releaseUnsent(this.#deps, attempt);
      this.#request();
    } catch (error) {
      const fields = { deliveryId: attempt.delivery.id, detail: errorText(error) };
      this.#deps.log.error(fields, 'cannot release a claim; the delivery is sent once the claim expires');
    }
  }

  #report({ delivery, number }: Claimed, result: AttemptResult): void {
    const { log, metrics } = this.#deps;
    const { status, error, errorDetail, durationMs } = result;
    metrics.deliveryAttempt(error === null ? 'delivered' : 'failed', durationMs / 1000);
    if (error === null) return;
    const fields = { deliveryId: delivery.id, merchantId: delivery.merchant_id, number, status };
    log.warn({ ...fields, detail: errorDetail ?? error }, 'a delivery attempt failed');
  }

  /** Checks for due deliveries at `at` at the latest. */
  #wakeAt(at: number): void {
    if (at >= this.#retryAt || !this.#isRunning) return;
    const { clock } = this.#deps;
    this.#cancelRetry();
    this.#retryAt = at;
    this.#cancelRetry = clock.after(Math.max(0, at - clock.now()), () => {
      this.#retryAt = Number.POSITIVE_INFINITY;
      this.wake();
    });
  }
}
