import type { PaymentsClientOptions } from './options.ts';

const TIMEOUT_MS = 30_000;
/** The longest delay of a timer. */
const MS_MAX = 2 ** 31 - 1;

/** The validated options with their defaults. */
export interface Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  /** A number of 0 to 1 for the jitter of the waits. */
  readonly random: () => number;
  /** Waits, at most until the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Validates the options. Throws TypeError, whose message never contains the key. */
export function readOptions(options: PaymentsClientOptions): Settings {
  return {
    baseUrl: checkedBaseUrl(options.baseUrl),
    apiKey: checkedKey(options.apiKey),
    timeoutMs: checkedTimeout(options.timeoutMs ?? TIMEOUT_MS),
    // Looked up at each call, because test tools replace it later.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    random: Math.random,
    sleep: pause,
  };
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });
}

function checkedBaseUrl(given: unknown): string {
  const example = 'such as https://payments.example/api/v1';
  const url = typeof given === 'string' ? parsedUrl(given.trim()) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl must be the http or https address of the service, ${example}.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError(`baseUrl must have no credentials, query or fragment, ${example}.`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith('/api/v1')) throw new TypeError(`baseUrl must end in /api/v1, ${example}.`);
  return url.origin + path;
}

function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function checkedKey(given: unknown): string {
  const key = typeof given === 'string' ? given.trim() : '';
  if (key === '')
    throw new TypeError('apiKey is missing: copy it from the page Developers of the back office.');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError('apiKey contains invalid characters: copy it again, without the word Bearer.');
  }
  return key;
}

/** Returns the key if a header can contain it unchanged. Throws TypeError. */
export function checkedIdempotencyKey(given: unknown): string {
  if (typeof given === 'string' && /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(given)) return given;
  throw new TypeError(
    'idempotencyKey must be 1 to 255 printable ASCII characters, without a space at either end.',
  );
}

function checkedTimeout(ms: unknown): number {
  if (typeof ms === 'number' && ms > 0 && ms <= MS_MAX) return ms;
  throw new TypeError(`timeoutMs must be a number of milliseconds above 0 and at most ${MS_MAX}.`);
}
