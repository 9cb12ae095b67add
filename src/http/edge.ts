import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { ServiceError } from '../kernel/errors.ts';
import { authenticate } from '../rpc/authenticate.ts';
import type { Merchant } from '../rpc/context.ts';
import { invalidBody, notFound } from '../rpc/wire-error.ts';
import { clientAddress } from './client-address.ts';
import type { Connections } from './connections.ts';
import { createErrorHelp, type ErrorHelp } from './error-help.ts';
import { sendFailure } from './failure.ts';
import { type Door, doorOf } from './paths.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Where an answer with an error points to. */
    errorHelp: ErrorHelp;
  }
  interface FastifyRequest {
    door: Door;
    /** Set on the routes of procedures, once the key is known. */
    merchant: Merchant | null;
    /** What the answer said was wrong; for the log. */
    failure: ServiceError | null;
  }
  interface FastifyContextConfig {
    /** Routes that need a merchant's key. */
    needsKey?: boolean;
  }
}

/** For answers that no browser should render, embed or keep. Each costs 0.3 µs: the list holds what means something beside JSON. */
const AT_PROCEDURES = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** What a browser is told besides where it may show a page; pages bring a content policy of their own. */
const EVERYWHERE = {
  ...AT_PROCEDURES,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-permitted-cross-domain-policies': 'none',
};

type EdgeDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'settings'>;

/**
 * What every request meets before its handler, in the contract's order and before any body is read: rate limit,
 * route, key, account. The body, and what it says, is the handlers' affair.
 */
export async function guardEdge(
  app: FastifyInstance,
  deps: EdgeDeps,
  connections: Connections,
): Promise<void> {
  const rateLimit = createRateLimit(deps, deps.settings.postRateLimit);
  app.decorate('errorHelp', createErrorHelp(deps.settings));
  app.decorateRequest('door', 'other');
  app.decorateRequest('merchant', null);
  app.decorateRequest('failure', null);

  app.addHook('onRequest', async (request, reply) => {
    request.door = doorOf(request.url);
    reply.header('x-request-id', request.id).headers(request.door === 'other' ? EVERYWHERE : AT_PROCEDURES);
    if (rateLimit !== null && isCounted(request)) await countPost(rateLimit, request, reply);
    if (connections.isUnmet(request.raw))
      throw invalidBody('The Expect header asks for what this service cannot do.');
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw invalidBody('The Host header is missing.');
    }
    if (hostsIn(request.raw.rawHeaders) > 1) {
      throw invalidBody('The Host header is there more than once.');
    }
    if (request.is404) throw notFound();
    if (request.routeOptions.config.needsKey) {
      request.merchant = await authenticate(deps, request.headers.authorization);
    }
  });
  app.setErrorHandler((error, request, reply) => sendFailure(request, reply, error));
  app.setNotFoundHandler((request, reply) => sendFailure(request, reply, notFound()));

  // The handlers read bodies themselves: to the framework no method has one. Its way to the parser of a content type that leaves it
  // unread took 2 % of an init.
  for (const method of app.supportedMethods)
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  app.addHook('preHandler', (request, _reply, done) => {
    connections.goAhead(request.raw);
    done();
  });
}

/** Node keeps the first of several; its view of all of them is made of every header, for 2 µs. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

function isCounted(request: FastifyRequest): boolean {
  return request.method === 'POST' && request.door !== 'other';
}

async function countPost(rateLimit: RateLimit, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { limit, remaining, resetSeconds, exceeded } = await rateLimit.count(clientAddress(request));
  reply
    .header('ratelimit-limit', String(limit))
    .header('ratelimit-remaining', String(remaining))
    .header('ratelimit-reset', String(resetSeconds));
  if (!exceeded) return;
  reply.header('retry-after', String(resetSeconds));
  throw new ServiceError(
    'RATE_LIMITED',
    `Too many POST requests: at most ${limit} a minute. Try again in ${resetSeconds} s, and wait longer each time.`,
  );
}
