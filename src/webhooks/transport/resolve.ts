import type { ResolverOptions } from 'node:dns';
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

/**
 * The first queries: a short wait, then twice as long. c-ares shortens both for a name server that has been prompt, so a name
 * that it does not know yet often takes longer.
 */
const FIRST_QUERIES = { timeout: 500, tries: 2 };
/** The last query. A new resolver waits this long; with one name server, all queries fit into the deadline of an attempt. */
const LAST_QUERY = { timeout: 5000, tries: 1 };
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
      return await byDns(resolver(), hostname).catch((error) => {
        if (codeOf(error) !== 'ETIMEOUT') throw error;
        return byDns(newResolver(LAST_QUERY, options.servers), hostname);
      });
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
      current = newResolver(FIRST_QUERIES, servers);
      madeAt = now;
    }
    return current;
  };
}

function newResolver(waits: ResolverOptions, servers: readonly string[] | undefined): Resolver {
  const resolver = new Resolver(waits);
  if (servers) resolver.setServers(servers);
  return resolver;
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
  return codeOf(error) === 'ENOTFOUND' || codeOf(error) === 'ENODATA';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function withFamily(address: string): ResolvedAddress {
  return { address, family: isIP(address) };
}
