import type { ErrorCode } from './contract.ts';

/** The five calls, as the API names them. */
export type CallName = 'init' | 'mbway' | 'multibanco' | 'status' | 'methods';

/** How a try failed; `status` is null when no answer came. */
export interface TryFailure {
  readonly status: number | null;
  readonly code: ErrorCode | null;
}

/** After the first try a call is sent at most this often again. */
export const REPEATS_MAX = 3;
const BACKOFF_FIRST_MS = 500;
const RETRY_AFTER_MAX_MS = 60_000;

/** What a bank may take to say what became of a push. */
const PUSH_MS = 10_000;

/** The service answers with neither 503 nor 504: then the network failed in front of it. */
const INIT_REPEATED = [500, 502, 503, 504];

/**
 * Whether the same call may be sent again. A 429 was counted and not looked at, so anything may. `init` may whenever it
 * can have been lost, because its key lets the service know it again. A push or a reference may only when the bank
 * never heard of it: whoever repeats a push of unknown outcome sends a second one to the customer's phone.
 */
export function mayRepeat(call: CallName, { status, code }: TryFailure): boolean {
  if (code === 'BANK_OUTCOME_UNKNOWN') return false;
  if (status === 429) return true;
  switch (call) {
    case 'init':
      return status === null || INIT_REPEATED.includes(status);
    case 'mbway':
    case 'multibanco':
      return code === 'BANK_UNAVAILABLE';
    case 'status':
    case 'methods':
      return false;
  }
}

/**
 * Milliseconds until the next try, `repeat` counted from 0: what the service asked for, at most a minute, and on top of it
 * 500, 1000, 2000 ms, of which `random` (0 to 1) takes away up to a half, so that many clients do not come back at once.
 */
export function waitMs(repeat: number, retryAfterMs: number, random: number): number {
  const backoffMs = BACKOFF_FIRST_MS * 2 ** repeat;
  return Math.min(retryAfterMs, RETRY_AFTER_MAX_MS) + backoffMs * (1 - random / 2);
}

/**
 * Milliseconds that a repeat must have before the deadline to be worth its while. A push that is cut off by it may have been
 * sent, where the failure before had said that none was.
 */
export function leftMsMin(call: CallName, tryTimeoutMs: number): number {
  return call === 'mbway' ? Math.min(PUSH_MS, tryTimeoutMs) : 0;
}

/** The header Retry-After, in seconds or as a date, in milliseconds from `now`; 0 without a readable one. */
export function readRetryAfter(header: string | null, now: number): number {
  if (header === null) return 0;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return ms > 0 ? ms : 0;
}
