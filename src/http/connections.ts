import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import type { ServiceError } from '../kernel/errors.ts';
import { errorBody, invalidBody, notFound } from '../rpc/wire-error.ts';
import { breakBody } from './body.ts';
import { createErrorHelp } from './error-help.ts';

/** The shortest time between two log lines about dropped connections. */
const DROP_LOG_MS = 60_000;
/** How long a client may take to read its error response before the connection is closed. */
const LINGER_MS = 1000;
const REASON: Readonly<Record<number, string>> = { 400: 'Bad Request', 404: 'Not Found' };

/** The most requests of a connection that may wait for their responses; pipelining has no other limit. */
const UNANSWERED_MAX = 100;

/** The requests of a connection. */
interface Exchange {
  /** The response of the newest request. */
  response: ServerResponse;
  /** The responses that are not finished. They finish in order, so the newest is among them unless it is 0. */
  openCount: number;
}

/** Tracks the listener's connections, and sends the contract's errors where Node would send other statuses. */
export class Connections {
  readonly #server: Server;
  readonly #answerRaw: (socket: Duplex, error: ServiceError) => void;
  // Changes only with the connections: a set of responses would be rehashed every few requests, and V8 retains the old tables.
  readonly #newest = new Map<Duplex, Exchange>();
  readonly #refused = new WeakSet<object>();
  #openCount = 0;
  #isStopping = false;
  #onIdle = () => {};

  constructor(server: Server, deps: Pick<Deps, 'clock' | 'log' | 'ids' | 'settings'>) {
    this.#server = server;
    this.#answerRaw = createRawAnswer(deps);
    limitConnections(server, deps);
    // A client that closes its side after its request still waits for the response.
    Object.assign(server, { httpAllowHalfOpen: true });
    const ended = (response: ServerResponse) => this.#responseClosed(response);
    // One shared function instead of a closure per response.
    function onClose(this: ServerResponse): void {
      ended(this);
    }
    server.prependListener('request', ({ socket }, response) => {
      this.#requested(socket, response);
      response.on('close', onClose);
    });
    // The edge refuses an unknown expectation; without a listener Node responds with 417.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    server.on('connect', (_request, socket) => {
      // Node no longer listens for errors of this socket.
      socket.on('error', () => socket.destroy());
      this.#answerRaw(socket, notFound());
    });
  }

  /** Responds to a fault that the HTTP parser finds, or to a request that arrives too slowly. */
  refuse(fault: Error & { code?: string }, socket: Duplex): void {
    if (fault.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    const exchange = this.#newest.get(socket);
    if (exchange !== undefined && !exchange.response.req.complete) refuseBody(exchange, socket);
    // The handler of the previous request responds first.
    else if (exchange !== undefined && exchange.openCount > 0)
      exchange.response.once('close', () => this.#answerFault(socket));
    else this.#answerFault(socket);
  }

  /** See `close` of the HTTP server. */
  async stop(lingerMs: number, finishMs: number): Promise<void> {
    this.#isStopping = true;
    for (const { response, openCount } of this.#newest.values()) {
      if (openCount > 0 && !response.headersSent) response.setHeader('connection', 'close');
    }
    // `close` of the HTTP server closes idle connections immediately, although a request may be arriving on one.
    const closed = new Promise<void>((resolve) =>
      NetServer.prototype.close.call(this.#server, () => resolve()),
    );
    const finished = new AbortController();
    const end = delay(finishMs, undefined, finished).catch(() => {});
    await Promise.race([closed, end, delay(lingerMs)]);
    if (this.#openCount > 0) {
      const idle = new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
      await Promise.race([closed, end, idle]);
    }
    finished.abort();
    this.#server.closeAllConnections();
    await closed;
  }

  #requested(socket: Duplex, response: ServerResponse): void {
    this.#openCount += 1;
    const exchange = this.#newest.get(socket);
    if (exchange === undefined) {
      this.#newest.set(socket, { response, openCount: 1 });
      socket.once('close', () => this.#socketClosed(socket));
      socket.once('end', () => this.#endEarly(socket));
    } else {
      exchange.response = response;
      exchange.openCount += 1;
      if (exchange.openCount > UNANSWERED_MAX) socket.destroy();
    }
    if (this.#isStopping) response.setHeader('connection', 'close');
  }

  #responseClosed(response: ServerResponse): void {
    const exchange = this.#newest.get(response.req.socket);
    if (exchange === undefined) return;
    exchange.openCount -= 1;
    this.#ended(1);
  }

  /** Ends the responses that still waited for others of their connection: Node does not close these. */
  #socketClosed(socket: Duplex): void {
    const unanswered = this.#newest.get(socket)?.openCount ?? 0;
    this.#newest.delete(socket);
    this.#ended(unanswered);
  }

  #ended(count: number): void {
    this.#openCount -= count;
    if (this.#openCount === 0) this.#onIdle();
  }

  #answerFault(socket: Duplex): void {
    if (!socket.writable) socket.destroy();
    else this.#answerRaw(socket, invalidBody('The request is malformed HTTP or arrived too slowly.'));
  }

  /** Handles a body that ended early in a request with an Upgrade header, which Node does not report. */
  #endEarly(socket: Duplex): void {
    const exchange = this.#newest.get(socket);
    if (exchange === undefined || exchange.openCount === 0) return;
    if (exchange.response.req.complete || this.#refused.has(socket)) return;
    this.#refused.add(socket);
    refuseBody(exchange, socket);
  }
}

/** Handles a fault in a request's body: the reader of the body responds, unless a response was sent already. */
function refuseBody({ response, openCount }: Exchange, socket: Duplex): void {
  if (openCount === 0) {
    socket.destroy();
    return;
  }
  if (!response.headersSent) response.setHeader('connection', 'close');
  response.once('close', () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
  breakBody(response.req);
}

/** Closes new connections above the setting, which limits the memory that clients can occupy. */
function limitConnections(
  server: Server,
  { clock, log, settings }: Pick<Deps, 'clock' | 'log' | 'settings'>,
) {
  let loggedAt = Number.NEGATIVE_INFINITY;
  server.maxConnections = settings.connectionsMax;
  server.on('drop', () => {
    // The clock may be set back in between.
    if (Math.abs(clock.now() - loggedAt) < DROP_LOG_MS) return;
    loggedAt = clock.now();
    log.warn({ connectionsMax: settings.connectionsMax }, 'connections dropped: too many are open');
  });
}

/** Returns the function that sends an error to a client without an open request, and closes its connection. */
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
