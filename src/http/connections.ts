import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import type { ServiceError } from '../kernel/errors.ts';
import { errorBody, invalidBody, notFound } from '../rpc/wire-error.ts';
import { breakBody } from './body.ts';
import { createErrorHelp } from './error-help.ts';

/** How often at most the log says that connections are dropped. */
const DROP_LOG_MS = 60_000;
/** How long a client may take to read its error before the connection is closed. */
const LINGER_MS = 1000;
const REASON: Readonly<Record<number, string>> = { 400: 'Bad Request', 404: 'Not Found' };

export interface Connections {
  /** Answers a fault that the HTTP parser finds, or a request that arrives too slowly. */
  refuse(fault: Error & { code?: string }, socket: Duplex): void;
  /** See `HttpServer.close`. */
  stop(lingerMs: number, finishMs: number): Promise<void>;
}

/** The newest request of a connection. */
interface Exchange {
  response: ServerResponse;
  /** Whether it is still being answered. */
  open: boolean;
}

/** Watches the listener's connections, and answers where Node's own answers have statuses that the contract does not have. */
export function watchConnections(
  server: Server,
  deps: Pick<Deps, 'clock' | 'log' | 'ids' | 'settings'>,
): Connections {
  limitConnections(server, deps);
  const answerRaw = createRawAnswer(deps);
  // Changes with the connections only: a set of responses would grow a new table every few requests, and V8 keeps what the old ones hold.
  const newest = new Map<Duplex, Exchange>();
  let openCount = 0;
  const refused = new WeakSet<object>();
  let stopping = false;
  let onIdle = () => {};

  // A client that closes its side after its request still waits for the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  function onClose(this: ServerResponse): void {
    openCount -= 1;
    const exchange = newest.get(this.req.socket);
    if (exchange?.response === this) exchange.open = false;
    if (openCount === 0) onIdle();
  }
  server.prependListener('request', ({ socket }, response) => {
    openCount += 1;
    const exchange = newest.get(socket);
    if (exchange === undefined) {
      newest.set(socket, { response, open: true });
      socket.once('close', () => newest.delete(socket));
      socket.once('end', () => endEarly(socket));
    } else Object.assign(exchange, { response, open: true });
    if (stopping) response.setHeader('connection', 'close');
    response.on('close', onClose);
  });
  // The edge refuses an expectation that it does not know; without a listener Node answers 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => {
    // Node no longer listens for errors of this socket.
    socket.on('error', () => socket.destroy());
    answerRaw(socket, notFound());
  });

  function answerFault(socket: Duplex): void {
    if (!socket.writable) socket.destroy();
    else answerRaw(socket, invalidBody('The request is not sound HTTP, or it came too slowly.'));
  }

  /** Node reports a body that ended early, but not that of a request with an Upgrade header. */
  function endEarly(socket: Duplex): void {
    const exchange = newest.get(socket);
    if (exchange?.open !== true || exchange.response.req.complete || refused.has(socket)) return;
    refused.add(socket);
    refuseBody(exchange, socket);
  }

  /** The fault is in a request's body: its reader answers, unless the request is answered already. */
  function refuseBody({ response, open }: Exchange, socket: Duplex): void {
    if (!open) {
      socket.destroy();
      return;
    }
    if (!response.headersSent) response.setHeader('connection', 'close');
    response.once('close', () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
    breakBody(response.req);
  }

  return {
    refuse(fault, socket) {
      if (fault.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      if (refused.has(socket)) return;
      refused.add(socket);
      const exchange = newest.get(socket);
      if (exchange !== undefined && !exchange.response.req.complete) refuseBody(exchange, socket);
      // The request before the fault is answered first, by its own handler.
      else if (exchange?.open) exchange.response.once('close', () => answerFault(socket));
      else answerFault(socket);
    },
    async stop(lingerMs, finishMs) {
      stopping = true;
      for (const { response, open } of newest.values()) {
        if (open && !response.headersSent) response.setHeader('connection', 'close');
      }
      // The HTTP server's own close cuts idle connections at once, on which a request may be arriving.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      const finished = new AbortController();
      const end = delay(finishMs, undefined, finished).catch(() => {});
      await Promise.race([closed, end, delay(lingerMs)]);
      if (openCount > 0) {
        const idle = new Promise<void>((resolve) => {
          onIdle = resolve;
        });
        await Promise.race([closed, end, idle]);
      }
      finished.abort();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Closes connections above the setting as they arrive, which bounds the memory that clients can hold. */
function limitConnections(
  server: Server,
  { clock, log, settings }: Pick<Deps, 'clock' | 'log' | 'settings'>,
) {
  let loggedAt = Number.NEGATIVE_INFINITY;
  server.maxConnections = settings.connectionsMax;
  server.on('drop', () => {
    if (clock.now() - loggedAt < DROP_LOG_MS) return;
    loggedAt = clock.now();
    log.warn({ connectionsMax: settings.connectionsMax }, 'connections dropped: too many are open');
  });
}

/** Returns the function that answers a client for which there is no open request, and closes its connection. */
function createRawAnswer(deps: Pick<Deps, 'log' | 'ids' | 'settings'>) {
  const errorHelp = createErrorHelp(deps.settings);
  return (socket: Duplex, error: ServiceError): void => {
    const requestId = deps.ids('req');
    deps.log.info({ requestId, status: error.status, code: error.code }, 'connection refused');
    const body = JSON.stringify(errorBody(error, requestId));
    const head = [
      `HTTP/1.1 ${error.status} ${REASON[error.status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'cache-control: no-store',
      `link: ${errorHelp(error.code)}`,
      'x-content-type-options: nosniff',
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}
