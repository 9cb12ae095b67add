import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Deps } from '../deps.ts';
import type { ServiceError } from '../kernel/errors.ts';
import { errorBody, invalidBody, notFound } from '../rpc/wire-error.ts';
import { breakBody } from './body.ts';
import { createErrorHelp } from './error-help.ts';

/** How long a refused client may take to fetch its answer before the connection is cut. */
const REFUSED_LINGER_MS = 1000;

const REASON: Readonly<Record<number, string>> = { 400: 'Bad Request', 404: 'Not Found' };

export interface Connections {
  /** Answers what never becomes a request: a fault that the HTTP parser finds, or a request that comes too slowly. */
  refuse(fault: Error & { code?: string }, socket: Duplex): void;
  /** Lets a client send its body that waits to hear whether it is worth sending (`Expect: 100-continue`). */
  goAhead(request: IncomingMessage): void;
  /** Whether the request expects something that nobody here understands. */
  isUnmet(request: IncomingMessage): boolean;
  /** See `HttpServer.close`. */
  stop(lingerMs: number, finishMs: number): Promise<void>;
}

/**
 * Watches the listener's connections: what is being answered on each, and what the parser refuses. Node would answer
 * some faults by itself, with statuses that the contract does not have.
 */
export function watchConnections(server: Server, deps: Pick<Deps, 'log' | 'ids' | 'settings'>): Connections {
  const { refuseTunnel, answerFault } = createRawAnswers(deps);
  const open = new Set<ServerResponse>();
  const newest = new WeakMap<object, ServerResponse>();
  const refused = new WeakSet<object>();
  let stopping = false;
  let onQuiet = () => {};
  /** Null when nothing is being answered; else resolves when that comes to be. */
  const nextQuiet = () => {
    if (open.size === 0) return null;
    return new Promise<void>((resolve) => {
      onQuiet = resolve;
    });
  };

  // A client that says all it has to say and closes its side still waits for the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  // One function for all responses: it is told whose it is.
  function onClose(this: ServerResponse): void {
    open.delete(this);
    if (open.size === 0) onQuiet();
  }
  server.prependListener('request', (request, response) => {
    open.add(response);
    newest.set(request.socket, response);
    if (stopping) response.setHeader('connection', 'close');
    response.on('close', onClose);
  });
  server.on('connect', (_request, socket) => refuseTunnel(socket));

  /** The fault is in a request's body: whoever reads it is told, and answers, unless the answer has gone out already. */
  function endBroken(response: ServerResponse, socket: Duplex): void {
    if (!open.has(response)) {
      socket.destroy();
      return;
    }
    if (!response.headersSent) response.setHeader('connection', 'close');
    response.once('close', () => setTimeout(() => socket.destroy(), REFUSED_LINGER_MS).unref());
    breakBody(response.req);
  }

  return {
    ...noteExpectations(server),
    refuse(fault, socket) {
      if (fault.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      if (refused.has(socket)) return;
      refused.add(socket);
      const response = newest.get(socket);
      if (response !== undefined && !response.req.complete) {
        endBroken(response, socket);
      } else if (response !== undefined && open.has(response)) {
        // The fault is in what follows: the request before it is answered first, and by its own handler.
        response.once('close', () => answerFault(socket));
      } else {
        answerFault(socket);
      }
    },
    async stop(lingerMs, finishMs) {
      stopping = true;
      for (const response of open) if (!response.headersSent) response.setHeader('connection', 'close');
      await closeServer(server, { lingerMs, finishMs }, nextQuiet);
    },
  };
}

/** Hands requests with an Expect header on like all others, and remembers what they expect. */
function noteExpectations(server: Server): Pick<Connections, 'goAhead' | 'isUnmet'> {
  const expecting = new WeakMap<IncomingMessage, ServerResponse>();
  const unmet = new WeakSet<IncomingMessage>();
  server.on('checkContinue', (request, response) => {
    expecting.set(request, response);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request, response) => {
    unmet.add(request);
    server.emit('request', request, response);
  });
  return {
    goAhead: (request) => expecting.get(request)?.writeContinue(),
    isUnmet: (request) => unmet.has(request),
  };
}

/** What is told to a client that no request of its own is open for, before its connection is cut. */
function createRawAnswers(deps: Pick<Deps, 'log' | 'ids' | 'settings'>) {
  const errorHelp = createErrorHelp(deps.settings);

  function answerRaw(socket: Duplex, error: ServiceError): void {
    const requestId = deps.ids('req');
    deps.log.info({ requestId, status: error.status, code: error.code }, 'connection refused');
    socket.end(rawAnswer(error, requestId, errorHelp(error.code)));
    setTimeout(() => socket.destroy(), REFUSED_LINGER_MS).unref();
  }

  function answerFault(socket: Duplex): void {
    if (socket.writable)
      answerRaw(socket, invalidBody('The request is not sound HTTP, or it came too slowly.'));
    else socket.destroy();
  }

  function refuseTunnel(socket: Duplex): void {
    // Node has let go of this socket: an error on it would otherwise end the process.
    socket.on('error', () => socket.destroy());
    answerRaw(socket, notFound());
  }

  return { answerFault, refuseTunnel };
}

/** Takes no more connections and waits for what is being answered, then cuts what is left. */
async function closeServer(
  server: Server,
  { lingerMs, finishMs }: { lingerMs: number; finishMs: number },
  nextQuiet: () => Promise<void> | null,
): Promise<void> {
  // Not the HTTP server's own close: that one cuts idle connections, on which a request may be under way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const end = performance.now() + finishMs;
  await atMost(lingerMs, [closed]);
  while (performance.now() < end) {
    const quiet = nextQuiet();
    if (quiet === null) break;
    await atMost(end - performance.now(), [closed, quiet]);
  }
  server.closeAllConnections();
  await closed;
}

async function atMost(delayMs: number, outcomes: Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, delayMs);
  });
  await Promise.race([late, ...outcomes]);
  clearTimeout(timer);
}

function rawAnswer(error: ServiceError, requestId: string, link: string): string {
  const body = JSON.stringify(errorBody(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${REASON[error.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'cache-control: no-store',
    `link: ${link}`,
    'x-content-type-options: nosniff',
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
