import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Deps } from '../deps.ts';
import { countPost, isOpenUntil } from './post-counts-store.ts';

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;
const IPV6_NETWORK_PARTS = 4;

export interface RateLimit {
  /** Counts one call of the client at this address. */
  count(address: string): Promise<ReturnType<typeof quotaOf>>;
}

/**
 * Allows `limit` calls per client and minute, which starts with the client's first call. Returns null when `limit` is 0.
 * Processes that share a PostgreSQL database share the count in `post_counts`; the library's store requires other columns.
 */
export function createRateLimit(deps: Pick<Deps, 'db' | 'clock'>, limit: number): RateLimit | null {
  if (limit === 0) return null;
  return deps.db.engine === 'sqlite' ? inMemory(limit) : inDatabase(deps, limit);
}

/** Refused clients kept in memory, so that their further calls cost no query. */
const REFUSED_MAX = 10_000;

function inDatabase({ db, clock }: Pick<Deps, 'db' | 'clock'>, limit: number): RateLimit {
  const refusedUntil = new Map<string, number>();
  return {
    async count(address) {
      const client = clientKey(address);
      const now = clock.now();
      const refused = refusedUntil.get(client);
      if (refused !== undefined && isOpenUntil(refused, now, WINDOW_MS))
        return quotaOf(limit, limit + 1, refused - now);
      refusedUntil.delete(client);
      const { count, endsAt } = await db.unit((tx) => countPost(tx, client, now, WINDOW_MS));
      if (count > limit) {
        if (refusedUntil.size >= REFUSED_MAX) refusedUntil.clear();
        refusedUntil.set(client, endsAt);
      }
      return quotaOf(limit, count, endsAt - now);
    },
  };
}

function inMemory(limit: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
  return {
    async count(address) {
      const result = await limiter.consume(clientKey(address)).catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal;
        throw refusal;
      });
      return quotaOf(limit, result.consumedPoints, result.msBeforeNext);
    },
  };
}

function quotaOf(limit: number, count: number, leftMs: number) {
  return {
    limit,
    remaining: Math.max(0, limit - count),
    /** Seconds until the minute ends, rounded up; 1 to 60, also after the clock was set back. */
    resetSeconds: Math.min(Math.max(1, Math.ceil(leftMs / 1000)), WINDOW_SECONDS),
    exceeded: count > limit,
  };
}

/** Returns the client of an address: the IPv4 address, also when written as IPv6, or the /64 of an IPv6 address. */
export function clientKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts.slice(0, IPV6_NETWORK_PARTS).join(':');
}
