import { readRetryAfter } from './repeat.ts';

/** A request that every try sends unchanged. */
export interface Outgoing {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** An answer of the service or of a proxy. */
export interface Answer {
  readonly status: number;
  /** Null when the body is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number;
}

/** A try timed out. */
export class TimeOver extends Error {
  override readonly name = 'TimeOver';
}

/**
 * Sends the request once and reads the answer to its last byte. Throws TimeOver after `timeoutMs`, the reason of `signal`
 * when it is aborted, and the error of fetch when the network fails.
 */
export async function tryOnce(
  fetch: typeof globalThis.fetch,
  request: Outgoing,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new TimeOver(`no answer within ${Math.ceil(timeoutMs)} ms`)),
    timeoutMs,
  );
  try {
    // Raced as well as aborted, because a custom fetch may ignore its signal.
    return await unlessAborted(
      controller.signal,
      unlessAborted(signal, exchange(fetch, request, controller.signal)),
    );
  } finally {
    clearTimeout(timer);
    // Frees the connection when the caller's signal ended the wait.
    controller.abort();
  }
}

/** Settles as `work` does, or rejects with the signal's reason as soon as it is aborted. */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return await work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
  });
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function exchange(
  fetch: typeof globalThis.fetch,
  request: Outgoing,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers,
    ...(request.body !== null && { body: request.body }),
    // Following a redirect could turn a POST into a GET, or send the key to another host.
    redirect: 'manual',
    signal,
  });
  const text = await response.text();
  return {
    status: response.status,
    body: members(text),
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: readRetryAfter(response.headers.get('retry-after'), Date.now()),
  };
}

function members(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
