import pg from 'pg';

/**
 * Connections of one process: with these, four processes stay below the 100 that PostgreSQL allows out of the box. Reads
 * have their own, so that units which wait for each other's rows never keep a status or a health check waiting.
 */
export const CONNECTIONS_MAX = { units: 12, reads: 8, migration: 1 };
/** For a new connection as well as for a free one of the pool. */
const CONNECT_TIMEOUT_MS = 6000;
/** The client's own deadline, for a server that went silent; the server's deadlines are shorter. */
const ANSWER_TIMEOUT_MS = 30_000;
const IDLE_MS = 60_000;

const INT8 = pg.types.builtins.INT8;
const NUMERIC = pg.types.builtins.NUMERIC;

/** What a pool is for. Migrations may take as long as they need; everything else has deadlines. */
export type PoolUse = keyof typeof CONNECTIONS_MAX;

/** A pool of at most so many connections as its use may have. It connects when it is first used. */
export function createPool(url: string, use: PoolUse): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX[use],
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    fallback_application_name: 'payment-collection-service',
    types: { getTypeParser },
    ...(use === 'migration' ? {} : { query_timeout: ANSWER_TIMEOUT_MS }),
  });
  // A connection that breaks while idle leaves the pool by itself; one in use fails its query. Neither may end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

type Parser = (text: string) => unknown;

/**
 * How a column's text becomes a value. Counts, sums and instants come as 64-bit integers or as exact decimals, which the
 * driver would hand over as text: here, and nowhere else, they become numbers.
 */
function getTypeParser(oid: number, format?: 'text' | 'binary'): Parser {
  if (oid === INT8 || oid === NUMERIC) return exactNumber;
  return format === 'binary'
    ? (pg.types.getTypeParser(oid, 'binary') as Parser)
    : (pg.types.getTypeParser(oid, 'text') as Parser);
}

function exactNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`the database returned ${text}, which no number here can hold exactly`);
  }
  return value;
}
