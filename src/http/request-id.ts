import type { IncomingMessage } from 'node:http';
import type { IdSource } from '../kernel/ids.ts';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's X-Request-Id where it is a sound one, else a new id: what a person quotes and the log is searched for. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>, ids: IdSource): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : ids('req');
}
