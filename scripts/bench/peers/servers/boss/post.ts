import { type Dispatcher, Pool } from 'undici';
import { type Delivery, signedHeaders } from '../../../deliveries/request.ts';

const TIMEOUT_MS = 8000;
const RESPONSE_KEPT_BYTES_MAX = 4096;

export interface Answer {
  readonly status: number;
  readonly durationMs: number;
  /** The start of the body. */
  readonly response: string;
}

export type Post = (url: string, secret: string, delivery: Delivery) => Promise<Answer>;

/** Posts over kept connections to the origin of `url`; an attempt that fails or takes too long is thrown. */
export function createPost(url: string, ca: string, connections: number): Post {
  const pool = new Pool(new URL(url).origin, { connections, pipelining: 1, connect: { ca } });
  return (to, secret, delivery) =>
    new Promise((resolve, reject) => {
      const headers = signedHeaders(delivery, secret);
      const path = new URL(to).pathname;
      pool.dispatch({ method: 'POST', path, headers, body: delivery.body }, new Exchange(resolve, reject));
    });
}

/** Hears one exchange by undici's handler: no stream for each answer, and a timer instead of a signal. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  readonly #startedAt = Date.now();
  readonly #deadline = setTimeout(() => this.#controller?.abort(new Error('timed out')), TIMEOUT_MS);
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #bytes = 0;
  readonly #kept: Buffer[] = [];

  constructor(resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const left = RESPONSE_KEPT_BYTES_MAX - this.#bytes;
    if (left > 0) this.#kept.push(Buffer.from(chunk.subarray(0, left)));
    this.#bytes += chunk.length;
  }

  onResponseEnd(): void {
    clearTimeout(this.#deadline);
    const response = Buffer.concat(this.#kept).toString('utf8').replaceAll('\0', '\u{fffd}');
    this.#resolve({ status: this.#status, durationMs: Date.now() - this.#startedAt, response });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#deadline);
    this.#reject(error);
  }
}
