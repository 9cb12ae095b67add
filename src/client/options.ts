// The platform's own types, where there are any: spelled this way the declarations need neither DOM nor Node types.
type Platform = typeof globalThis;
/** `AbortSignal`. */
export type CancelSignal = Platform extends { AbortSignal: { prototype: infer Signal } } ? Signal : never;
/** The type of `fetch`. */
export type Fetch = Platform extends { fetch: infer Function } ? Function : never;

export interface PaymentsClientOptions {
  /** The service's address with the version, such as `https://payments.example/api/v1`. */
  baseUrl: string;
  /** The merchant's secret key. It belongs on a server, never in a page or an app. */
  apiKey: string;
  /** The whole of a call, all tries and the waits between them, in milliseconds; 90 000 when left out. */
  deadlineMs?: number | undefined;
  /** One try, from name look-up to the last byte, in milliseconds; 30 000 when left out, more than a bank may take. */
  tryTimeoutMs?: number | undefined;
  /** Used in place of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** A number of 0 to 1 for the jitter of the waits; `Math.random` when left out. For tests. */
  random?: (() => number) | undefined;
  /** Waits that many milliseconds, or until the signal is aborted; a timer when left out. For tests. */
  sleep?: ((ms: number, signal?: CancelSignal) => Promise<void>) | undefined;
}

export interface CallOptions {
  /** The whole of this call, in milliseconds, in place of the client's. */
  deadlineMs?: number | undefined;
  /** Ends the call when it is aborted; the call then throws the signal's reason. */
  signal?: CancelSignal | undefined;
}

export interface InitOptions extends CallOptions {
  /**
   * Calls with the same key and input create one transaction, for 7 days; 1 to 255 printable ASCII characters. Made anew for
   * each call when left out: give one of your own, such as the order's number, where your own code may call twice.
   */
  idempotencyKey?: string | undefined;
}
