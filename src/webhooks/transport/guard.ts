import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { classifyAddress, mayConnect } from '../../kernel/address.ts';
import { createResolve, type Resolve } from './resolve.ts';

export interface GuardOptions {
  /** Admits loopback and private ranges; never link-local addresses or cloud metadata. */
  allowPrivateNetworks: boolean;
  connectTimeoutMs: number;
  /** Instead of the hosts file and DNS. */
  resolve?: Resolve;
  /** Trusts these certificates (PEM) instead of the usual authorities. */
  ca?: string;
}

/** The address may not be called. The message is for the operator; merchants read the same text as for any other failure. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor(address: string) {
    super(`${address} is not a public address (${classifyAddress(address)})`);
  }
}

/**
 * Opens the sockets of deliveries, over TLS, to admitted addresses only. A literal address never reaches a look-up
 * hook, so it is judged here; a name's answers are judged in the hook, all of them, and those very answers are
 * dialled, so that a name which changes its mind in between gains nothing. It runs for every new socket.
 */
export function guardedConnector(options: GuardOptions): buildConnector.connector {
  const admit = (address: string) => mayConnect(classifyAddress(address), options.allowPrivateNetworks);
  const connect = buildConnector({
    lookup: guardedLookup(options.resolve ?? createResolve(options), admit),
    timeout: options.connectTimeoutMs,
    allowH2: false,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    rejectUnauthorized: true,
    // One for all: made anew for each connection, it costs more than the handshake's own work.
    secureContext: createSecureContext(options.ca === undefined ? {} : { ca: options.ca }),
  });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
    const fault =
      target.protocol !== 'https:'
        ? new Error(`${target.protocol} is not https:`)
        : isIP(host) !== 0 && !admit(host)
          ? new AddressRefused(host)
          : null;
    if (fault) {
      queueMicrotask(() => callback(fault, null));
      return;
    }
    connect(target, (error, socket) => {
      if (error) return callback(error, null);
      // What was dialled is what was judged; this asks the socket itself, should any layer between ever differ.
      const remote = socket.remoteAddress ?? '';
      if (admit(remote)) return callback(null, socket);
      socket.destroy();
      callback(new AddressRefused(remote), null);
    });
  };
}

function guardedLookup(resolve: Resolve, admit: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (answers) => {
        const refused = answers.find(({ address }) => !admit(address));
        if (refused) return callback(new AddressRefused(refused.address), []);
        const first = answers[0];
        if (!first) return callback(new Error(`${hostname} has no address`), []);
        if (options.all) callback(null, answers);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };
}
