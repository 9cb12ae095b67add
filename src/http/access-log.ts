import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import type { RequestLog } from '../requests/log.ts';
import { splitTarget } from './paths.ts';

const PATH_LENGTH_MAX = 100;
/** Matches a possible token of a payment page, percent-encoded or not, with which anyone can open the page. */
const TOKEN = /(?:[\w-]|%[\da-f]{2}){22,}/gi;
/** Matches a query in the path, after a question mark that proxies escaped once or more. */
const ESCAPED_QUERY = /%(?:25)*3f.*/i;
/** The route of every unknown path, so that a scan does not fill the metrics. */
const UNMATCHED = 'unmatched';

type LogDeps = Pick<Deps, 'log' | 'metrics' | 'clock' | 'ids'>;

/**
 * Logs and counts every request, and adds those of a merchant to the request log. Never logs a query, a header or a body.
 */
export function logRequests(app: FastifyInstance, deps: LogDeps, requestLog: RequestLog): void {
  const add = (request: FastifyRequest, reply: FastifyReply): void => {
    logAnswer(deps, request, reply);
    addToRequestLog(deps, requestLog, request, reply);
  };
  app.addHook('onResponse', (request, reply, done) => {
    add(request, reply);
    done();
  });
  const closedEarly = new WeakSet<FastifyRequest>();
  app.addHook('onSend', (request, reply, _payload, done) => {
    // `onResponse` does not follow when the connection was closed before the answer. A stream is then answered again, with an error.
    if (request.socket.destroyed && !closedEarly.has(request)) {
      closedEarly.add(request);
      add(request, reply);
    }
    done();
  });
}

function logAnswer(deps: Pick<Deps, 'log' | 'metrics'>, request: FastifyRequest, reply: FastifyReply): void {
  const { method, failure, merchant } = request;
  const route = request.is404 ? undefined : request.routeOptions.url;
  const status = reply.statusCode;
  deps.metrics.request(route ?? UNMATCHED, method, status, reply.elapsedTime / 1000);
  if (failure === null && !deps.log.isLevelEnabled('info')) return;
  const [target] = splitTarget(request.url);
  const path = target.replace(ESCAPED_QUERY, '').replace(TOKEN, '[masked]').slice(0, PATH_LENGTH_MAX);
  const line = {
    requestId: request.id,
    method,
    route: route ?? path,
    status,
    ms: Math.round(reply.elapsedTime),
    ...(merchant && { merchantId: merchant.id }),
    ...(failure && { code: failure.code }),
    ...(failure?.detail !== undefined && { detail: failure.detail }),
    ...(!reply.raw.writableFinished && { aborted: true }),
  };
  if (failure?.code === 'INTERNAL_ERROR') {
    const { cause } = failure;
    const stack = cause instanceof Error ? cause.stack : undefined;
    deps.log.error({ ...line, cause: errorText(cause), stack }, 'request failed');
  } else if (status === 502) {
    deps.log.warn(line, 'request failed at the bank');
  } else {
    deps.log.info(line, 'request');
  }
}

/** The status of a request whose client closed the connection before the answer. */
const CLOSED_EARLY = 499;

function addToRequestLog(
  { clock, ids }: LogDeps,
  requestLog: RequestLog,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { merchant } = request;
  if (merchant === null || request.endpoint === 'other') return;
  const status = reply.raw.writableFinished ? reply.statusCode : CLOSED_EARLY;
  const elapsedMs = reply.elapsedTime;
  requestLog.add(merchant.id, status >= 400, () => ({
    id: ids('req'),
    merchant_id: merchant.id,
    key_id: merchant.keyId,
    at: Math.round(clock.now() - elapsedMs),
    method: request.method,
    path: request.routeOptions.url ?? '',
    status,
    code: request.failure?.code ?? null,
    duration_ms: Math.round(elapsedMs),
    idempotent: request.headers['idempotency-key'] === undefined ? 0 : 1,
    transaction_id: request.transactionId,
  }));
}
