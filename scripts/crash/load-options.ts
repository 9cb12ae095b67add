import type { CallLog, Shop } from './call-log.ts';
import type { Installation } from './installation.ts';

export interface LoadOptions extends Pick<Installation, 'url' | 'sandboxUrl' | 'operator'> {
  seed: number;
  round: number;
  shops: readonly Shop[];
  log: CallLog;
  /** Concurrent callers. */
  callers?: number;
  /** Callers continue after a missing response and treat 500 as one, because the database may be disconnected. */
  patient?: boolean;
  /** Runs after each acknowledged init. */
  onInit?(): void;
}
