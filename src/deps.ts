import type { Logger } from 'pino';
import type { Bank, BankAccounts } from './banks/port.ts';
import type { Settings } from './config.ts';
import type { Database } from './db/database.ts';
import type { Actor } from './kernel/actor.ts';
import type { Clock } from './kernel/clock.ts';
import type { Id, IdSource } from './kernel/ids.ts';
import type { Random } from './kernel/random.ts';
import type { SecretBox } from './kernel/secret-box.ts';

/**
 * What app.ts makes once and hands down to every slice. A function takes the part that it uses, by
 * `Pick<Deps, 'db' | 'clock'>`, so that its needs can be read off its first line.
 */
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
  /** How the process has been doing; left out where there is no long-lived process. */
  readonly vitals?: Vitals;
  /** Tells the dispatcher that a delivery is due now, best with whose it is. Cheap; called after a commit. */
  readonly wakeDispatcher: (merchantId?: Id<'mer'>) => void;
  /** Tells the bank desk that a hint or an attempt is due now. Cheap; called after a commit. */
  readonly wakeBankDesk: () => void;
  /** Who acts, for the audit log; the service itself when it is left out. */
  readonly actor?: Actor;
  /** Base-2 logarithm of the work that one password's hash costs; 17 when it is left out. */
  readonly passwordCost?: number;
}

/** What the slices count; http/metrics.ts turns it into Prometheus text. */
export interface Metrics {
  /** `outcome` is a short word of a closed set: `ok`, `accepted`, `refused`, `unreachable`, `unknown`, `silent`. */
  bankCall(operation: string, outcome: string, seconds: number): void;
  /** One attempt of a delivery ended; `outcome` is `delivered`, `failed` or `skipped`. */
  deliveryAttempt(outcome: 'delivered' | 'failed' | 'skipped', seconds: number): void;
  /** A delivery reached its final state. */
  deliveryFinished(state: 'delivered' | 'undelivered' | 'skipped'): void;
  /** How long a due delivery has been left although it could be claimed; 0 when none is, NaN when it is not known. */
  deliveriesUnclaimed(seconds: number): void;
  /** Rows of a table were forgotten for their age. */
  rowsPruned(table: string, rows: number): void;
  /** The bank fell silent about an account, or speaks again; `what` names the kind of call. */
  bankSilence?(accountId: string, what: string, silent: boolean): void;
  /** One HTTP request was answered; `route` is the pattern, never the raw path. */
  request(route: string, method: string, status: number, seconds: number): void;
}

/** What the process remembers of its last minutes, for people who look at it; Prometheus has the long memory. */
export interface Vitals {
  read(): VitalSigns;
}

/** Counts are of the last `windowMs` milliseconds at most, or since the start. Instants in UTC milliseconds. */
export interface VitalSigns {
  readonly startedAt: number;
  readonly windowMs: number;
  readonly http: { readonly requests: number; readonly clientErrors: number; readonly serverErrors: number };
  readonly bank: { readonly calls: number; readonly failed: number };
  readonly deliveries: { readonly delivered: number; readonly failed: number };
  /** See `Metrics.deliveriesUnclaimed`. */
  readonly unclaimedSeconds: number;
  /** Since when the bank has given no readable answer, by account. */
  readonly silentSince: ReadonlyMap<string, number>;
  /** How late the event loop was in the last minute or two: the 99th percentile and the worst. */
  readonly loopDelayMs: { readonly p99: number; readonly max: number };
}

export const noMetrics: Metrics = {
  bankCall() {},
  deliveryAttempt() {},
  deliveryFinished() {},
  deliveriesUnclaimed() {},
  rowsPruned() {},
  request() {},
};
