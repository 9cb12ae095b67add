import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, errorText, OperatorError } from '../../kernel/errors.ts';
import { hostsOf, hostUrls } from '../../kernel/postgres-url.ts';
import { UnclearCommit } from '../database.ts';
import { SerializationConflict } from '../row-locks.ts';

/** How long work waits for a disconnected server, from the start of the work; a restart takes one or two seconds. */
export const DISCONNECTED_MAX_MS = 6000;
const RETRY_MS = 250;

/** The answer of PgBouncer while it has no connection to its server. */
export const POOLER_LOST = '08P01';

/** The answer to a write on a standby, or on a primary that was replaced. */
const READ_ONLY = '25006';
/** The server ended the connection. It never answers so once a commit has begun. */
const ENDED = '57P01';

const UNREACHABLE = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'],
  // Shut down, crashed, starting up, idle for too long; the class of connection failures.
  ...[ENDED, '57P02', '57P03', '57P05', '08000', '08003', '08006'],
  POOLER_LOST,
  // A new connection may reach the new primary.
  READ_ONLY,
]);
/** Errors of the driver that carry no code. */
const LOST =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying|timeout expired|Query read timeout)/;

/** The server does not answer, not even on a new connection. Work is not retried, because it has waited already. */
export class UnresponsiveServer extends Error {
  constructor() {
    super('the PostgreSQL server does not answer');
  }
}

/** A commit that a failover would lose: its wait for the standby was cancelled. */
export class UnconfirmedCommit extends UnclearCommit {
  constructor() {
    super('no standby confirmed the commit, because its wait was cancelled');
  }
}

/** A commit whose answer was lost. */
export class UnknownCommit extends UnclearCommit {
  constructor(cause: unknown) {
    super(
      'the server did not confirm the commit, so the change may have been saved: check before you repeat it',
      { cause },
    );
  }
}

/** Serialization failure, deadlock, unique violation by a concurrent insert. */
const CONFLICTS = new Set(['40001', '40P01', '23505']);

/** A statement waited for a lock longer than `lock_timeout`. */
const LOCK_TIMEOUT = '55P03';

/** Whether a lock of another session caused the failure. */
export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === LOCK_TIMEOUT;
}

/** Whether the server could not be reached, or the connection was lost. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof UnresponsiveServer || UNREACHABLE.has(errorCode(error))) return true;
  return error instanceof Error && LOST.test(error.message);
}

/** Whether a statement was never sent, because the connection had broken before. */
export function isUnsent(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith('and is not queryable');
}

/**
 * Whether the server reported that a statement failed. A fatal error ends the connection and may come from a pooler that lost the
 * answer.
 */
export function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity !== 'FATAL';
}

/** Whether the answer to a commit was lost. Kysely reports one that the server answered as a rollback. */
export function isLostAnswer(error: unknown): boolean {
  const isRollback = error instanceof Error && error.name === 'AbortedTransactionError';
  return isUnreachable(error) || !(isAnswer(error) || isRollback || error instanceof UnconfirmedCommit);
}

/** Whether a statement without BEGIN changed nothing, for certain. */
export function isRefused(error: unknown): boolean {
  if (isUnreachable(error)) return isUnsent(error) || [READ_ONLY, ENDED].includes(errorCode(error));
  return isAnswer(error);
}

/** Whether the client stopped waiting for a query, which the server may still execute. */
export function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Whether a concurrent transaction caused the failure, so that a retry may succeed. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(errorCode(error)) || error instanceof SerializationConflict;
}

/** Whether work that began at `since` (`performance.now()`) may be retried now. Waits briefly before it resolves to true. */
export async function waitToReconnect(error: unknown, since: number): Promise<boolean> {
  if (error instanceof UnresponsiveServer || !isUnreachable(error)) return false;
  if (performance.now() - since >= DISCONNECTED_MAX_MS) return false;
  await delay(RETRY_MS);
  return true;
}

/** Runs `attempt` again while the server is disconnected, for a limited time. */
export async function retryWhileUnreachable<T>(attempt: () => Promise<T>): Promise<T> {
  for (const since = performance.now(); ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!(await waitToReconnect(error, since))) throw error;
    }
  }
}

/** The one-line error for a server that cannot be used, with what to do. Never contains the password. */
export function unusableServer(url: string, error: unknown): OperatorError {
  const { server, database, user } = namesOf(url);
  return new OperatorError(`SERVICE_DATABASE_URL: ${advice(error, server, database, user)}`);
}

function advice(error: unknown, server: string, database: string, user: string): string {
  // Of a migration, which can be repeated.
  if (error instanceof UnknownCommit) return advice(error.cause, server, database, user);
  const code = errorCode(error);
  if (code === '57P03')
    return `the PostgreSQL server at ${server} is starting up or shutting down; try again`;
  if (code === READ_ONLY) {
    return `the server at ${server} accepts no writes: it is a standby, or default_transaction_read_only is on for the database or the user (${errorText(error)})`;
  }
  if (isUnreachable(error)) {
    return `no PostgreSQL server answers at ${server}; start it, or correct the address (${errorText(error)})`;
  }
  // An error of the driver, which has no code.
  if (errorText(error).includes('password must be a'))
    return `the server at ${server} requires a password of the user ${user}; add it to the URL (postgres://USER:PASSWORD@HOST/DATABASE) or set PGPASSWORD`;
  switch (code) {
    case '28P01':
    case '28000':
      return `the server at ${server} refuses the user ${user}; correct user and password (${errorText(error)})`;
    case '3D000':
      return `the server at ${server} has no database ${database}; create it with "createdb --encoding=UTF8 ${database}"`;
    case '53300':
      return `the server at ${server} has no connection left; raise its max_connections, or the limit of the user or the database, or run fewer processes (${errorText(error)})`;
    case LOCK_TIMEOUT:
      return `cannot change the tables of ${database}, because other sessions hold locks on them, such as pg_dump or a transaction left open; wait for them or end them (see pg_stat_activity), then try again`;
    case '42501':
    case '3F000':
      return `the user ${user} may not create tables in ${database}; make that user its owner (${errorText(error)})`;
    default:
      return `cannot use the database ${database} at ${server}: ${errorText(error)}`;
  }
}

/** The names under which an address appears in messages. */
export function namesOf(url: string): { server: string; database: string; user: string } {
  const [first = ''] = hostUrls(url);
  const parsed = URL.parse(first);
  return {
    server: parsed?.searchParams.get('host') ?? (hostsOf(url) || 'the local socket'),
    database: decoded(parsed?.pathname.slice(1) ?? '', decodeURI),
    user: decoded(
      parsed?.username || (parsed?.searchParams.get('user') ?? 'of this process'),
      decodeURIComponent,
    ),
  };
}

/** Decodes a text as the driver does, with the function for that part. Returns a text that cannot be decoded unchanged. */
function decoded(text: string, decode: (text: string) => string): string {
  try {
    return decode(text);
  } catch {
    return text;
  }
}
