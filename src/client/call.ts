import type { ErrorCode } from './contract.ts';
import { type FailedCall, PaymentsConnectionError, PaymentsError } from './errors.ts';
import type { CallOptions, InitOptions } from './options.ts';
import type { PaymentsClient } from './payments-client.ts';
import { type CallName, mayRepeat, REPEATS_MAX, waitMs } from './repeat.ts';
import { checkedIdempotencyKey, type Settings } from './settings.ts';
import { type Answer, type Outcome, type Outgoing, tryOnce } from './try-once.ts';
import { webCrypto } from './web-crypto.ts';

/** Creates a client with these settings. */
export function clientOf(settings: Settings): PaymentsClient {
  const call = <Output>(calling: Calling) => callService<Output>(settings, calling);
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

/** One call, which may take several tries. */
interface Calling {
  readonly name: CallName;
  /** JSON; null for a GET. */
  readonly body: string | null;
  /** With the question mark, or empty. */
  readonly query: string;
  readonly idempotencyKey: string | null;
  readonly options: CallOptions;
}

/**
 * Calls the service until the call succeeds or fails in a way that must not be retried, at most four times. Resolves to the body
 * of the answer. Throws PaymentsError, PaymentsConnectionError, or the reason of the caller's signal.
 */
async function callService<Output>(settings: Settings, calling: Calling): Promise<Output> {
  const requestId = (await webCrypto()).randomUUID();
  const request = outgoing(settings, requestId, calling);
  const signal: AbortSignal | undefined = calling.options.signal;
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const outcome = await tryOnce(settings, request, signal);
    const { answer } = outcome;
    if (answer?.status === 200 && answer.body !== null) return answer.body as Output;
    const failure = { status: answer?.status ?? null, code: answer && codeOf(answer) };
    if (tries > REPEATS_MAX || !mayRepeat(calling.name, failure)) {
      const { name, idempotencyKey } = calling;
      throw errorOf(name, request, outcome, { requestId, idempotencyKey, tries });
    }
    await settings.sleep(waitMs(tries - 1, answer?.retryAfterMs ?? 0, settings.random()), signal);
  }
}

function outgoing(settings: Settings, requestId: string, calling: Calling): Outgoing {
  const { name, body, query, idempotencyKey } = calling;
  return {
    url: `${addressOf(settings, name)}${query}`,
    method: body === null ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${settings.apiKey}`,
      'x-request-id': requestId,
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    },
    body,
  };
}

function addressOf({ baseUrl }: Settings, name: CallName): string {
  const isCheckout = name === 'createSession' || name === 'session';
  return isCheckout
    ? `${baseUrl.replace(/\/api\/v1$/, '')}/checkout/v1/sessions`
    : `${baseUrl}/payments/${name}`;
}

/** Returns null when the answer is not the service's, for example from a proxy. */
function codeOf({ status, body }: Answer): ErrorCode | null {
  return status !== 200 && typeof body?.code === 'string' ? (body.code as ErrorCode) : null;
}

function errorOf(name: CallName, request: Outgoing, outcome: Outcome, call: FailedCall): Error {
  const where = `${request.method} ${request.url.replace(/\?.*/, '')}`;
  if (outcome.answer === null) {
    const { reason, cause } = outcome;
    const sentence = `${where} got no answer: ${reasonOf(cause)}. ${NEXT[name]}`;
    return new PaymentsConnectionError(sentence, reason, call, cause);
  }
  const { answer } = outcome;
  const code = codeOf(answer);
  const said = answer.body?.error;
  const fields = Array.isArray(answer.body?.fields) ? answer.body.fields.map(String) : [];
  // A proxy may have forwarded a call that it answers with a 5xx, or with a 2xx that is not the service's.
  const next = answer.status >= 500 || answer.status < 300 ? ` ${NEXT[name]}` : '';
  const sentence =
    code !== null && typeof said === 'string'
      ? said
      : `${where} was answered ${answer.status} by something other than the payment service. Check baseUrl and any proxy in between.${next}`;
  const requestId = answer.requestId ?? call.requestId;
  return new PaymentsError(sentence, { ...call, requestId, status: answer.status, code, fields });
}

/** The unknown outcome after a lost or unreadable answer or a proxy's 5xx, and the remedy. */
const NEXT: Readonly<Record<CallName, string>> = {
  init: 'It is unknown whether the transaction was created. Call init again with the idempotencyKey of this error; it creates no second transaction.',
  mbway:
    'It is unknown whether the push was sent. Read the status or wait for the webhook before you send another.',
  multibanco: 'Call multibanco again: it returns an existing reference and creates no second one.',
  status: 'Nothing was changed. Call again.',
  methods: 'Nothing was changed. Call again.',
  createSession:
    'It is unknown whether the session was created. Call createSession again with the idempotencyKey of this error; it creates no second session.',
  session: 'Nothing was changed. Call again.',
};

/** Returns the message with the message of its cause, which describes the failure. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { message } = cause;
  return cause.cause instanceof Error && cause.cause.message !== ''
    ? `${message} (${cause.cause.message})`
    : message.replace(/\.$/, '');
}
