import type { Logger } from 'pino';
import type { Bank, BankAccounts } from './banks/port.ts';
import type { Settings } from './config.ts';
import type { Database } from './db/database.ts';
import type { Clock } from './kernel/clock.ts';
import type { IdSource } from './kernel/ids.ts';
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
  /** Tells the dispatcher that a delivery is due now. Cheap; called after a commit. */
  readonly wakeDispatcher: () => void;
  /** Tells the bank desk that a hint or an attempt is due now. Cheap; called after a commit. */
  readonly wakeBankDesk: () => void;
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
  /** One HTTP request was answered; `route` is the pattern, never the raw path. */
  request(route: string, method: string, status: number, seconds: number): void;
}

export const noMetrics: Metrics = {
  bankCall() {},
  deliveryAttempt() {},
  deliveryFinished() {},
  deliveriesUnclaimed() {},
  request() {},
};
