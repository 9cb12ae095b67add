import { unescape as decode } from 'node:querystring';
import type { Scrub } from '../kernel/scrub.ts';
import { domainMatches, hostOfUrl } from '../merchants/store-domain.ts';

const RULE = 'must be an https URL on a registered store domain, without credentials';

/**
 * Returns the fault of a return URL; null when it is valid. The sandbox also accepts `http://localhost` with any port.
 */
export function returnUrlFault(
  text: string,
  { sandbox, domains }: { sandbox: boolean; domains: readonly string[] },
): string | null {
  const host = hostOfUrl(text);
  const url = URL.parse(text.trim());
  if (host === null || url === null || url.username !== '' || url.password !== '') return RULE;
  if (sandbox && url.protocol === 'http:' && url.hostname === 'localhost') return null;
  const isAllowed = url.protocol === 'https:' && domains.some((pattern) => domainMatches(pattern, host));
  return isAllowed ? null : RULE;
}

/** The address as stored: without spaces around it, percent-encoded where needed, its query unchanged. */
export function canonicalReturnUrl(text: string): string {
  return new URL(text.trim()).href;
}

/** Adds `session_id` to the query and keeps the other parameters. */
export function withSessionId(url: string, sessionId: string): string {
  const [base = '', ...fragment] = url.split('#');
  const separator = base.includes('?') ? (/[?&]$/.test(base) ? '' : '&') : '?';
  return [`${base}${separator}session_id=${sessionId}`, ...fragment].join('#');
}

/**
 * The address as stored, or only its store's when it contains what `scrub` removes, in any encoding of a query, or of an address
 * within a query.
 */
export function scrubbedUrl(url: string | null, scrub: Scrub): string | null {
  if (url === null) return null;
  const outer = readings(url);
  const all = [...outer, ...outer.flatMap(readings)];
  return all.every((text) => scrub(text) === text) ? url : new URL('/', url).href;
}

/** The decoded text, with `+` as it is and as a space. */
function readings(text: string): string[] {
  return [decode(text), decode(text.replaceAll('+', ' '))];
}
