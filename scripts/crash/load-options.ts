import type { CallLog, Shop } from './call-log.ts';
import type { Installation } from './installation.ts';

export interface LoadOptions {
  url: string;
  sandboxUrl: string;
  seed: number;
  round: number;
  shops: readonly Shop[];
  log: CallLog;
  operator: Installation['operator'];
  /** Concurrent callers. */
  callers?: number;
  /** Callers continue after a missing response and treat 500 as one, because the database may be disconnected. */
  patient?: boolean;
  /** Runs after each acknowledged init. */
  onInit?(): void;
}
