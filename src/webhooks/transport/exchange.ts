import type { Dispatcher } from 'undici';
import { errorText } from '../../kernel/errors.ts';
import { ATTEMPT_TIMEOUT_MS } from '../delivery/schedule.ts';

/** What is kept of an answer. */
const RESPONSE_KEPT_BYTES_MAX = 4096;
/** What is read of an answer, most of it thrown away; one that is larger counts as never ending, hence as failed. */
const RESPONSE_READ_BYTES_MAX = 1024 * 1024;

/** One text for refused, unreachable and blocked: told apart, they would make the service a port scanner. */
const UNREACHABLE = 'The endpoint could not be reached over https.';
const TIMED_OUT = `The endpoint did not complete its answer within ${ATTEMPT_TIMEOUT_MS / 1000} seconds.`;
const TOO_LARGE = `The endpoint's answer is larger than ${RESPONSE_READ_BYTES_MAX / 1024} KiB.`;

/** Why an exchange failed. */
export interface Fault {
  /** What merchants read. */
  text: string;
  /** What the operator reads besides. */
  detail: string | null;
}

/**
 * Hears one exchange and keeps the start of its answer, in bounded memory. Handed to undici's `dispatch`: no
 * stream for each answer, and no signal for each deadline.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #ended: (fault: Fault | null) => void;
  /** Null until the request leaves, name look-up and handshake included. */
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  #status: number | null = null;
  readonly #kept: Buffer[] = [];
  #readBytes = 0;

  /** `ended` is called once, when the deadline is over at the latest: with null after an answer of 2xx to its last byte. */
  constructor(ended: (fault: Fault | null) => void) {
    this.#ended = ended;
  }

  get status(): number | null {
    return this.#status;
  }

  /** The start of the answer's body; null when there was no answer. */
  get response(): string | null {
    if (this.#status === null) return null;
    // PostgreSQL's text cannot hold NUL.
    return Buffer.concat(this.#kept).toString('utf8').replaceAll('\0', '\u{fffd}');
  }

  /**
   * The deadline is over, also when no connection stands yet: undici's own limit for that comes up to a second late. The
   * request does not leave any more.
   */
  expire(): void {
    this.#cut({ text: TIMED_OUT, detail: null });
  }

  /** It could not even be begun. */
  fail(error: unknown): void {
    this.#end({ text: UNREACHABLE, detail: errorText(error) });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error(TIMED_OUT));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    const isInterim = status < 200;
    if (!isInterim) this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#readBytes < RESPONSE_KEPT_BYTES_MAX) {
      // A copy: the chunk lies in a buffer that the next read overwrites.
      this.#kept.push(Buffer.from(chunk.subarray(0, RESPONSE_KEPT_BYTES_MAX - this.#readBytes)));
    }
    this.#readBytes += chunk.length;
    if (this.#readBytes > RESPONSE_READ_BYTES_MAX) this.#cut({ text: TOO_LARGE, detail: null });
  }

  onResponseEnd(): void {
    this.#end(statusFault(this.#status ?? 0));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  /** Ends the exchange and closes its connection. */
  #cut(fault: Fault): void {
    this.#end(fault);
    this.#controller?.abort(new Error(fault.text));
  }

  #end(fault: Fault | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended(fault);
  }
}

function statusFault(status: number): Fault | null {
  if (status >= 200 && status < 300) return null;
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
  return { text: `The endpoint answered ${status}, not a 2xx status${redirect}.`, detail: null };
}
