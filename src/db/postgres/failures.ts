import { errorText, OperatorError } from '../../kernel/errors.ts';
import { RunAnew } from '../row-locks.ts';

const UNREACHABLE = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
  ],
  // No socket file; shut down by its administrator, crashed, starting up; the class of connection failures.
  ...['ENOENT', '57P01', '57P02', '57P03', '08000', '08003', '08006'],
]);
/** What the driver says in words only. */
const LOST =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying)/;

/** Two units wanted each other's rows, or one wrote first what the other was about to write: the second try sees it. */
const CROSSED = new Set(['40001', '40P01', '23505']);

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether the server could not be reached, or the connection to it was lost. */
export function isUnreachable(error: unknown): boolean {
  return UNREACHABLE.has(codeOf(error)) || (error instanceof Error && LOST.test(error.message));
}

/** Whether another unit got in the way, so that the same unit may well succeed when it runs anew. */
export function isCrossed(error: unknown): boolean {
  return CROSSED.has(codeOf(error)) || error instanceof RunAnew;
}

/** The operator's line for a server that cannot be used: what is wrong and what to do. Never with the password. */
export function unusableServer(url: string, error: unknown): OperatorError {
  const { server, database, user } = namesOf(url);
  return new OperatorError(`SERVICE_DATABASE_URL: ${advice(error, server, database, user)}`);
}

function advice(error: unknown, server: string, database: string, user: string): string {
  const code = codeOf(error);
  if (code === '57P03')
    return `the PostgreSQL server at ${server} is starting up or shutting down; try again`;
  if (isUnreachable(error)) {
    return `no PostgreSQL server answers at ${server}; start it, or correct the address (${errorText(error)})`;
  }
  switch (code) {
    case '28P01':
    case '28000':
      return `the server at ${server} refuses the user ${user}; correct user and password (${errorText(error)})`;
    case '3D000':
      return `the server at ${server} has no database ${database}; make it with "createdb --encoding=UTF8 ${database}"`;
    case '53300':
      return `the server at ${server} has no connection left; raise its max_connections or run fewer processes`;
    case '42501':
    case '3F000':
      return `the user ${user} may not make tables in ${database}; make that user its owner (${errorText(error)})`;
    default:
      return `cannot use the database ${database} at ${server}: ${errorText(error)}`;
  }
}

/** How the address is named to people. */
export function namesOf(url: string): { server: string; database: string; user: string } {
  const parsed = URL.parse(url);
  return {
    server: parsed?.searchParams.get('host') ?? (parsed?.host || 'the local socket'),
    database: decodeURIComponent(parsed?.pathname.slice(1) ?? ''),
    user: decodeURIComponent(parsed?.username || (parsed?.searchParams.get('user') ?? 'of this process')),
  };
}
