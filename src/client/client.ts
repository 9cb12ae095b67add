import { type Calling, callService } from './call.ts';
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
import type { CallOptions, InitOptions, PaymentsClientOptions } from './options.ts';
import { checkedIdempotencyKey, readOptions } from './settings.ts';
import { webCrypto } from './web-crypto.ts';

export type {
  CreateSessionInput,
  CreateSessionOutput,
  ErrorCode,
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
export { PaymentsConnectionError, PaymentsError } from './errors.ts';
export type { CallOptions, CancelSignal, Fetch, InitOptions, PaymentsClientOptions } from './options.ts';

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

/** Creates a client for one merchant's key. Throws TypeError for invalid options, and in a browser page. */
export function createPaymentsClient(options: PaymentsClientOptions): PaymentsClient {
  refuseBrowserPage();
  const settings = readOptions(options);

  const call = async <Output>(calling: Calling): Promise<Output> =>
    (await callService(settings, (await webCrypto()).randomUUID(), calling)) as Output;
  const post = async <Output>(name: 'mbway' | 'multibanco', input: object, options: CallOptions = {}) =>
    await call<Output>({ name, body: JSON.stringify(input), query: '', idempotencyKey: null, options });
  const create = async <Output>(name: 'init' | 'createSession', input: object, options: InitOptions = {}) => {
    const key = options.idempotencyKey ?? (await webCrypto()).randomUUID();
    const idempotencyKey = checkedIdempotencyKey(key);
    return await call<Output>({ name, body: JSON.stringify(input), query: '', idempotencyKey, options });
  };
  const get = async <Output>(
    name: 'status' | 'methods' | 'session',
    query: string,
    options: CallOptions = {},
  ) => await call<Output>({ name, body: null, query, idempotencyKey: null, options });

  return {
    init: (input, options) => create('init', input, options),
    mbway: (input, options) => post('mbway', input, options),
    multibanco: (input, options) => post('multibanco', input, options),
    status: async ({ transactionId }, options) =>
      await get('status', `?transactionId=${encodeURIComponent(transactionId)}`, options),
    methods: (options) => get('methods', '', options),
    createSession: (input, options) => create('createSession', input, options),
    session: async ({ sessionId }, options) =>
      await get('session', `?sessionId=${encodeURIComponent(sessionId)}`, options),
  };
}

/** Throws in a browser page, where anyone could read the key. Edge runtimes and workers have no document. */
function refuseBrowserPage(): void {
  const { window } = globalThis as { window?: { document?: unknown } };
  if (window?.document === undefined) return;
  throw new TypeError(
    'The payments client does not run in a browser page: the API key is secret, and anyone who opens the page could read it. ' +
      'Call the client from your server, and your server from the page.',
  );
}
