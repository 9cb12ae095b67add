import { lookup as lookupBySystem, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createHostsFile } from './hosts-file.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

export interface ResolveOptions {
  /** Names that only this machine knows may be asked of the system too; see `createResolve`. */
  allowPrivateNetworks: boolean;
  /** Name servers (`address` or `address:port`) instead of the system's. */
  servers?: readonly string[];
  /** Instead of the system's hosts file. */
  hostsFile?: string;
}

/** The first wait for a name server; it doubles with the second try, so that both fit into the deadline of an attempt. */
const SERVER_TIMEOUT_MS = 1500;
const SERVER_TRIES = 2;
/** Once one family has answered, the other may take so long: some name servers never answer for IPv6. */
const OTHER_FAMILY_MS = 300;
/** A new resolver reads the system's list of name servers anew. */
const RESOLVER_AGE_MS = 30_000;
/** Look-ups by the system at a time: each blocks one of the process's few threads, however long it takes. */
const BY_SYSTEM_MAX = 1;

/**
 * Resolves names of endpoints: `localhost` by itself, then the hosts file, then DNS, nothing cached.
 *
 * The usual look-up, getaddrinfo, blocks a thread of libuv's pool until the name server answers or the system gives up
 * after some ten seconds, and only two of the pool's four threads may look up names: two endpoints with dead name servers
 * would stop every other merchant's new connections. DNS by c-ares blocks nobody, however many servers hang. What it does
 * not know, the hosts file, is read here, because that is where operators put private receivers. Other private
 * names (search domains, mDNS) can only lead to private addresses, so getaddrinfo is asked for them, last and one at a time,
 * only where private networks are allowed and the name servers did answer that they do not know the name. A larger
 * pool (UV_THREADPOOL_SIZE) would only have moved the number of dead name servers that it takes.
 */
export function createResolve(options: ResolveOptions): Resolve {
  const inHostsFile = createHostsFile(options.hostsFile);
  const resolver = agingResolver(options.servers);
  let bySystem = 0;
  return async (hostname) => {
    if (/^(.+\.)?localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1'].map(withFamily);
    const listed = inHostsFile(hostname);
    if (listed.length > 0) return listed.map(withFamily);
    try {
      return await byDns(resolver(), hostname);
    } catch (error) {
      if (!options.allowPrivateNetworks || !saysUnknown(error) || bySystem >= BY_SYSTEM_MAX) throw error;
    }
    bySystem++;
    try {
      return await lookupBySystem(hostname, { all: true });
    } finally {
      bySystem--;
    }
  };
}

/** The resolver to use now: one for many look-ups, whose queries share a socket, but none for ever. */
function agingResolver(servers: readonly string[] | undefined): () => Resolver {
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

/** Both families, or the one that has answered when the other does not. Rejects when neither has an address. */
async function byDns(resolver: Resolver, hostname: string): Promise<ResolvedAddress[]> {
  const families = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
  await Promise.any(families).catch((error: AggregateError) => {
    // What the name servers say of IPv4; a failure to answer counts more than an answer that there is none.
    throw error.errors.find((one) => !saysUnknown(one)) ?? error.errors[0];
  });
  const enough = new AbortController();
  const late = wait(OTHER_FAMILY_MS, undefined, { signal: enough.signal, ref: false }).catch(() => {});
  const answers = await Promise.all(
    families.map((family) => Promise.race([family.catch(() => []), late.then(() => [])])),
  );
  enough.abort();
  return answers.flat().map(withFamily);
}

/** Whether a name server answered that there is no such name or no address of it. */
function saysUnknown(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOTFOUND' || code === 'ENODATA';
}

function withFamily(address: string): ResolvedAddress {
  return { address, family: isIP(address) };
}
