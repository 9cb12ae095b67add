import dns, { type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, Client } from 'undici';
import { ADDRESS_TIMEOUT_MS } from '../kernel/address.ts';
import type { Clock } from '../kernel/clock.ts';
import { errorText } from '../kernel/errors.ts';

/** No connection was made (name, refused, TLS, connect timeout): nothing reached the bank. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection';
}

export interface Question {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: Record<string, unknown>;
  /** Sent as a form. */
  form?: Record<string, string>;
}

export interface Answer {
  status: number;
  text: string;
}

/** HTTP with the bank. Neither call repeats or follows a redirect. */
export interface BankHttp {
  /** Uses a new connection, so that a failure to connect is distinguishable: throws NoConnection, also after a stall. */
  once(question: Question): Promise<Answer>;
  /** Uses a pooled connection; for requests that may be repeated. */
  ask(question: Question): Promise<Answer>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MAX_MS = 5000;
/** More than all bank workers use concurrently, because a queued request could exceed its deadline. */
const CONNECTIONS_MAX = 128;
/** Concurrent lookups of one name. With two, a lost packet delays only the connections of its own lookup. */
const LOOKUPS_MAX = 2;
const CREATE_BYTES_MAX = 64 * 1024;
const LIST_BYTES_MAX = 8 * 1024 * 1024;
// One deadline covers the exchange, so there are no timeouts per phase.
const NO_PHASE_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 };

/** Creates the client. `timeoutMs` bounds each exchange, from the name lookup to the last byte of the answer. */
export function createBankHttp(clock: Clock, timeoutMs: number): BankHttp {
  // Shorter than the deadline, so that a failure to connect is distinguished from an unresponsive bank.
  const connectMs = Math.min(CONNECT_TIMEOUT_MAX_MS, Math.floor(timeoutMs / 2));
  const connector = buildConnector({
    allowH2: false,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
    rejectUnauthorized: true,
    // With a short timeout, a second address still gets half of it.
    autoSelectFamilyAttemptTimeout: Math.min(ADDRESS_TIMEOUT_MS, Math.floor(connectMs / 2)),
    timeout: connectMs,
    lookup: limitedLookup(),
  });
  const agent = new Agent({
    ...NO_PHASE_TIMEOUTS,
    connect: connector,
    connections: CONNECTIONS_MAX,
    pipelining: 1,
    maxResponseSize: LIST_BYTES_MAX,
  });

  async function exchange(dispatcher: Agent | Client, question: Question): Promise<Answer> {
    const url = new URL(question.url);
    const content = contentOf(question);
    const { statusCode, body } = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: question.method,
      // Without accept-encoding, a server may compress its answer, which is not decompressed.
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...question.headers,
        ...content?.headers,
      },
      body: content?.body ?? null,
      signal: clock.deadline(timeoutMs),
    });
    return { status: statusCode, text: await body.text() };
  }

  return {
    async once(question) {
      const startedAt = clock.now();
      let connected = false;
      const client = new Client(new URL(question.url).origin, {
        ...NO_PHASE_TIMEOUTS,
        pipelining: 0,
        maxResponseSize: CREATE_BYTES_MAX,
        connect(options, callback) {
          connector(options, (...outcome) => {
            // Timers do not count the time during which the machine was suspended.
            if (outcome[0] === null && Math.abs(clock.now() - startedAt) >= timeoutMs) {
              outcome[1].destroy();
              return callback(new Error('the service stalled while it connected to the bank'), null);
            }
            if (outcome[0] === null) connected = true;
            callback(...outcome);
          });
        },
      });
      try {
        return await exchange(client, question);
      } catch (error) {
        throw connected ? error : new NoConnection(errorText(error));
      } finally {
        await client.destroy();
      }
    },
    ask: (question) => exchange(agent, question),
    close: () => agent.destroy(),
  };
}

/**
 * Returns a system lookup that runs at most `LOOKUPS_MAX` times at once for a name; further connections take the first outcome. A
 * lookup blocks one of the process's four worker threads until the name server answers, so that a bank with a dead name server
 * would otherwise also stop connections to the other bank.
 */
function limitedLookup(): LookupFunction {
  const running = new Map<string, Set<Promise<LookupAddress[]>>>();
  return (hostname, options, callback) => {
    const lookups = running.get(hostname) ?? new Set();
    running.set(hostname, lookups);
    const isFree = lookups.size < LOOKUPS_MAX;
    const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[]>();
    if (isFree) lookups.add(promise);
    Promise.race(lookups).then(
      // With autoSelectFamily turned off, Node.js expects one address.
      (addresses) =>
        options.all
          ? callback(null, addresses)
          : callback(null, addresses[0]?.address ?? '', addresses[0]?.family),
      (error) => callback(error, []),
    );
    if (!isFree) return;
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      lookups.delete(promise);
      if (error) reject(error);
      else resolve(addresses);
    });
  };
}

function contentOf({ json, form }: Question): { headers: Record<string, string>; body: string } | null {
  if (json !== undefined)
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) };
  if (form === undefined) return null;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { headers, body: new URLSearchParams(form).toString() };
}
