// The platform's types, if present: in this form the declarations need neither DOM nor Node types.
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
  /** The time for one try, from DNS to the last byte, in milliseconds; 30 000 by default, more than a bank may take. */
  timeoutMs?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: Fetch | undefined;
}

export interface CallOptions {
  /** Ends the call when it is aborted; the call then throws the signal's reason. */
  signal?: CancelSignal | undefined;
}

export interface InitOptions extends CallOptions {
  /**
   * Calls with the same key and input create one transaction or one session, for 7 days; 1 to 255 printable ASCII characters. The
   * default is a new key per call: pass your own where your code may call twice, one for each attempt to pay an order.
   */
  idempotencyKey?: string | undefined;
}
