import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { RequestLog } from '../requests/log.ts';
import type { Operations } from '../rpc/operation.ts';
import { logRequests } from './access-log.ts';
import { mountCallbacks, type ReceiveCallback } from './callbacks.ts';
import { forwardingTrust } from './client-address.ts';
import { Connections } from './connections.ts';
import { guardEdge } from './edge.ts';
import { sendFailure } from './failure.ts';
import { mountOperations } from './operations.ts';
import { routableTarget } from './paths.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

const LIMITS = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  timeoutCheckMs: 1000,
  /** How long a connection may be idle during a request; longer than the slowest call to the bank. */
  stalledTimeoutMs: 600_000,
  keepAliveTimeoutMs: 65_000,
  headerBytesMax: 16 * 1024,
  /** How long connections stay open after a stop, for requests that are arriving. */
  stopLingerMs: 250,
  /** How long a stop waits at least before it closes the connections of running requests. */
  stopFinishMs: 10_000,
};
/** A request calls the bank at most this often: the second time at the fallback. */
const CALLS_PER_REQUEST = 2;
/** How long a stop waits for running requests beyond the time that the bank may take. */
const STOP_SLACK_MS = 1000;

export interface HttpServerOptions {
  readonly deps: Deps;
  readonly operations: Operations;
  readonly receiveCallback: ReceiveCallback;
  readonly requestLog: RequestLog;
  /** Each plugin registers its routes on the given instance. */
  readonly plugins?: readonly ((app: FastifyInstance) => Promise<void>)[];
  readonly limits?: Partial<typeof LIMITS>;
}

/** Creates the HTTP listener: REST, tRPC, the bank's callback and the routes of the plugins. */
export function createHttpServer(options: HttpServerOptions) {
  const limits = { ...LIMITS, ...options.limits };
  const { settings, ids } = options.deps;
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    trustProxy: forwardingTrust(settings.trustProxy),
    genReqId: ({ headers: { 'x-request-id': given } }) =>
      typeof given === 'string' && REQUEST_ID.test(given) ? given : ids('req'),
    rewriteUrl: (request) => routableTarget(request.url ?? '/'),
    // The router refuses a longer parameter of a path before any hook runs; its default is 100 characters.
    routerOptions: { maxParamLength: limits.headerBytesMax },
    frameworkErrors: (error, request, reply) => void sendFailure(request, reply, error),
    clientErrorHandler: (fault, socket) => connections.refuse(fault, socket),
    connectionTimeout: limits.stalledTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    http: {
      // Node's response to a missing Host header has no body.
      requireHostHeader: false,
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
    },
  });
  const connections = new Connections(app.server, options.deps);
  const stop = async () => {
    const finishMs = Math.max(
      limits.stopFinishMs,
      settings.bankTimeoutMs * CALLS_PER_REQUEST + STOP_SLACK_MS,
    );
    if (app.server.listening) await connections.stop(limits.stopLingerMs, finishMs);
    // Ends the HTTP server's timers as well.
    app.server.close(() => {});
    await app.close();
  };
  let stopped: Promise<void> | null = null;
  return {
    /** Starts listening; port 0 takes a free one. Throws OperatorError when the address is not available. */
    async listen(host: string, port: number) {
      await addRoutes(app, options);
      return await listenOn(app.server, host, port);
    },
    /** Stops accepting connections and finishes running and arriving requests, which may wait for the bank. */
    close(): Promise<void> {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function addRoutes(app: FastifyInstance, options: HttpServerOptions): Promise<void> {
  const { deps, operations } = options;
  logRequests(app, deps, options.requestLog);
  guardEdge(app, deps);
  mountOperations(app, deps, operations);
  mountCallbacks(app, deps, options.receiveCallback);
  for (const plugin of options.plugins ?? []) await app.register((scope) => plugin(scope));
  await app.ready();
}

async function listenOn(server: Server, host: string, port: number): Promise<{ host: string; port: number }> {
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (error) {
    throw unlistenable(error as NodeJS.ErrnoException, host, port);
  }
  return { host, port: (server.address() as AddressInfo).port };
}

function unlistenable({ code, message }: NodeJS.ErrnoException, host: string, port: number): OperatorError {
  const known: Readonly<Record<string, string>> = {
    EADDRINUSE: `SERVICE_PORT ${port} is taken on ${host}; stop what listens there or choose another port`,
    EACCES: `SERVICE_PORT ${port} needs privileges that this process lacks; choose another port`,
  };
  const other = `Cannot listen on SERVICE_HOST ${host}, SERVICE_PORT ${port}: ${message}`;
  return new OperatorError(known[code ?? ''] ?? other);
}
