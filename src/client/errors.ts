import type { ErrorCode } from './contract.ts';

/** What every failed call can say of itself. */
interface FailedCall {
  /** The id under which the service's log knows the call: quote it to whoever runs the service. */
  readonly requestId: string;
  /** The key under which `init` was called, so that it can be called again; null for the other calls. */
  readonly idempotencyKey: string | null;
  /** How often the call was sent, the first time included. */
  readonly tries: number;
}

interface Refusal extends FailedCall {
  readonly status: number;
  readonly code: ErrorCode | null;
  readonly fields: readonly string[];
}

/** The call was answered, and not with success. The message is the service's own sentence. */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError';
  /** The HTTP status. */
  readonly status: number;
  /** The service's code; null when the answer came from something in between, such as a proxy. */
  readonly code: ErrorCode | null;
  /** The members at fault, as dotted paths (`customer.email`, `items[0].quantity`); empty when none is. */
  readonly fields: readonly string[];
  /** The id under which the service's log knows the call: quote it to whoever runs the service. */
  readonly requestId: string;
  /** The key under which `init` was called, so that it can be called again; null for the other calls. */
  readonly idempotencyKey: string | null;
  /** How often the call was sent, the first time included. */
  readonly tries: number;

  constructor(sentence: string, refusal: Refusal) {
    super(sentence);
    this.status = refusal.status;
    this.code = refusal.code;
    this.fields = refusal.fields;
    this.requestId = refusal.requestId;
    this.idempotencyKey = refusal.idempotencyKey;
    this.tries = refusal.tries;
  }
}

/** No answer came: the network failed, or the time was over. What the service did of the call is not known. */
export class PaymentsConnectionError extends Error {
  override readonly name = 'PaymentsConnectionError';
  /** `network`: the connection failed. `deadline`: the time allowed for one try or for the whole call was over. */
  readonly reason: 'network' | 'deadline';
  /** The id that was sent with the call: the service's log knows it, if the call arrived. */
  readonly requestId: string;
  /** The key under which `init` was called, so that it can be called again; null for the other calls. */
  readonly idempotencyKey: string | null;
  /** How often the call was sent, the first time included. */
  readonly tries: number;

  constructor(sentence: string, reason: 'network' | 'deadline', call: FailedCall, cause: unknown) {
    super(sentence, { cause });
    this.reason = reason;
    this.requestId = call.requestId;
    this.idempotencyKey = call.idempotencyKey;
    this.tries = call.tries;
  }
}
