import { isIP } from 'node:net';
import type { Acquirer } from '../kernel/acquirer.ts';

/** The allowed hosts of requests to the sandbox and of its callbacks. */
export interface SandboxAddresses {
  /** Names under which the sandbox is reached, besides `localhost` and IP addresses. */
  readonly hosts: readonly string[];
  /** Names and addresses of the service; null to call any. */
  readonly serviceHosts: readonly string[] | null;
  /** The base URL of the service, if it is set. */
  readonly serviceUrl: string | null;
}

/** Rejects pages of other sites whose names resolve to this machine, by the Host header; an IP address is always allowed. */
export function isOwnHost(header: string | undefined, { hosts }: SandboxAddresses): boolean {
  const name = URL.parse(`http://${header ?? ''}`)?.hostname ?? '';
  return isAddress(name) || name === 'localhost' || hosts.includes(name);
}

/** Whether a callback URL is the service's. On this machine any port is allowed, because several processes may run. */
export function isServiceCallback(
  acquirer: Acquirer,
  callback: string,
  { serviceHosts, serviceUrl }: SandboxAddresses,
): boolean {
  const [base = ''] = callback.split('?');
  const url = URL.parse(base);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  // The service's callback path below its base URL.
  const path = `/callbacks/${acquirer}`;
  if (serviceHosts === null || base === `${serviceUrl}${path}`) return true;
  return url.pathname === path && (isLoopback(url.hostname) || serviceHosts.includes(url.hostname));
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.[\d.]+$/.test(hostname);
}
