import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createHostsFile } from './hosts-file.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Returns all addresses of a host name. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

export interface ResolveOptions {
  /** Also resolves names unknown to DNS through the system, which can only return private addresses. */
  allowPrivateNetworks: boolean;
  /** Name servers (`address` or `address:port`) that replace the system's. */
  servers?: readonly string[];
  /** Replaces the system's hosts file. */
  hostsFile?: string;
}

/** The first wait for a name server; the second try waits twice as long, and both fit into the deadline of an attempt. */
const SERVER_TIMEOUT_MS = 1500;
const SERVER_TRIES = 2;
/** The further wait for the other address family; some name servers never answer for IPv6. */
const OTHER_FAMILY_MS = 300;
/** A new resolver reads the system's list of name servers again. */
const RESOLVER_AGE_MS = 30_000;
/** Concurrent system lookups; each blocks one of the process's few worker threads. */
const SYSTEM_LOOKUPS_MAX = 1;

/**
 * Creates a resolver for endpoints: `localhost` by itself, then the hosts file, then DNS, without a cache. It uses c-ares
 * because getaddrinfo blocks a worker thread until the name server answers, so that two dead name servers would stop all new
 * connections. getaddrinfo comes last, one at a time, where private networks are allowed and DNS does not know the name.
 */
export function createResolve(options: ResolveOptions): Resolve {
  const inHostsFile = createHostsFile(options.hostsFile);
  const resolver = renewedResolver(options.servers);
  let systemLookups = 0;
  return async (hostname) => {
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1'].map(withFamily);
    const listed = inHostsFile(hostname);
    if (listed.length > 0) return listed.map(withFamily);
    try {
      return await byDns(resolver(), hostname);
    } catch (error) {
      if (!options.allowPrivateNetworks || !isUnknownName(error) || systemLookups >= SYSTEM_LOOKUPS_MAX)
        throw error;
    }
    systemLookups++;
    try {
      return await systemLookup(hostname, { all: true });
    } finally {
      systemLookups--;
    }
  };
}

/** Returns a function that returns the current resolver. Lookups share it, and so a socket, until it is replaced. */
function renewedResolver(servers: readonly string[] | undefined): () => Resolver {
  let current: Resolver | null = null;
  let madeAt = 0;
  return () => {
    const now = performance.now();
    if (current === null || now - madeAt > RESOLVER_AGE_MS) {
      current = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: SERVER_TRIES });
      if (servers) current.setServers(servers);
      madeAt = now;
    }
    return current;
  };
}

/** Resolves to the addresses of both families, or of the only one that answers. Rejects when neither has an address. */
async function byDns(resolver: Resolver, hostname: string): Promise<ResolvedAddress[]> {
  const families = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
  await Promise.any(families).catch((error: AggregateError) => {
    // A resolution failure takes precedence over the answer that there is no address.
    throw error.errors.find((one) => !isUnknownName(one)) ?? error.errors[0];
  });
  const enough = new AbortController();
  const late = wait(OTHER_FAMILY_MS, undefined, { signal: enough.signal, ref: false }).catch(() => {});
  const answers = await Promise.all(
    families.map((family) => Promise.race([family.catch(() => []), late.then(() => [])])),
  );
  enough.abort();
  return answers.flat().map(withFamily);
}

/** Whether a name server answered that the name or its address does not exist. */
function isUnknownName(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOTFOUND' || code === 'ENODATA';
}

function withFamily(address: string): ResolvedAddress {
  return { address, family: isIP(address) };
}
