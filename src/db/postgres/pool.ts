import pg from 'pg';
import { UnconfirmedCommit } from './failures.ts';
import { connectionClass } from './hosts.ts';

/**
 * The most connections of one process: four processes stay below PostgreSQL's default of 100. Reads have a separate pool, so that
 * units of work that wait for row locks never delay a status call or a health check.
 */
export const CONNECTIONS_MAX = { units: 12, reads: 8, migration: 1, probe: 1 };
/** The timeout for a new connection and for a free one of the pool. */
const CONNECT_TIMEOUT_MS = 6000;
/** The client's own timeout, for an unresponsive server; the server's timeouts are shorter. */
const QUERY_TIMEOUT_MS = 30_000;
/** It also limits a statement without BEGIN, for which the server has no timeout. */
const UNIT_QUERY_TIMEOUT_MS = 20_000;
const PROBE_TIMEOUT_MS = 3000;
/** Finds connections that broke while idle. */
export const KEEP_ALIVE_AFTER_MS = 5000;
const IDLE_MS = 60_000;
/** Limits how long reads use a server that is no longer the primary. */
const LIFETIME_SECONDS = 60;

/**
 * The server's routine that warns of a commit whose wait for the standby was cancelled. The text of the warning is translated.
 */
const UNCONFIRMED = 'SyncRepWaitForLSN';
const unconfirmed = new WeakSet<pg.ClientBase>();

/**
 * Throws UnconfirmedCommit when the last commit of this connection was written by its server alone, which reports it as
 * successful.
 */
export function requireConfirmed(client: pg.ClientBase): void {
  if (unconfirmed.has(client)) throw new UnconfirmedCommit();
}

/** The settings by purpose of a pool. Migrations have no query timeout. */
const BY_USE = {
  units: { query_timeout: UNIT_QUERY_TIMEOUT_MS },
  reads: { query_timeout: QUERY_TIMEOUT_MS },
  migration: {},
  probe: { connectionTimeoutMillis: PROBE_TIMEOUT_MS, query_timeout: PROBE_TIMEOUT_MS, maxUses: 1 },
};

type PoolUse = keyof typeof CONNECTIONS_MAX;

/** Creates a pool that connects at first use. Pools that share the class of connections go to the next host together. */
export function createPool(url: string, use: PoolUse, Client = connectionClass(url)): pg.Pool {
  const pool = new pg.Pool({
    max: CONNECTIONS_MAX[use],
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    fallback_application_name: 'payment-collection-service',
    types: { getTypeParser },
    Client,
    ...BY_USE[use],
  });
  // The pool removes a connection that breaks while idle, and reports it.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('notice', ({ routine }) => {
      if (routine === UNCONFIRMED) unconfirmed.add(client);
    });
  });
  return pool;
}

type Parser = (text: string) => unknown;

/** Parses 64-bit integers and decimals as numbers; the driver would return them as text. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): Parser {
  const { INT8, NUMERIC } = pg.types.builtins;
  if (oid === INT8 || oid === NUMERIC) return exactNumber;
  // Its types have one overload for each format.
  return pg.types.getTypeParser(oid, format as 'text') as Parser;
}

function exactNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`the database returned ${text}, which a JavaScript number cannot hold exactly`);
  }
  return value;
}
