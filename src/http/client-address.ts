import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Settings } from '../config.ts';

type Trust = boolean | string[] | ((address: string, hop: number) => boolean);

/**
 * Which X-Forwarded-For entries Fastify believes. A number of hops has to be a function: given the number, Fastify
 * trusts nobody. Hop 0 is the socket's own peer, so one hop believes the last entry, which the nearest proxy wrote.
 */
export function forwardingTrust(setting: Settings['trustProxy']): Trust {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting;
}

/** The client's address as far as the proxies in front can be believed; else that of the socket's peer. */
export function clientAddress(request: FastifyRequest): string {
  const peer = request.socket.remoteAddress ?? 'unknown';
  const claimed = withoutPort(request.ip ?? peer);
  return isIP(claimed) === 0 ? peer : claimed;
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(claimed: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(claimed)?.[1] ?? /^([\d.]+):\d+$/.exec(claimed)?.[1] ?? claimed;
}
