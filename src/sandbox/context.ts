import type { Clock } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import type { CallbackLog } from './callback-log.ts';
import type { Storage } from './storage.ts';

/** What sandbox.ts makes once and hands to every part of the bank. */
export interface SandboxContext {
  readonly db: Storage;
  readonly clock: Clock;
  readonly random: Random;
  /** How long a customer may answer a push. */
  readonly mbwayWindowMs: number;
  /** How long the service waits after the window; two of the self-acting phones aim at it. */
  readonly mbwayGraceMs: number;
  readonly log: (line: string) => void;
  /** What the page shows of the callbacks that were sent. */
  readonly callbackLog: CallbackLog;
  /** Something of the self-acting phones may be due. */
  readonly wakePhones: () => void;
  /** A callback may be due. */
  readonly wakeCallbacks: () => void;
}
