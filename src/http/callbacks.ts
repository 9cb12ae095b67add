import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { CallbackRequest } from '../banks/port.ts';
import type { Deps } from '../deps.ts';
import { ACQUIRERS, type Acquirer } from '../kernel/acquirer.ts';
import { internalError } from '../rpc/wire-error.ts';
import { readBytes } from './body.ts';
import { clientAddress } from './client-address.ts';
import { splitTarget } from './paths.ts';
import { clientKey } from './rate-limit.ts';

/** Handles an acquirer's callback; resolves to the HTTP status of the response. */
export type ReceiveCallback = (acquirer: Acquirer, request: CallbackRequest) => Promise<200 | 403>;

const BODY_BYTES_MAX = 16 * 1024;
const WINDOW_SECONDS = 60;
/** The most refused callbacks per client and minute. Further ones are refused unchecked; the bank repeats a genuine callback. */
const REFUSED_MAX = 300;

/** ifthenpay's query contains the key and is not logged; EuPago signs the raw body. */
const METHODS: Readonly<Record<Acquirer, 'GET' | 'POST'>> = { ifthenpay: 'GET', eupago: 'POST' };

/** Mounts the acquirers' callbacks. An error is a 500, after which the bank repeats the callback. */
export function mountCallbacks(
  app: FastifyInstance,
  deps: Pick<Deps, 'clock' | 'log'>,
  receiveCallback: ReceiveCallback,
): void {
  const refused = new RateLimiterMemory({ points: REFUSED_MAX, duration: WINDOW_SECONDS });
  const logRefusal = createRefusalLog(deps);

  async function statusOf(acquirer: Acquirer, request: FastifyRequest, body: Buffer): Promise<200 | 403> {
    const client = clientKey(clientAddress(request));
    if (((await refused.get(client))?.consumedPoints ?? 0) >= REFUSED_MAX) return 403;
    const query = new URLSearchParams(splitTarget(request.url)[1]);
    const callback = { method: request.method, headers: request.headers, query, body };
    const status = await receiveCallback(acquirer, callback).catch((error: unknown) => {
      throw internalError(error);
    });
    if (status === 403) {
      await refused.penalty(client);
      logRefusal(acquirer);
    }
    return status;
  }

  async function answer(acquirer: Acquirer, request: FastifyRequest, body: Buffer, reply: FastifyReply) {
    const status = await statusOf(acquirer, request, body);
    return await reply
      .code(status)
      .type('text/plain; charset=utf-8')
      .send(status === 200 ? 'OK' : '');
  }

  for (const acquirer of ACQUIRERS) {
    const method = METHODS[acquirer];
    app.route({
      method,
      url: `/callbacks/${acquirer}`,
      async handler(request, reply) {
        const body = method === 'GET' ? Buffer.alloc(0) : await readBytes(request.raw, BODY_BYTES_MAX);
        return await answer(acquirer, request, body, reply);
      },
    });
  }
}

/** Logs refused callbacks of an acquirer at most once a minute, with their number since the last line. */
function createRefusalLog({ clock, log }: Pick<Deps, 'clock' | 'log'>): (acquirer: Acquirer) => void {
  const states = new Map<Acquirer, { count: number; loggedAt: number }>();
  return (acquirer) => {
    const now = clock.now();
    const state = states.get(acquirer) ?? { count: 0, loggedAt: Number.NEGATIVE_INFINITY };
    states.set(acquirer, state);
    state.count += 1;
    if (Math.abs(now - state.loggedAt) < WINDOW_SECONDS * 1000) return;
    log.warn({ acquirer, count: state.count }, 'bank callbacks with a wrong key were refused');
    states.set(acquirer, { count: 0, loggedAt: now });
  };
}
