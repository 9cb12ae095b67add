import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../config.ts';
import { BackofficeError } from '../errors.ts';

/**
 * Refuses what another site's page could have made a signed-in browser send. A mutation must carry a header that no
 * form can set, and come, by the browser's own word, from our own origin; the cookie's SameSite is the third lock. A
 * program without a browser states its Origin.
 */
export function demandSameOrigin(request: FastifyRequest, settings: Pick<Settings, 'publicUrl'>): void {
  const { headers } = request;
  if (headers['x-backoffice'] === '1' && cameFromHere(request, settings)) return;
  throw new BackofficeError(
    'FORBIDDEN',
    'This request did not come from the back office’s own pages. Open the page again and repeat it there.',
  );
}

function cameFromHere(request: FastifyRequest, settings: Pick<Settings, 'publicUrl'>): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site === 'same-origin';
  return isOurs(origin, request, settings);
}

/**
 * By scheme, host and port, the scheme as far as it is ours to know. Compared as text: a browser writes an origin in one
 * way only, and anything else plays with parsers.
 */
function isOurs(origin: string, request: FastifyRequest, settings: Pick<Settings, 'publicUrl'>): boolean {
  const theirs = URL.parse(origin);
  if (theirs === null) return false;
  const known = settings.publicUrl === null ? null : URL.parse(settings.publicUrl);
  if (known?.origin === origin) return true;
  const schemes = known?.hostname === theirs.hostname ? [known.protocol] : schemesOf(request);
  return schemes.some((scheme) => URL.parse(`${scheme}//${request.host}`)?.origin === origin);
}

/** What the browser may have spoken: one scheme where TLS ends here or a trusted proxy tells it, else either. */
function schemesOf(request: FastifyRequest): string[] {
  const told = request.headers['x-forwarded-proto'] !== undefined && (request.ips?.length ?? 0) > 1;
  return told || request.protocol === 'https' ? [`${request.protocol}:`] : ['http:', 'https:'];
}
