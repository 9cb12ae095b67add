import { type Dispatcher, Pool } from 'undici';
import { type Delivery, signedHeaders } from '../../delivery/request.ts';

const TIMEOUT_MS = 8000;
const RESPONSE_KEPT_BYTES_MAX = 4096;

export interface Answer {
  readonly status: number;
  readonly durationMs: number;
  /** The start of the body. */
  readonly response: string;
}

export type Post = (url: string, secret: string, delivery: Delivery) => Promise<Answer>;

/**
 * Returns a function that posts deliveries over keep-alive connections to the origin of `url`; it rejects on errors and timeouts.
 */
export function createPost(url: string, ca: string, connections: number): Post {
  const pool = new Pool(new URL(url).origin, { connections, pipelining: 1, connect: { ca } });
  return (to, secret, delivery) =>
    new Promise((resolve, reject) => {
      const headers = signedHeaders(delivery, secret);
      const path = new URL(to).pathname;
      pool.dispatch({ method: 'POST', path, headers, body: delivery.body }, exchange(resolve, reject));
    });
}

/** Returns undici's handler of one request, which avoids a stream per response. */
function exchange(
  resolve: (answer: Answer) => void,
  reject: (error: Error) => void,
): Dispatcher.DispatchHandler {
  const startedAt = Date.now();
  const chunks: Buffer[] = [];
  let controller: Dispatcher.DispatchController | null = null;
  let status = 0;
  const timer = setTimeout(() => controller?.abort(new Error('timed out')), TIMEOUT_MS);
  return {
    onRequestStart(started) {
      controller = started;
    },
    onResponseStart(_controller, statusCode) {
      status = statusCode;
    },
    onResponseData(_controller, chunk) {
      chunks.push(Buffer.from(chunk));
    },
    onResponseEnd() {
      clearTimeout(timer);
      const response = Buffer.concat(chunks).subarray(0, RESPONSE_KEPT_BYTES_MAX).toString('utf8');
      resolve({
        status,
        durationMs: Date.now() - startedAt,
        response: response.replaceAll('\0', '\u{fffd}'),
      });
    },
    onResponseError(_controller, error) {
      clearTimeout(timer);
      reject(error);
    },
  };
}
