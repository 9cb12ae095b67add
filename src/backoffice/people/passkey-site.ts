import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../config.ts';

export interface PasskeySite {
  readonly origin: string;
  /** The host that passkeys are bound to ("relying party ID"). */
  readonly rpId: string;
}

/**
 * The site of the public URL; without one, this machine if the browser uses it by `localhost` or `127.0.0.1`. Null where browsers
 * offer no passkeys: at an IP address, and without TLS at another host than localhost.
 */
export function passkeySite(
  request: Pick<FastifyRequest, 'host' | 'protocol'>,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
): PasskeySite | null {
  const url = URL.parse(publicUrl ?? `${request.protocol}://${request.host}`);
  if (url === null) return null;
  // A passkey cannot be bound to an IP address, so the pages ask for this name instead.
  if (url.hostname === '127.0.0.1') url.hostname = 'localhost';
  const { hostname, protocol, origin } = url;
  if (hostname === 'localhost') return { origin, rpId: hostname };
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return publicUrl !== null && protocol === 'https:' && isName ? { origin, rpId: hostname } : null;
}
