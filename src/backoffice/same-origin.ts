import type { FastifyRequest } from 'fastify';
import type { Settings } from '../config.ts';
import { BackofficeError } from './errors.ts';

/**
 * Rejects requests that another site could make a browser send. A mutation needs a header that no form can set and must come from
 * this origin; the cookie's SameSite attribute is the third protection.
 */
export function requireSameOrigin(request: FastifyRequest, settings: Pick<Settings, 'publicUrl'>): void {
  const { headers } = request;
  if (headers['x-backoffice'] === '1' && isFromHere(request, settings)) return;
  throw new BackofficeError(
    'FORBIDDEN',
    'This request did not come from a page of the back office. Reload the page and try again.',
    { reason: 'foreign_page' },
  );
}

function isFromHere(request: FastifyRequest, settings: Pick<Settings, 'publicUrl'>): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site === 'same-origin';
  return isOwnOrigin(origin, request, settings);
}

/** Compares scheme, host and port as text: browsers write an origin in exactly one way. */
function isOwnOrigin(origin: string, request: FastifyRequest, settings: Pick<Settings, 'publicUrl'>) {
  const parsed = URL.parse(origin);
  if (parsed === null) return false;
  const known = settings.publicUrl === null ? null : URL.parse(settings.publicUrl);
  if (known?.origin === origin) return true;
  const schemes = known?.hostname === parsed.hostname ? [known.protocol] : schemesOf(request);
  return schemes.some((scheme) => URL.parse(`${scheme}//${request.host}`)?.origin === origin);
}

/** The schemes that the browser may have used: both, unless TLS ends here or a trusted proxy names the scheme. */
function schemesOf(request: FastifyRequest): string[] {
  const isKnown = request.headers['x-forwarded-proto'] !== undefined && (request.ips?.length ?? 0) > 1;
  return isKnown || request.protocol === 'https' ? [`${request.protocol}:`] : ['http:', 'https:'];
}
