import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Settings } from '../config.ts';

type Trust = boolean | string[] | ((address: string, hop: number) => boolean);

/**
 * Returns Fastify's `trustProxy` for the setting. Given a number, Fastify trusts no entry, so a number of hops becomes a
 * function. Hop 0 is the socket's peer: one hop trusts the last entry of X-Forwarded-For, which the nearest proxy wrote.
 */
export function forwardingTrust(setting: Settings['trustProxy']): Trust {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting;
}

/** Returns the client's address from trusted proxies, or else the address of the socket's peer. */
export function clientAddress(request: FastifyRequest): string {
  const peer = request.socket.remoteAddress ?? 'unknown';
  const claimed = withoutPort(request.ip ?? peer);
  return isIP(claimed) === 0 ? peer : claimed;
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(claimed: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(claimed)?.[1] ?? /^([\d.]+):\d+$/.exec(claimed)?.[1] ?? claimed;
}
