import type { Dispatcher } from 'undici';
import type { Clock } from '../../kernel/clock.ts';
import { errorText } from '../../kernel/errors.ts';
import { ATTEMPT_TIMEOUT_MS } from '../delivery/schedule.ts';
import { AnswerTooLarge, type OutgoingRequest, RECEIVED_BYTES_MAX, type Transport } from './transport.ts';

/** The part of a response body that is recorded. */
const RESPONSE_KEPT_BYTES_MAX = 4096;
/** The part of the operator's detail that is recorded; a certificate can name thousands of hosts. */
const DETAIL_LENGTH_MAX = 1000;
/** Interim responses (1xx) of one exchange. */
const INTERIM_RESPONSES_MAX = 16;

/** One text for refused, unreachable and blocked endpoints: different texts would turn the service into a port scanner. */
const UNREACHABLE = 'The endpoint could not be reached over https.';
const INCOMPLETE = 'The endpoint did not complete its answer.';
const TIMED_OUT = `The endpoint did not complete its answer within ${ATTEMPT_TIMEOUT_MS / 1000} seconds.`;
const TOO_LARGE = `The endpoint's answer is larger than ${RECEIVED_BYTES_MAX / 1024} KiB.`;
const TOO_MANY_INTERIM = `The endpoint sent more than ${INTERIM_RESPONSES_MAX} interim (1xx) responses.`;

/** How one attempt ended; delivered when `error` is null. */
export interface AttemptResult {
  /** UTC milliseconds. */
  endedAt: number;
  durationMs: number;
  status: number | null;
  /** What merchants read. */
  error: string | null;
  /** What only the operator reads. */
  errorDetail: string | null;
  /** The start of the response body. */
  response: string | null;
}

/**
 * Sends one POST, which succeeds with a complete 2xx response within the deadline. Never rejects. `owner` is that of the
 * connections: a merchant, or a merchant's recovery.
 */
export async function exchange(
  { clock, transport }: { clock: Clock; transport: Transport },
  owner: string,
  request: OutgoingRequest,
): Promise<AttemptResult> {
  const startedAt = clock.now();
  const { promise, resolve } = Promise.withResolvers<Failure | null>();
  // Timers do not count the time during which the machine was suspended.
  const isLate = () => Math.abs(clock.now() - startedAt) >= ATTEMPT_TIMEOUT_MS;
  const handler = new ResponseReader(resolve, isLate);
  const cancelDeadline = clock.timeout(ATTEMPT_TIMEOUT_MS, () => handler.expire());
  try {
    transport.post(owner, request, handler);
  } catch (error) {
    handler.fail(error);
  }
  const failure = await promise;
  cancelDeadline();
  const endedAt = clock.now();
  return {
    endedAt,
    // The clock may be set back in between.
    durationMs: Math.max(0, endedAt - startedAt),
    status: handler.status,
    error: failure?.text ?? null,
    errorDetail: failure?.detail ?? null,
    response: handler.response,
  };
}

/** Why an exchange failed. */
interface Failure {
  /** What merchants read. */
  text: string;
  /** What only the operator reads. */
  detail?: string;
}

/** Reads one response in bounded memory. undici's `dispatch` calls it, so no stream or abort signal is needed. */
class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #onEnd: (failure: Failure | null) => void;
  readonly #isLate: () => boolean;
  /** Null until the request is sent. */
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  status: number | null = null;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #interimCount = 0;

  /** `onEnd` is called once, with null after a complete 2xx response. A request that `isLate` when it is written is not sent. */
  constructor(onEnd: (failure: Failure | null) => void, isLate: () => boolean) {
    this.#onEnd = onEnd;
    this.#isLate = isLate;
  }

  /** The start of the response body; null without a response. */
  get response(): string | null {
    if (this.status === null) return null;
    return Buffer.concat(this.#kept).toString('utf8');
  }

  /** Ends the exchange at its deadline. A request that still waits for a connection is not sent. */
  expire(): void {
    this.#abort({ text: TIMED_OUT });
  }

  /** Ends the exchange because the endpoint was not reached, or its answer broke off or was too large. */
  fail(error: unknown): void {
    if (error instanceof AnswerTooLarge) this.#end({ text: TOO_LARGE });
    else {
      const detail = errorText(error).slice(0, DETAIL_LENGTH_MAX);
      this.#end({ text: this.status === null ? UNREACHABLE : INCOMPLETE, detail });
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver || this.#isLate()) this.expire();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    const isInterim = status < 200;
    if (!isInterim) this.status = status;
    else if (++this.#interimCount > INTERIM_RESPONSES_MAX) {
      this.#abort({ text: TOO_MANY_INTERIM });
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#keptBytes >= RESPONSE_KEPT_BYTES_MAX) return;
    // A copy, so that the rest of the read is freed.
    const kept = Buffer.from(chunk.subarray(0, RESPONSE_KEPT_BYTES_MAX - this.#keptBytes));
    this.#kept.push(kept);
    this.#keptBytes += kept.length;
  }

  onResponseEnd(): void {
    this.#end(statusFailure(this.status ?? 0));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  /** Ends the exchange and closes its connection. */
  #abort(failure: Failure): void {
    this.#end(failure);
    this.#controller?.abort(new Error(failure.text));
  }

  #end(failure: Failure | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd(failure);
  }
}

function statusFailure(status: number): Failure | null {
  if (status >= 200 && status < 300) return null;
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
  return { text: `The endpoint answered ${status}, not a 2xx status${redirect}.` };
}
