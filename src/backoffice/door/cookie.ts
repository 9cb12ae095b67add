import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../config.ts';
import { BACKOFFICE } from './paths.ts';

const NAME = 'backoffice';
/** A browser takes a cookie of this prefix only over TLS and from this very host, so that neither plain HTTP nor a neighbour can plant one. */
const HOST_PREFIX = '__Host-';

/** The session's token that came with a request. */
export function readCookie(
  request: FastifyRequest,
  settings: Pick<Settings, 'publicUrl'>,
): string | undefined {
  return request.cookies[nameFor(overTls(request, settings))];
}

/**
 * Sets the session's cookie, or takes it away. Without an end of its own: the session in the database has one. Strict,
 * because the document needs no cookie to be shown and its own calls are of the same site, so that a link from a mail works all the same.
 */
export function writeCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Pick<Settings, 'publicUrl'>,
  token: string | null,
): void {
  const secure = overTls(request, settings);
  const options = { httpOnly: true, sameSite: 'strict', path: pathFor(secure), secure } as const;
  if (token === null) reply.clearCookie(nameFor(secure), options);
  else reply.setCookie(nameFor(secure), token, options);
}

function nameFor(secure: boolean): string {
  return secure ? HOST_PREFIX + NAME : NAME;
}

/** The prefix asks for the whole host's path. */
function pathFor(secure: boolean): string {
  return secure ? '/' : BACKOFFICE;
}

/** By what a trusted proxy says of this request, or by the address that the service is known under. */
function overTls(request: FastifyRequest, settings: Pick<Settings, 'publicUrl'>): boolean {
  return request.protocol === 'https' || settings.publicUrl?.startsWith('https:') === true;
}
