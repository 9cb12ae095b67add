import type { ErrorCode } from './contract.ts';

export type FailedCall = Pick<CallError, 'requestId' | 'idempotencyKey' | 'tries'>;
type Refusal = FailedCall & Pick<PaymentsError, 'status' | 'code' | 'fields'>;

/** The base of both errors. */
abstract class CallError extends Error {
  /** The id of the call in the service's log: quote it when you ask for support. */
  readonly requestId: string;
  /** The idempotency key of an `init` or a `createSession`, for a retry; null for other calls. */
  readonly idempotencyKey: string | null;
  /** How many times the call was sent. */
  readonly tries: number;

  constructor(sentence: string, call: FailedCall, options?: { cause: unknown }) {
    super(sentence, options);
    this.requestId = call.requestId;
    this.idempotencyKey = call.idempotencyKey;
    this.tries = call.tries;
  }
}

/** The service refused the call. The message is the service's. */
export class PaymentsError extends CallError {
  override readonly name = 'PaymentsError';
  /** The HTTP status. */
  readonly status: number;
  /**
   * The service's code; null when a proxy or another intermediary answered. Then, after a 2xx or a 5xx, it is unknown whether the
   * service processed the call.
   */
  readonly code: ErrorCode | null;
  /** The members at fault, as dotted paths (`customer.email`, `items[0].quantity`); empty when there are none. */
  readonly fields: readonly string[];

  constructor(sentence: string, refusal: Refusal) {
    super(sentence, refusal);
    this.status = refusal.status;
    this.code = refusal.code;
    this.fields = refusal.fields;
  }
}

/** No response arrived: the network failed or the last try timed out. Whether the service processed the call is unknown. */
export class PaymentsConnectionError extends CallError {
  override readonly name = 'PaymentsConnectionError';
  /** `network`: the connection failed. `timeout`: the last try took longer than `timeoutMs`. */
  readonly reason: 'network' | 'timeout';

  constructor(sentence: string, reason: 'network' | 'timeout', call: FailedCall, cause: unknown) {
    super(sentence, call, { cause });
    this.reason = reason;
  }
}
