import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const WINDOW_SECONDS = 60;
const IPV6_NETWORK_PARTS = 4;

/** Where a client stands within its minute. */
interface Standing {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the minute is over; at least 1. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

export interface RateLimit {
  /** Counts one call of the client at this address. */
  count(address: string): Promise<Standing>;
}

/**
 * At most `limit` calls a minute per client; the minute is fixed and starts with its first call. Null when `limit` is
 * 0, the limit turned off. A client is forgotten when its minute is over, which bounds the memory.
 */
export function createRateLimit(limit: number): RateLimit | null {
  if (limit === 0) return null;
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
  return {
    async count(address) {
      const result = await limiter.consume(clientKey(address)).catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal;
        throw refusal;
      });
      return {
        limit,
        remaining: result.remainingPoints,
        resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
        exceeded: result.consumedPoints > limit,
      };
    },
  };
}

/**
 * What counts as one client: an IPv4 address, also when it is written as IPv6, or the /64 of an IPv6 address, since
 * that is what one subscriber is given.
 */
export function clientKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts.slice(0, IPV6_NETWORK_PARTS).join(':');
}
