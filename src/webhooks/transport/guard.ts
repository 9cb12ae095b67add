import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { ADDRESS_TIMEOUT_MS, classifyAddress, mayConnect } from '../../kernel/address.ts';
import { ATTEMPT_TIMEOUT_MS } from '../delivery/schedule.ts';
import { createResolve, type Resolve } from './resolve.ts';

export interface GuardOptions {
  /** Admits loopback and private ranges; never link-local addresses or cloud metadata. */
  allowPrivateNetworks: boolean;
  /** Replaces the hosts file and DNS. */
  resolve?: Resolve | undefined;
  /** Trusted certificates (PEM), instead of Node's default CAs. */
  ca?: string | undefined;
}

/** The most hosts whose last TLS session is kept. Node.js emits no session of more than 10 KiB. */
const SESSIONS_MAX = 1024;

/** The address may not be called. Only the operator sees the message; merchants see the same text as for any failure. */
function addressRefused(address: string): Error {
  return new Error(`${address} is not a public address (${classifyAddress(address)})`);
}

/**
 * Whether the host of a webhook URL has an address and the guard admits all of its addresses. It is also false when the name
 * cannot be resolved, so that the caller cannot distinguish the cases.
 */
export async function mayDeliverTo(
  resolve: Resolve,
  url: string,
  options: { allowPrivateNetworks: boolean },
): Promise<boolean> {
  const host = withoutBrackets(new URL(url).hostname);
  const answers = isIP(host) === 0 ? await resolve(host).catch(() => []) : [{ address: host }];
  return (
    answers.length > 0 &&
    answers.every(({ address }) => mayConnect(classifyAddress(address), options.allowPrivateNetworks))
  );
}

/**
 * Opens TLS sockets to admitted addresses only. A literal address never reaches a lookup function, so it is checked here. All
 * resolved addresses of a name are checked in the lookup function, and the socket connects to the checked addresses, which
 * prevents DNS rebinding. The check runs for every new socket.
 */
export function guardedConnector(options: GuardOptions): buildConnector.connector {
  const admit = (address: string) => mayConnect(classifyAddress(address), options.allowPrivateNetworks);
  const connection = {
    lookup: guardedLookup(options.resolve ?? createResolve(options), admit),
    timeout: ATTEMPT_TIMEOUT_MS,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    allowH2: false,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
    rejectUnauthorized: true,
    // Shared by all connections, because creating a context costs more than a handshake.
    secureContext: createSecureContext(options.ca === undefined ? {} : { ca: options.ca }),
    // undici refers to its cached sessions weakly, so a garbage collection would empty the cache.
    maxCachedSessions: 0,
  };
  /** The last TLS session of each host, least recent first; only of TLS 1.3, where it arrives after the handshake. */
  const sessions = new Map<string, Buffer>();
  const keepSession = (host: string, session: Buffer) => {
    sessions.delete(host);
    sessions.set(host, session);
    const [oldest] = sessions.keys();
    if (sessions.size > SESSIONS_MAX && oldest !== undefined) sessions.delete(oldest);
  };
  return (target, callback) => {
    const host = withoutBrackets(target.hostname);
    const refusal =
      target.protocol !== 'https:'
        ? new Error(`${target.protocol} is not https:`)
        : isIP(host) !== 0 && !admit(host)
          ? addressRefused(host)
          : null;
    if (refusal) {
      queueMicrotask(() => callback(refusal, null));
      return;
    }
    // The server name in TLS has no trailing dot (RFC 6066); some servers refuse one.
    const named = isIP(host) === 0 ? { ...target, servername: host.replace(/\.$/, '') } : target;
    const forgetSession = () => sessions.delete(host);
    buildConnector({ ...connection, session: sessions.get(host) })(named, (error, socket) => {
      if (error) {
        forgetSession();
        return callback(error, null);
      }
      // A second check on the socket itself, in case a layer in between connects to another address.
      const remote = socket.remoteAddress ?? '';
      if (admit(remote)) {
        socket.on('session', (session) => keepSession(host, session));
        // If the endpoint closes it without an answer, the cause may be the resumed session.
        socket.once('close', forgetSession).once('data', () => socket.off('close', forgetSession));
        return callback(null, socket);
      }
      socket.destroy();
      callback(addressRefused(remote), null);
    });
  };
}

function guardedLookup(resolve: Resolve, admit: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (answers) => {
        const refused = answers.find(({ address }) => !admit(address));
        if (refused) return callback(addressRefused(refused.address), []);
        const first = answers[0];
        if (!first) return callback(new Error(`${hostname} has no address`), []);
        if (options.all) callback(null, answers);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
