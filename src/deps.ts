import type { Logger } from 'pino';
import type { Bank, BankAccounts } from './banks/port.ts';
import type { Settings } from './config.ts';
import type { Database } from './db/database.ts';
import type { Actor } from './kernel/actor.ts';
import type { Clock } from './kernel/clock.ts';
import type { Id, IdSource } from './kernel/ids.ts';
import type { Random } from './kernel/random.ts';
import type { SecretBox } from './kernel/secret-box.ts';
import type { QueueMail } from './mail/mail.ts';

/** The dependencies that app.ts creates once. A function takes only the members that it uses: `Pick<Deps, 'db' | 'clock'>`. */
export interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdSource;
  readonly box: SecretBox;
  readonly settings: Settings;
  readonly log: Logger;
  readonly bank: Bank;
  readonly bankAccounts: BankAccounts;
  readonly metrics: Metrics;
  readonly runtimeStats: RuntimeStats;
  /** Wakes the dispatcher for a delivery that is due now, with its merchant if known. Called after a commit. */
  readonly wakeDispatcher: (merchantId?: Id<'mer'>) => void;
  /** Wakes the bank workers for a callback notification or an attempt that is due now. Called after a commit. */
  readonly wakeBankWorkers: () => void;
  readonly queueMail: QueueMail;
  /** The service's URL for browsers, without a trailing slash: SERVICE_PUBLIC_URL, or the listener's address. */
  readonly serviceUrl: () => string;
  /** The address of the sandbox's page; absent with a real bank. */
  readonly sandboxUrl?: string;
  /** The actor in the audit log; the service itself when absent. */
  readonly actor?: Actor;
  /** Base-2 logarithm of the cost of a password's hash; 17 when absent. */
  readonly passwordCost?: number;
}

/** The metrics that the slices record; http/metrics.ts renders them as Prometheus text. */
export interface Metrics {
  /** `outcome` is one of `ok`, `accepted`, `done`, `refused`, `unreachable`, `unknown`, `unavailable`. */
  bankCall(operation: string, outcome: string, seconds: number): void;
  deliveryAttempt(outcome: 'delivered' | 'failed', seconds: number): void;
  deliveryFinished(state: 'delivered' | 'undelivered' | 'skipped'): void;
  /** How long a claimable due delivery has not been claimed; 0 when there is none, NaN when unknown. */
  deliveriesUnclaimed(seconds: number): void;
  /** Requests are missing in the request log, because too many waited or the insert failed. */
  requestsUnlogged(count: number): void;
  mail(outcome: 'sent' | 'failed'): void;
  /** The bank became unavailable for an account and kind of call, or available again. */
  bankUnavailable(accountId: string, operation: string, isUnavailable: boolean): void;
  /** One HTTP request completed; `route` is the pattern, never the raw path. */
  request(route: string, method: string, status: number, seconds: number): void;
}

/** Statistics of the process for the back office; Prometheus keeps the history. */
export interface RuntimeStats {
  read(): RuntimeStatsReading;
}

/** Counts cover the last `windowMs` milliseconds, or the time since the start. Instants are UTC milliseconds. */
export interface RuntimeStatsReading {
  readonly startedAt: number;
  readonly windowMs: number;
  readonly http: { readonly requests: number; readonly clientErrors: number; readonly serverErrors: number };
  readonly bank: { readonly calls: number; readonly failed: number };
  readonly deliveries: { readonly delivered: number; readonly failed: number };
  /** See `Metrics.deliveriesUnclaimed`. */
  readonly unclaimedSeconds: number;
  /** The start of the bank's current unavailability, by account. */
  readonly bankUnavailableSince: ReadonlyMap<string, number>;
}

export const noMetrics: Metrics = {
  bankCall() {},
  deliveryAttempt() {},
  deliveryFinished() {},
  deliveriesUnclaimed() {},
  requestsUnlogged() {},
  mail() {},
  bankUnavailable() {},
  request() {},
};
