import type {
  CreateSessionInput,
  CreateSessionOutput,
  InitInput,
  InitOutput,
  MbwayInput,
  MbwayOutput,
  MethodsOutput,
  MultibancoInput,
  MultibancoOutput,
  SessionInput,
  SessionOutput,
  StatusInput,
  StatusOutput,
} from './contract.ts';
import type { CallOptions, InitOptions } from './options.ts';

/** The calls. Each throws PaymentsError when the service refuses it and PaymentsConnectionError when no response arrives. */
export interface PaymentsClient {
  /**
   * Creates a pending transaction. A call without a response is retried with the same idempotency key and creates no second
   * transaction.
   */
  init(input: InitInput, options?: InitOptions): Promise<InitOutput>;
  /** Sends an MB WAY push to the customer's phone. It is never retried when it may have been sent (BANK_OUTCOME_UNKNOWN). */
  mbway(input: MbwayInput, options?: CallOptions): Promise<MbwayOutput>;
  /** Creates a Multibanco reference, or returns the live one. */
  multibanco(input: MultibancoInput, options?: CallOptions): Promise<MultibancoOutput>;
  /** Reads the stored state. The webhook is the authoritative confirmation. */
  status(input: StatusInput, options?: CallOptions): Promise<StatusOutput>;
  /** Lists the payment methods. */
  methods(options?: CallOptions): Promise<MethodsOutput>;
  /**
   * Creates a checkout session: redirect the customer's browser to its `url`. It is retried as `init` is and creates no second
   * session.
   */
  createSession(input: CreateSessionInput, options?: InitOptions): Promise<CreateSessionOutput>;
  /** Reads the stored state of a checkout session. */
  session(input: SessionInput, options?: CallOptions): Promise<SessionOutput>;
}
