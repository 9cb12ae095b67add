import type { Dispatcher } from 'undici';
import type { Clock } from '../kernel/clock.ts';
import { errorText } from '../kernel/errors.ts';
import { ATTEMPT_TIMEOUT_MS } from './schedule.ts';
import type { Transport } from './transport.ts';

/** What is kept of an answer. */
const RESPONSE_KEPT_BYTES_MAX = 4096;
/** What is read of an answer, most of it thrown away; one that is larger counts as never ending, hence as failed. */
const RESPONSE_READ_BYTES_MAX = 1024 * 1024;

/** One text for refused, unreachable and blocked: told apart, they would make the service a port scanner. */
const UNREACHABLE = 'The endpoint could not be reached over https.';
const TIMED_OUT = `The endpoint did not complete its answer within ${ATTEMPT_TIMEOUT_MS / 1000} seconds.`;
const TOO_LARGE = `The endpoint's answer is larger than ${RESPONSE_READ_BYTES_MAX / 1024} KiB.`;

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
  const signal = deps.clock.deadline(ATTEMPT_TIMEOUT_MS);
  const seen: Seen = { status: null, kept: [] };
  const fault = await exchange(deps.transport, outgoing, signal, seen);
  const endedAt = deps.clock.now();
  return {
    endedAt,
    durationMs: endedAt - startedAt,
    status: seen.status,
    error: fault?.text ?? null,
    errorDetail: fault?.detail ?? null,
    response: seen.status === null ? null : keptText(seen.kept),
  };
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

interface Seen {
  status: number | null;
  kept: Buffer[];
}

interface Fault {
  text: string;
  detail: string | null;
}

async function exchange(
  transport: Transport,
  { owner, ...request }: Outgoing,
  signal: AbortSignal,
  seen: Seen,
): Promise<Fault | null> {
  try {
    const { statusCode, body } = await transport.post(owner, { ...request, signal });
    seen.status = statusCode;
    const complete = await readStart(body, seen.kept);
    return complete ? statusFault(statusCode) : { text: TOO_LARGE, detail: null };
  } catch (error) {
    return { text: signal.aborted ? TIMED_OUT : UNREACHABLE, detail: errorText(error) };
  }
}

/** Reads the body, keeping its start; false when it passes the limit. */
async function readStart(body: Dispatcher.ResponseData['body'], kept: Buffer[]): Promise<boolean> {
  let readBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (readBytes < RESPONSE_KEPT_BYTES_MAX) {
      kept.push(Buffer.from(chunk.subarray(0, RESPONSE_KEPT_BYTES_MAX - readBytes)));
    }
    readBytes += chunk.length;
    // Leaving the loop destroys the body and its connection.
    if (readBytes > RESPONSE_READ_BYTES_MAX) return false;
  }
  return true;
}

function statusFault(status: number): Fault | null {
  if (status >= 200 && status < 300) return null;
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
  return { text: `The endpoint answered ${status}, not a 2xx status${redirect}.`, detail: null };
}

function keptText(kept: Buffer[]): string {
  // PostgreSQL's text cannot hold NUL.
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '\u{fffd}');
}
