import type { Clock } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import type { SandboxAddresses } from './addresses.ts';
import type { Store } from './store.ts';

export interface SandboxContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly addresses: SandboxAddresses;
  /** How long a customer can answer a push. */
  readonly mbwayWindowMs: number;
  /** The service's grace period after the window. */
  readonly mbwayGraceMs: number;
  readonly log: (line: string) => void;
  /** The latest callback attempts, for the page. Newest first. */
  readonly sentCallbacks: SentCallback[];
  /** Signals that an action of a test phone may be due. */
  readonly wakePhones: () => void;
  /** Signals that a callback may be due. */
  readonly wakeCallbacks: () => void;
}

/** One callback attempt, as the page shows it. */
export interface SentCallback {
  /** UTC milliseconds. */
  at: number;
  durationMs: number;
  method: 'MBWAY' | 'MULTIBANCO';
  /** In EUR. */
  amount: number;
  requestId: string;
  /** From 1. */
  attempt: number;
  /** The HTTP status, or the error. */
  answer: string;
}

export const CREATE_FAULTS = ['refuse', 'error500', 'hang', 'garbage'] as const;
export const CALLBACK_FAULTS = [
  'drop-callback',
  'duplicate-callback',
  'wrong-amount-callback',
  'bad-key-callback',
] as const;
export const INQUIRY_FAULTS = ['error500-inquiry', 'hang-inquiry'] as const;
export const REFUND_FAULTS = [
  'insufficient-refund',
  'refuse-refund',
  'hang-refund',
  'error500-refund',
] as const;
