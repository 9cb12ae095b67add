import type { Presence } from '../../db/cluster-bus.ts';
import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { createPeriodicJob, type PeriodicJob } from '../../kernel/periodic.ts';
import type { Claimed } from './claim.ts';
import { ATTEMPT_TIMEOUT_MS, LEASE_MS } from './schedule.ts';
import { claimingInstances, extendClaims, releaseClaims } from './store.ts';

const BEAT_MS = 1500;
/** A claim is extended when it has less than this left. No attempt within its deadline needs an extension. */
const EXTEND_BELOW_MS = LEASE_MS - ATTEMPT_TIMEOUT_MS - 1000;

interface Lease {
  token: string;
  /** UTC milliseconds. */
  until: number;
}

/**
 * Keeps the claims of this process alive while their attempts run and their outcomes are written, and takes over the claims
 * of processes that have died: at start and, on PostgreSQL, when a process is missing from the cluster bus in two heartbeats.
 */
export class Heartbeat {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #onReleased: () => void;
  readonly #leases = new Map<Id<'dlv'>, Lease>();
  readonly #extension: PeriodicJob;
  /** A separate job, because it may read all due deliveries and must not delay the extension of leases. */
  readonly #takeover: PeriodicJob;
  #presence: Presence | null = null;
  /** The prefix of this process's claims, also while other processes cannot see it. */
  #ownId: string | null = null;
  /**
   * The other processes with unreleased claims, and whether each was missing in the last heartbeat; null before the first one.
   */
  #others: Map<string, boolean> | null = null;

  /** `onReleased` is called when deliveries of dead processes have become due. */
  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>, onReleased: () => void) {
    this.#deps = deps;
    this.#onReleased = onReleased;
    const logged = (message: string) => (error: unknown) =>
      deps.log.error({ detail: errorText(error) }, message);
    this.#extension = createPeriodicJob({
      clock: deps.clock,
      firstAfterMs: BEAT_MS,
      run: () => this.#extend(),
      retryAfterMs: BEAT_MS,
      onError: logged('cannot keep delivery claims alive'),
    });
    this.#takeover = createPeriodicJob({
      clock: deps.clock,
      run: () => this.#takeOver(),
      retryAfterMs: BEAT_MS,
      onError: logged('cannot take over the deliveries of dead processes'),
    });
  }

  /** Identifies this process in its claims; null while other processes cannot see it. */
  get instanceId(): string | null {
    return this.#presence?.instanceId ?? null;
  }

  start(): void {
    const { cluster } = this.#deps.db;
    this.#extension.start();
    if (cluster === null) return;
    this.#presence = cluster.join();
    this.#takeover.start();
  }

  /**
   * Runs before the first claim. On SQLite, makes interrupted attempts due at once, so that a restart waits for no lease. On
   * PostgreSQL, waits until other processes see this one: only then do they release its claims after a crash.
   */
  async recover(): Promise<void> {
    const { db, clock } = this.#deps;
    if (db.cluster === null) this.#logReleased(await db.unit((tx) => releaseClaims(tx, clock.now())));
    else await this.#presence?.ready;
  }

  /** Keeps the claim of this attempt alive until `release`. */
  hold({ delivery, token, startedAt }: Claimed): void {
    this.#leases.set(delivery.id, { token, until: startedAt + LEASE_MS });
  }

  /** Whether this process still works on the delivery, even if its lease has lapsed. */
  holds(id: Id<'dlv'>): boolean {
    return this.#leases.has(id);
  }

  /** Returns the deliveries that this process still works on although their leases have lapsed. */
  lapsed(now: number): Id<'dlv'>[] {
    return [...this.#leases].filter(([, lease]) => lease.until <= now).map(([id]) => id);
  }

  release(id: Id<'dlv'>): void {
    this.#leases.delete(id);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#extension.stop(), this.#takeover.stop()]);
    await this.#presence?.leave();
  }

  async #extend(): Promise<number> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const ending = [...this.#leases].filter(([, lease]) => lease.until < now + EXTEND_BELOW_MS);
    if (ending.length === 0) return BEAT_MS;
    const until = now + LEASE_MS;
    await db.unit(async (tx) => {
      for (const [token, leases] of Map.groupBy(ending, ([, lease]) => lease.token)) {
        const ids = leases.map(([id]) => id);
        await extendClaims(tx, ids, token, until);
      }
    });
    for (const [, lease] of ending) lease.until = until;
    return BEAT_MS;
  }

  /**
   * Releases the claims of the processes that are gone. The first heartbeat also finds claims of processes that died before this
   * one started.
   */
  async #takeOver(): Promise<number> {
    const { db, clock } = this.#deps;
    await this.#presence?.ready;
    this.#ownId = this.instanceId ?? this.#ownId;
    const claiming = this.#others === null ? await claimingInstances(db.read, clock.now()) : [];
    // Read last, so that a process that joins and claims in between counts as running.
    const running = (await db.cluster?.running()) ?? new Set();
    const others = this.#others ?? new Map(claiming.map((id) => [id, true]));
    for (const id of running) others.set(id, false);
    if (this.#ownId !== null) others.delete(this.#ownId);
    const departed = [...others].filter(([, wasMissing]) => wasMissing).map(([id]) => id);
    if (departed.length > 0)
      this.#logReleased(await db.unit((tx) => releaseClaims(tx, clock.now(), departed)));
    for (const id of departed) others.delete(id);
    for (const id of others.keys()) others.set(id, !running.has(id));
    this.#others = others;
    return BEAT_MS;
  }

  #logReleased(interrupted: number): void {
    if (interrupted === 0) return;
    this.#deps.log.warn({ interrupted }, 'interrupted deliveries are sent again');
    this.#onReleased();
  }
}
