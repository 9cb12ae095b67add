import type { Clock } from '../../kernel/clock.ts';
import { Exchange, type Fault } from '../transport/exchange.ts';
import type { Transport } from '../transport/transport.ts';
import { ATTEMPT_TIMEOUT_MS } from './schedule.ts';

export interface Outgoing {
  /** Who has connections of its own: a merchant, or a merchant's recovery. */
  owner: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** How one attempt ended; delivered when `error` is null. */
export interface AttemptResult {
  /** UTC milliseconds. */
  endedAt: number;
  durationMs: number;
  status: number | null;
  /** What merchants read. */
  error: string | null;
  /** What the operator reads besides. */
  errorDetail: string | null;
  /** The start of the answer's body. */
  response: string | null;
}

/**
 * Makes one attempt: one POST, answered with 2xx to its last byte within the deadline, or failed. Never throws.
 * The answer is read in bounded memory.
 */
export async function deliver(
  deps: { clock: Clock; transport: Transport },
  outgoing: Outgoing,
): Promise<AttemptResult> {
  const startedAt = deps.clock.now();
  const { exchange, fault } = await exchanged(deps, outgoing);
  const endedAt = deps.clock.now();
  return {
    endedAt,
    durationMs: endedAt - startedAt,
    status: exchange.status,
    error: fault?.text ?? null,
    errorDetail: fault?.detail ?? null,
    response: exchange.response,
  };
}

function exchanged(
  { clock, transport }: { clock: Clock; transport: Transport },
  { owner, ...request }: Outgoing,
): Promise<{ exchange: Exchange; fault: Fault | null }> {
  return new Promise((resolve) => {
    const exchange = new Exchange((fault) => {
      cancelDeadline();
      resolve({ exchange, fault });
    });
    const cancelDeadline = clock.timeout(ATTEMPT_TIMEOUT_MS, () => exchange.expire());
    try {
      transport.post(owner, request, exchange);
    } catch (error) {
      exchange.fail(error);
    }
  });
}

/** The result of an attempt that failed on our side, before anything was sent. */
export function failedUnsent(now: number, detail: string): AttemptResult {
  return {
    endedAt: now,
    durationMs: 0,
    status: null,
    error: 'The service could not make the request; it will be looked into.',
    errorDetail: detail,
    response: null,
  };
}
