import { type buildConnector, type Dispatcher, Pool } from 'undici';
import { type GuardOptions, guardedConnector } from './guard.ts';

/** The most origins that keep idle connections. */
const ORIGINS_MAX = 1024;
/**
 * How long an idle connection is kept, even if the endpoint offers more. It is shorter than the wait before the last attempt, so that
 * after a restart of the endpoint this attempt uses a new connection.
 */
const IDLE_MS_MAX = 4000;
/** The most bytes an endpoint may send in one exchange, with headers, interim responses and chunk framing. */
export const RECEIVED_BYTES_MAX = 256 * 1024;
/** A read counts as at least this many bytes, because each read costs time. */
const READ_BYTES_MIN = 128;
const CONTINUE = 'HTTP/1.1 100 ';

export interface TransportOptions extends GuardOptions {
  /** Connections of one owner to one origin: as many as its attempts in flight, so that no attempt waits for a connection. */
  connectionsMax: number;
}

export interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Sends requests over guarded, kept-alive connections. Redirects are never followed. */
export interface Transport {
  /**
   * Sends a POST and passes the response or the failure to `handler`. Each owner has its own connections, so that one does not
   * hold up another at the same host. Throws when the URL is invalid.
   */
  post(owner: string, request: OutgoingRequest, handler: Dispatcher.DispatchHandler): void;
  /** Closes every connection; running requests fail. */
  destroy(): Promise<void>;
}

/** The endpoint sent more than an exchange allows. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';

  constructor() {
    super(`the response is larger than ${RECEIVED_BYTES_MAX / 1024} KiB`);
  }
}

/** Creates a transport that connects through the address guard. */
export function createTransport(options: TransportOptions): Transport {
  const connect = limitReceived(guardedConnector(options));
  const pools = new Map<string, Pool>();

  const open = (key: string, origin: string): Pool => {
    const pool = new Pool(origin, {
      connect,
      connections: options.connectionsMax,
      pipelining: 1,
      keepAliveMaxTimeout: IDLE_MS_MAX,
      allowH2: false,
      // The caller has one deadline for the exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const forget = () => {
      if (pool.stats.connected > 0 || pool.stats.size > 0 || pools.get(key) !== pool) return;
      pools.delete(key);
      void pool.close();
    };
    pool.on('disconnect', forget).on('connectionError', forget);
    return pool;
  };

  return {
    post(owner, { url, headers, body }, handler) {
      const { origin, pathname, search } = new URL(url);
      const key = `${owner} ${origin}`;
      const pool = pools.get(key) ?? open(key, origin);
      // The map is ordered by last use.
      pools.delete(key);
      pools.set(key, pool);
      evictIdle(pools);
      const request = {
        method: 'POST' as const,
        path: pathname + search,
        // Responses are recorded as they are, so they must not be compressed.
        headers: { ...headers, 'Accept-Encoding': 'identity' },
        body,
      };
      pool.dispatch(request, handler);
    },
    async destroy() {
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map((pool) => pool.destroy()));
    },
  };
}

/**
 * Closes a socket of `connect` with AnswerTooLarge once it received too much since the request was written. Sees each read before
 * undici does.
 */
export function limitReceived(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) => {
    connect(target, (...outcome) => {
      const [, socket] = outcome;
      let bytesWritten = 0;
      let bytesReceived = 0;
      socket?.on('data', (chunk: Buffer) => {
        if (socket.bytesWritten !== bytesWritten) {
          bytesWritten = socket.bytesWritten;
          bytesReceived = 0;
        }
        // A server may send 100 without being asked to (RFC 9110, 15.2). undici refuses it, but ignores 102.
        if (bytesReceived === 0 && chunk.toString('latin1', 0, CONTINUE.length) === CONTINUE)
          chunk.write('2', CONTINUE.length - 2);
        bytesReceived += Math.max(chunk.length, READ_BYTES_MIN);
        if (bytesReceived > RECEIVED_BYTES_MAX) socket.destroy(new AnswerTooLarge());
      });
      callback(...outcome);
    });
  };
}

function evictIdle(pools: Map<string, Pool>): void {
  if (pools.size <= ORIGINS_MAX) return;
  const newest = [...pools.keys()].at(-1);
  for (const [key, pool] of pools) {
    if (pools.size <= ORIGINS_MAX) return;
    if (key === newest || pool.stats.size > 0) continue;
    pools.delete(key);
    void pool.close();
  }
}
