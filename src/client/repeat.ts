import type { ErrorCode } from './contract.ts';

/** The calls, with their tRPC names. */
export type CallName = 'init' | 'mbway' | 'multibanco' | 'status' | 'methods' | 'createSession' | 'session';

/** The failure of a try; `status` is null without an answer. */
export interface TryFailure {
  readonly status: number | null;
  readonly code: ErrorCode | null;
}

/** The most retries of a call. */
export const REPEATS_MAX = 3;
const BACKOFF_FIRST_MS = 500;
const RETRY_AFTER_MAX_MS = 60_000;

/** The statuses after which a call with an idempotency key is retried; 503 and 504 come from a proxy in front of the service. */
const CREATE_REPEATED = [500, 502, 503, 504];

/**
 * Returns whether the same call may be sent again: any call after a 429, which had no effect; a call that creates after a lost
 * answer, because of its idempotency key; a push or a reference only when the bank was not reached, or the customer could get a
 * second push.
 */
export function mayRepeat(call: CallName, { status, code }: TryFailure): boolean {
  if (code === 'BANK_OUTCOME_UNKNOWN') return false;
  if (status === 429) return true;
  if (call === 'init' || call === 'createSession') return status === null || CREATE_REPEATED.includes(status);
  return (call === 'mbway' || call === 'multibanco') && code === 'BANK_UNAVAILABLE';
}

/**
 * Returns the milliseconds until the next try, `repeat` counted from 0: Retry-After, at most a minute, plus 500, 1000, 2000 ms,
 * which `random` (0 to 1) reduces by up to a half.
 */
export function waitMs(repeat: number, retryAfterMs: number, random: number): number {
  const backoffMs = BACKOFF_FIRST_MS * 2 ** repeat;
  return Math.min(retryAfterMs, RETRY_AFTER_MAX_MS) + backoffMs * (1 - random / 2);
}

/** Returns Retry-After in milliseconds from `now`; 0 when it is absent or unreadable. */
export function readRetryAfter(header: string | null, now: number): number {
  if (header === null) return 0;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return ms > 0 ? ms : 0;
}
