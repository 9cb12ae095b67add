import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Deps } from '../deps.ts';
import { ERROR_TEXTS, ServiceError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { authenticate } from '../rpc/authenticate.ts';
import type { Merchant } from '../rpc/context.ts';
import { batchingOff, invalidBody, notFound } from '../rpc/wire-error.ts';
import { discardBody } from './body.ts';
import { clientAddress } from './client-address.ts';
import { createErrorHelp, type ErrorHelp } from './error-help.ts';
import { sendFailure } from './failure.ts';
import { type Endpoint, endpointOf, splitTarget, TRPC_PREFIX } from './paths.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyInstance {
    errorHelp: ErrorHelp;
  }
  interface FastifyRequest {
    endpoint: Endpoint;
    /** Set on routes that need a key, once the key is verified. */
    merchant: Merchant | null;
    /** The transaction that the call is about, for the request log. */
    transactionId: Id<'tx'> | null;
    /** The error of the response, for the log. */
    failure: ServiceError | null;
  }
  interface FastifyContextConfig {
    /** Routes that need a merchant's key. */
    needsKey?: boolean;
  }
}

/** Headers of JSON responses, which browsers must not render, embed or cache. */
const API_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Headers of all other responses; pages replace the content security policy. */
const PAGE_HEADERS = {
  ...API_HEADERS,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-permitted-cross-domain-policies': 'none',
};

type EdgeDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'settings'>;

/**
 * Adds the checks that every request passes before its handler, in the contract's order and before its body is read: rate limit,
 * route, key, account.
 */
export function guardEdge(app: FastifyInstance, deps: EdgeDeps): void {
  const rateLimit = createRateLimit(deps, deps.settings.postRateLimit);
  app.decorate('errorHelp', createErrorHelp(deps.settings));
  app.decorateRequest('endpoint', 'other');
  app.decorateRequest('merchant', null);
  app.decorateRequest('transactionId', null);
  app.decorateRequest('failure', null);

  app.addHook('onRequest', async (request, reply) => {
    // Discards a body that no handler reads: its chunks would stay in memory until the response ends.
    if (request.method !== 'POST') request.raw.resume();
    request.endpoint = endpointOf(request.url);
    reply
      .header('x-request-id', request.id)
      .headers(request.endpoint === 'other' ? PAGE_HEADERS : API_HEADERS);
    const isCounted = request.method === 'POST' && request.endpoint !== 'other';
    if (rateLimit !== null && isCounted) await countPost(rateLimit, request, reply);
    requireSoundHead(request);
    if (request.is404) throw isBatch(app, request) ? batchingOff() : notFound();
    if (request.routeOptions.config.needsKey) {
      request.merchant = await authenticate(deps, request.headers.authorization);
    }
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    // After a request with an Upgrade header, Node ignores the next one if the response ended before the body.
    if (request.headers.upgrade === undefined) done();
    else discardBody(request.raw).then(() => done(), done);
  });
  app.setErrorHandler((error, request, reply) => sendFailure(request, reply, error));
  app.setNotFoundHandler((request, reply) => sendFailure(request, reply, notFound()));

  // Handlers read bodies themselves.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** Whether a tRPC client sent several calls, all of procedures that exist, in one request. */
function isBatch(app: FastifyInstance, { endpoint, method, url }: FastifyRequest): boolean {
  const [path, query] = splitTarget(url);
  if (endpoint !== 'trpc' || !new URLSearchParams(query).has('batch')) return false;
  const names = path.slice(`${TRPC_PREFIX}/`.length).split(/,|%2C/i);
  // Only plain names, because a route is looked up by its pattern.
  return names.every(
    (name) =>
      /^\w+\.\w+$/.test(name) &&
      app.hasRoute({ method: method as HTTPMethods, url: `${TRPC_PREFIX}/${name}` }),
  );
}

/** Throws INVALID_BODY for headers that Node accepts, or refuses with a status that is not in the contract. */
function requireSoundHead({ headers, raw }: FastifyRequest): void {
  if (headers.expect !== undefined && !/100-continue/i.test(headers.expect)) {
    throw invalidBody('The service does not support this Expect header. Send the request without it.');
  }
  if (raw.httpVersion === '1.1' && headers.host === undefined) {
    throw invalidBody('The Host header is missing.');
  }
  const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw invalidBody('The request has more than one Host header. Send one.');
}

async function countPost(rateLimit: RateLimit, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { limit, remaining, resetSeconds, exceeded } = await rateLimit.count(clientAddress(request));
  reply
    .header('ratelimit-limit', String(limit))
    .header('ratelimit-remaining', String(remaining))
    .header('ratelimit-reset', String(resetSeconds));
  if (!exceeded) return;
  reply.header('retry-after', String(resetSeconds));
  throw new ServiceError('RATE_LIMITED', ERROR_TEXTS.RATE_LIMITED(limit, resetSeconds));
}
