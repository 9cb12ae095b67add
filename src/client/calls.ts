import { type Calling, callService } from './call.ts';
import type { CallOptions, InitOptions } from './options.ts';
import type { PaymentsClient } from './payments-client.ts';
import { checkedIdempotencyKey, type Settings } from './settings.ts';
import { webCrypto } from './web-crypto.ts';

/** Creates a client with these settings. */
export function clientOf(settings: Settings): PaymentsClient {
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
