import { readRetryAfter } from './repeat.ts';
import type { Settings } from './settings.ts';

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

/** The answer, or null with the cause that there is none. */
export type Outcome =
  | { readonly answer: Answer }
  | { readonly answer: null; readonly reason: 'network' | 'timeout'; readonly cause: unknown };

/** Sends the request once and reads the answer to its last byte. Throws only the reason of the caller's signal. */
export async function tryOnce(
  { fetch, timeoutMs }: Pick<Settings, 'fetch' | 'timeoutMs'>,
  request: Outgoing,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const ending = new AbortController();
  const timeout = () => ending.abort(new Error(`no answer within ${timeoutMs} ms`));
  const cancel = () => ending.abort(signal?.reason);
  const timer = setTimeout(timeout, timeoutMs);
  // AbortSignal.any is not in Node.js 18.
  signal?.addEventListener('abort', cancel);
  try {
    return { answer: await exchange(fetch, request, ending.signal) };
  } catch (cause) {
    signal?.throwIfAborted();
    if (ending.signal.aborted) return { answer: null, reason: 'timeout', cause: ending.signal.reason };
    return { answer: null, reason: 'network', cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
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
