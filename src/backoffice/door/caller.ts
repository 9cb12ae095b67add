import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { clientAddress } from '../../http/client-address.ts';
import type { BackofficeContext } from '../context.ts';
import { findSession } from '../people/find-session.ts';
import type { Throttle } from '../people/throttle.ts';
import { readCookie, writeCookie } from './cookie.ts';

/** What every call through the door uses. */
export interface DoorTools {
  readonly deps: Deps;
  readonly throttle: Throttle;
}

const USER_AGENT_LENGTH_MAX = 200;

/** Who calls, by the cookie, and what they bring along. */
export async function callerOf(
  { deps, throttle }: DoorTools,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<BackofficeContext> {
  const token = readCookie(request, deps.settings);
  const found = token === undefined ? null : await findSession(deps, token);
  const address = clientAddress(request);
  const actor = { userId: found?.user.id ?? null, name: found?.user.email ?? 'nobody', address };
  return {
    deps: { ...deps, actor },
    user: found?.user ?? null,
    session: found?.session ?? null,
    actor,
    address,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH_MAX),
    requestId: request.id,
    throttle,
    setCookie: (value) => writeCookie(request, reply, deps.settings, value),
  };
}
