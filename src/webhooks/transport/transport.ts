import { type Dispatcher, Pool } from 'undici';
import { type GuardOptions, guardedConnector } from './guard.ts';

export interface TransportOptions extends GuardOptions {
  /** Connections of one merchant to one origin: as many as its attempts in flight, so that none queues for a socket. */
  connectionsMax: number;
  /** Idle origins that keep their connections. */
  originsMax: number;
}

interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Sends requests over guarded, kept connections; redirects are never followed. */
export interface Transport {
  /**
   * `handler` hears the answer, or why there is none. Connections are kept apart by `owner`: one that exhausts its own does not
   * hold up another at the same host. Throws when the URL is none.
   */
  post(owner: string, request: OutgoingRequest, handler: Dispatcher.DispatchHandler): void;
  /** Drops every connection; requests that still run fail. */
  destroy(): Promise<void>;
}

/** A transport with its own connections; see `Transport`. */
export function createTransport(options: TransportOptions): Transport {
  const connect = guardedConnector(options);
  const pools = new Map<string, Pool>();

  const open = (key: string, origin: string): Pool => {
    const pool = new Pool(origin, {
      connect,
      connections: options.connectionsMax,
      pipelining: 1,
      allowH2: false,
      // One deadline over the whole exchange, the caller's, stands in for these.
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
      // Last in the map means used last: the first ones are the first to go.
      pools.delete(key);
      pools.set(key, pool);
      evictIdle(pools, options.originsMax);
      const request = {
        method: 'POST' as const,
        path: pathname + search,
        // Nothing here inflates an answer, so none should come compressed.
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

function evictIdle(pools: Map<string, Pool>, originsMax: number): void {
  if (pools.size <= originsMax) return;
  const newest = [...pools.keys()].at(-1);
  for (const [key, pool] of pools) {
    if (pools.size <= originsMax) return;
    if (key === newest || pool.stats.size > 0) continue;
    pools.delete(key);
    void pool.close();
  }
}
