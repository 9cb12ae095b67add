import type { Presence } from '../../db/cluster-bus.ts';
import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { createPeriodicJob, type PeriodicJob } from '../../kernel/periodic.ts';
import type { Claimed } from './claim.ts';
import { ATTEMPT_TIMEOUT_MS, LEASE_MS } from './schedule.ts';
import { claimingInstances, extendClaims, releaseClaims } from './store.ts';

const BEAT_MS = 1500;
/** A claim is extended once less than this is left of it, which no attempt within its deadline reaches. */
const EXTEND_BELOW_MS = LEASE_MS - ATTEMPT_TIMEOUT_MS - 1000;

interface Lease {
  token: string;
  /** UTC milliseconds. */
  until: number;
}

/**
 * Keeps the claims of this process alive while their attempts run and their outcomes are written, and takes over the claims
 * of processes that have died: at start and, on PostgreSQL, once they are missing from the cluster bus in two beats.
 */
export class Heartbeat {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #leases = new Map<Id<'dlv'>, Lease>();
  readonly #job: PeriodicJob;
  #presence: Presence | null = null;
  /** The other processes whose claims are not released, each with whether it was missing in the last beat. */
  readonly #others = new Map<string, boolean>();

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps;
    this.#job = createPeriodicJob({
      clock: deps.clock,
      firstAfterMs: BEAT_MS,
      run: () => this.#beat(),
      retryAfterMs: BEAT_MS,
      onError: (error) => deps.log.error({ detail: errorText(error) }, 'cannot keep delivery claims alive'),
    });
  }

  /** Identifies this process in its claims; null while other processes cannot see it. */
  get instanceId(): string | null {
    return this.#presence?.instanceId ?? null;
  }

  start(): void {
    this.#presence = this.#deps.db.cluster?.join() ?? null;
    this.#job.start();
  }

  /** Makes the interrupted attempts of dead processes due at once, so that a restart waits for no lease. */
  async recover(): Promise<void> {
    const { db, clock } = this.#deps;
    if (db.cluster === null) {
      this.#logReleased(await db.unit((tx) => releaseClaims(tx, clock.now())));
      return;
    }
    await this.#presence?.ready;
    const running = await db.cluster.running();
    const claiming = await claimingInstances(db.read, clock.now());
    await this.#release(claiming.filter((instance) => !running.has(instance)));
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
    await this.#job.stop();
    await this.#presence?.leave();
  }

  async #beat(): Promise<number> {
    await this.#extend();
    await this.#releaseDeparted();
    return BEAT_MS;
  }

  async #extend(): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const ending = [...this.#leases].filter(([, lease]) => lease.until < now + EXTEND_BELOW_MS);
    if (ending.length === 0) return;
    const until = now + LEASE_MS;
    await db.unit(async (tx) => {
      for (const [token, leases] of Map.groupBy(ending, ([, lease]) => lease.token)) {
        const ids = leases.map(([id]) => id);
        await extendClaims(tx, ids, token, until);
      }
    });
    for (const [, lease] of ending) lease.until = until;
  }

  async #releaseDeparted(): Promise<void> {
    const { cluster } = this.#deps.db;
    if (cluster === null) return;
    const running = await cluster.running();
    const departed = [...this.#others].filter(([id, wasMissing]) => wasMissing && !running.has(id));
    await this.#release(departed.map(([id]) => id));
    for (const [id] of departed) this.#others.delete(id);
    for (const id of this.#others.keys()) this.#others.set(id, true);
    for (const id of running) this.#others.set(id, false);
  }

  async #release(instances: readonly string[]): Promise<void> {
    if (instances.length === 0) return;
    const { db, clock } = this.#deps;
    this.#logReleased(await db.unit((tx) => releaseClaims(tx, clock.now(), instances)));
  }

  #logReleased(interrupted: number): void {
    if (interrupted > 0) this.#deps.log.warn({ interrupted }, 'interrupted deliveries are sent again');
  }
}
