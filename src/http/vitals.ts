import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics, VitalSigns, Vitals } from '../deps.ts';
import type { Clock } from '../kernel/clock.ts';

const MINUTE_MS = 60_000;
const MINUTES = 5;
const LOOP_RESOLUTION_MS = 20;
const NANOSECONDS_PER_MS = 1e6;

/** The outcomes of a call to the bank that brought no answer. */
const NO_ANSWER = new Set(['unreachable', 'unknown', 'silent']);

interface Counts {
  requests: number;
  clientErrors: number;
  serverErrors: number;
  bankCalls: number;
  bankFailed: number;
  delivered: number;
  deliveriesFailed: number;
}

const NOTHING: Counts = {
  requests: 0,
  clientErrors: 0,
  serverErrors: 0,
  bankCalls: 0,
  bankFailed: 0,
  delivered: 0,
  deliveriesFailed: 0,
};

export interface VitalsRecorder extends Vitals {
  /** Counts what it is told and hands it on to `further`. */
  metrics(further: Metrics): Metrics;
  close(): void;
}

/** Remembers the last five minutes, a minute at a time. */
export function createVitals(clock: Clock): VitalsRecorder {
  const startedAt = clock.now();
  const { count, sum } = createCounts(clock);
  const silent = new Map<string, { accountId: string; since: number }>();
  let unclaimedSeconds = Number.NaN;
  const loop = watchLoop(clock);
  return {
    metrics: (further) => ({
      bankCall(operation, outcome, seconds) {
        further.bankCall(operation, outcome, seconds);
        count('bankCalls');
        if (NO_ANSWER.has(outcome)) count('bankFailed');
      },
      bankSilence(accountId, what, isSilent) {
        further.bankSilence?.(accountId, what, isSilent);
        const key = `${what} ${accountId}`;
        if (isSilent) silent.set(key, { accountId, since: clock.now() });
        else silent.delete(key);
      },
      deliveryAttempt(outcome, seconds) {
        further.deliveryAttempt(outcome, seconds);
        if (outcome !== 'skipped') count(outcome === 'delivered' ? 'delivered' : 'deliveriesFailed');
      },
      deliveryFinished: (state) => further.deliveryFinished(state),
      deliveriesUnclaimed(seconds) {
        further.deliveriesUnclaimed(seconds);
        unclaimedSeconds = seconds;
      },
      rowsPruned: (table, rows) => further.rowsPruned(table, rows),
      request(route, method, status, seconds) {
        further.request(route, method, status, seconds);
        count('requests');
        if (status >= 500) count('serverErrors');
        else if (status >= 400) count('clientErrors');
      },
    }),
    read(): VitalSigns {
      const total = sum();
      return {
        startedAt,
        windowMs: MINUTES * MINUTE_MS,
        http: {
          requests: total.requests,
          clientErrors: total.clientErrors,
          serverErrors: total.serverErrors,
        },
        bank: { calls: total.bankCalls, failed: total.bankFailed },
        deliveries: { delivered: total.delivered, failed: total.deliveriesFailed },
        unclaimedSeconds,
        silentSince: silentSince(silent.values()),
        loopDelayMs: loop.read(),
      };
    },
    close: loop.close,
  };
}

/** Counts by the minute, and their sums over those that are remembered. */
function createCounts(clock: Clock) {
  const minutes = new Map<number, Counts>();
  return {
    count(name: keyof Counts): void {
      const minute = Math.floor(clock.now() / MINUTE_MS);
      let counts = minutes.get(minute);
      if (counts === undefined) {
        for (const old of minutes.keys()) if (old <= minute - MINUTES || old > minute) minutes.delete(old);
        counts = { ...NOTHING };
        minutes.set(minute, counts);
      }
      counts[name] += 1;
    },
    sum(): Counts {
      const total = { ...NOTHING };
      const minute = Math.floor(clock.now() / MINUTE_MS);
      for (const [at, counts] of minutes) {
        if (at <= minute - MINUTES || at > minute) continue;
        for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name];
      }
      return total;
    },
  };
}

/** The longest silence of each account. */
function silentSince(all: Iterable<{ accountId: string; since: number }>): Map<string, number> {
  const longest = new Map<string, number>();
  for (const { accountId, since } of all) {
    longest.set(accountId, Math.min(since, longest.get(accountId) ?? since));
  }
  return longest;
}

interface LoopDelay {
  p99: number;
  max: number;
}

/** How late the event loop comes, of this minute and the one before: an hour-old stall says nothing about now. */
function watchLoop(clock: Clock): { read(): LoopDelay; close(): void } {
  const histogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  histogram.enable();
  let before: LoopDelay = { p99: 0, max: 0 };
  let cancel = () => {};
  const now = (): LoopDelay =>
    histogram.count === 0
      ? { p99: 0, max: 0 }
      : { p99: lateness(histogram.percentile(99)), max: lateness(histogram.max) };
  const turn = () => {
    before = now();
    histogram.reset();
    cancel = clock.after(MINUTE_MS, turn);
  };
  cancel = clock.after(MINUTE_MS, turn);
  return {
    read() {
      const current = now();
      return { p99: Math.max(current.p99, before.p99), max: Math.max(current.max, before.max) };
    },
    close() {
      cancel();
      histogram.disable();
    },
  };
}

/** What is measured holds the sampling interval itself. */
function lateness(nanoseconds: number): number {
  return Math.max(0, Math.round(nanoseconds / NANOSECONDS_PER_MS - LOOP_RESOLUTION_MS));
}
