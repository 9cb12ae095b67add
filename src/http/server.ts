import type { Server } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Operations } from '../rpc/operation.ts';
import { logRequests } from './access-log.ts';
import { mountCallbackDoor, type ReceiveCallback } from './callback-door.ts';
import { forwardingTrust } from './client-address.ts';
import { type Connections, watchConnections } from './connections.ts';
import { guardEdge } from './edge.ts';
import { sendFailure } from './failure.ts';
import { mountOperations } from './operations.ts';
import { routableTarget } from './paths.ts';
import { requestIdOf } from './request-id.ts';

/** How slow a client may be, and how long a stop may take. */
interface HttpLimits {
  /** For the request line and the headers. */
  readonly headersTimeoutMs: number;
  /** For the whole request, its body included. */
  readonly requestTimeoutMs: number;
  /** How often the two are looked at. */
  readonly timeoutCheckMs: number;
  /** How long an idle connection is kept. */
  readonly keepAliveTimeoutMs: number;
  readonly headerBytesMax: number;
  /** How long connections stay open after a stop, for requests that are under way on them. */
  readonly stopLingerMs: number;
  /** After how long a stop cuts what still runs. */
  readonly stopFinishMs: number;
}

const LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  timeoutCheckMs: 1000,
  keepAliveTimeoutMs: 65_000,
  headerBytesMax: 16 * 1024,
  stopLingerMs: 250,
  stopFinishMs: 10_000,
};

export interface HttpServerOptions {
  readonly deps: Deps;
  readonly operations: Operations;
  readonly receiveCallback: ReceiveCallback;
  /** Further doors: each registers its routes on the instance that it is given. */
  readonly plugins?: readonly ((app: FastifyInstance) => Promise<void>)[];
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpServer {
  /** Starts listening; port 0 takes a free one. Throws OperatorError when the address cannot be had. */
  listen(host: string, port: number): Promise<{ host: string; port: number }>;
  /** Stops accepting, answers what runs or arrives on open connections, and cuts the rest after 10 s. */
  close(): Promise<void>;
}

/** The HTTP edge: REST, tRPC and the bank's callback on one listener, and whatever `plugins` add. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const limits = { ...LIMITS, ...options.limits };
  let connections: Connections | null = null;
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    trustProxy: forwardingTrust(options.deps.settings.trustProxy),
    genReqId: (request) => requestIdOf(request, options.deps.ids),
    rewriteUrl: (request) => routableTarget(request.url ?? '/'),
    frameworkErrors: (error, request, reply) => void sendFailure(request, reply, error),
    clientErrorHandler: (fault, socket) => connections?.refuse(fault, socket),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    http: {
      // Its absence is answered by ours, not by Node, whose answer has no body.
      requireHostHeader: false,
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
    },
  });
  connections = watchConnections(app.server, options.deps);
  const watched = connections;
  const stop = async () => {
    if (app.server.listening) await watched.stop(limits.stopLingerMs, limits.stopFinishMs);
    // Ends the HTTP server's own timers as well.
    app.server.close(() => {});
    await app.close();
  };
  let stopped: Promise<void> | null = null;
  return {
    async listen(host, port) {
      await build(app, options, watched);
      return await listenOn(app.server, host, port);
    },
    close() {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function build(
  app: FastifyInstance,
  options: HttpServerOptions,
  connections: Connections,
): Promise<void> {
  const { deps, operations } = options;
  logRequests(app, deps);
  await guardEdge(app, deps, connections);
  mountOperations(app, deps, operations);
  mountCallbackDoor(app, options.receiveCallback);
  for (const plugin of options.plugins ?? []) await app.register((scope) => plugin(scope));
  await app.ready();
}

function listenOn(server: Server, host: string, port: number): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(unlistenable(error, host, port));
    server.once('error', onError);
    server.listen({ host, port }, () => {
      server.off('error', onError);
      const address = server.address();
      resolve({ host, port: typeof address === 'object' && address !== null ? address.port : port });
    });
  });
}

function unlistenable(error: NodeJS.ErrnoException, host: string, port: number): OperatorError {
  switch (error.code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `SERVICE_PORT ${port} is taken on ${host}; stop what listens there or choose another port`,
      );
    case 'EACCES':
      return new OperatorError(
        `SERVICE_PORT ${port} needs privileges that this process lacks; choose another port`,
      );
    default:
      return new OperatorError(
        `SERVICE_HOST ${host}, SERVICE_PORT ${port}: cannot listen (${error.message})`,
      );
  }
}
