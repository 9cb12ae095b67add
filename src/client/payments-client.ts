import type * as wire from './contract.ts';
import type { CallOptions, InitOptions } from './options.ts';

/** The calls. Each throws PaymentsError when the service refuses it and PaymentsConnectionError when no response arrives. */
export interface PaymentsClient {
  /**
   * Creates a pending transaction. A call without a response is retried with the same idempotency key and creates no second
   * transaction.
   */
  init(input: wire.InitInput, options?: InitOptions): Promise<wire.InitOutput>;
  /** Sends an MB WAY push to the customer's phone. It is never retried when it may have been sent (BANK_OUTCOME_UNKNOWN). */
  mbway(input: wire.MbwayInput, options?: CallOptions): Promise<wire.MbwayOutput>;
  /** Creates a Multibanco reference, or returns the live one. */
  multibanco(input: wire.MultibancoInput, options?: CallOptions): Promise<wire.MultibancoOutput>;
  /** Reads the stored state. The webhook is the authoritative confirmation. */
  status(input: wire.StatusInput, options?: CallOptions): Promise<wire.StatusOutput>;
  /** Lists the payment methods. */
  methods(options?: CallOptions): Promise<wire.MethodsOutput>;
  /**
   * Creates a checkout session: redirect the customer's browser to its `url`. It is retried as `init` is and creates no second
   * session.
   */
  createSession(input: wire.CreateSessionInput, options?: InitOptions): Promise<wire.CreateSessionOutput>;
  /** Reads the stored state of a checkout session. */
  session(input: wire.SessionInput, options?: CallOptions): Promise<wire.SessionOutput>;
}
