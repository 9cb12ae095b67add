import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../config.ts';
import { clientAddress } from '../http/client-address.ts';
import type { BackofficeContext, EndpointTools } from './context.ts';
import { BACKOFFICE } from './paths.ts';
import { DEVICE_MS } from './people/device.ts';
import { passkeySite } from './people/passkey-site.ts';
import { findSession } from './people/session.ts';

const USER_AGENT_LENGTH_MAX = 200;
/** Browsers accept a cookie with this prefix only over TLS and only from the same host. */
const HOST_PREFIX = '__Host-';

/** The caller of a request, identified by the session cookie. Polling does not extend the session. */
export async function callerOf(
  tools: EndpointTools,
  request: FastifyRequest,
  reply: FastifyReply,
  isPoll = request.method === 'GET' && request.headers['x-backoffice-poll'] === '1',
): Promise<BackofficeContext> {
  const { deps } = tools;
  const secure = isOverTls(request, deps.settings);
  const cookie = `${secure ? HOST_PREFIX : ''}backoffice`;
  // Only this service reads its cookies. The __Host- prefix requires the path of the host.
  const options = { httpOnly: true, sameSite: 'strict', path: secure ? '/' : BACKOFFICE, secure } as const;
  const token = request.cookies[cookie];
  const found = token === undefined ? null : await findSession(deps, token, { isPoll });
  const address = clientAddress(request);
  const actor = { userId: found?.user.id ?? null, name: found?.user.email ?? 'anonymous', address };
  return {
    ...tools,
    deps: { ...deps, actor },
    user: found?.user ?? null,
    session: found?.session ?? null,
    address,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH_MAX),
    passkeySite: passkeySite(request, deps.settings),
    requestId: request.id,
    device: request.cookies[`${cookie}-device`] ?? null,
    setCookie(value) {
      if (value === null) reply.clearCookie(cookie, options);
      // Without an expiry, because the session in the database has one.
      else reply.setCookie(cookie, value, options);
    },
    setDevice(value) {
      reply.setCookie(`${cookie}-device`, value, { ...options, maxAge: DEVICE_MS / 1000 });
    },
  };
}

/** Whether the browser uses TLS, according to a trusted proxy or to the public URL. */
function isOverTls(request: FastifyRequest, settings: Pick<Settings, 'publicUrl'>): boolean {
  return request.protocol === 'https' || settings.publicUrl?.startsWith('https:') === true;
}
