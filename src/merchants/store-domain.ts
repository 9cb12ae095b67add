import { isIP, isIPv6 } from 'node:net';
import { getDomain } from 'tldts';
import { Refusal, type RefusalReason } from '../kernel/errors.ts';

const HOST_LENGTH_MAX = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const SUFFIX_OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

function refusal(reason: RefusalReason, typed: string, what: string): Refusal {
  return new Refusal(reason, `the domain ${JSON.stringify(typed)} ${what}`, { domain: typed }, 'domain');
}

/**
 * Returns the normalised host of an http or https URL: lower case, punycode, no port, no trailing dot, no brackets
 * around an IPv6 address. Returns null for any other text.
 */
export function hostOfUrl(text: string): string | null {
  const trimmed = text.trim();
  // The URL parser also accepts `https:shop.pt` and embedded tabs.
  if (!/^https?:\/\/[^/\\]/i.test(trimmed) || /\p{Cc}/u.test(trimmed)) return null;
  const url = URL.parse(trimmed);
  if (url === null) return null;
  const host = bareHost(url.hostname);
  return host.length > HOST_LENGTH_MAX ? null : host;
}

/**
 * Returns the normalised pattern to store: a host (`shop.pt`), a wildcard (`*.shop.pt`), `localhost` or an IP address.
 * Throws Refusal for a URL, a port, a path, credentials, a malformed name, a public suffix or a wildcard on one.
 */
export function registerableDomain(text: string): string {
  const typed = text.trim();
  if (typed === '') throw refusal('domain_blank', text, 'is blank; give a domain such as shop.pt');
  const address = typed.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return canonicalAddress(typed, address);
  refuseMoreThanHost(typed);

  const wildcard = typed.startsWith('*.');
  const host = canonicalHost(typed, wildcard ? typed.slice(2) : typed);
  if (host === 'localhost' && !wildcard) return host;
  if (getDomain(host, SUFFIX_OPTIONS) === null) {
    throw refusal('domain_suffix', typed, 'is a public suffix; give your own domain under it');
  }
  return wildcard ? `*.${host}` : host;
}

/**
 * Whether a registered pattern admits a normalised host: `shop.pt` admits itself and `www.shop.pt`, `*.shop.pt` admits
 * every subdomain but not `shop.pt`, and `localhost` and addresses admit only themselves.
 */
export function domainMatches(pattern: string, host: string): boolean {
  if (pattern.startsWith('*.')) return host.length > pattern.length - 1 && host.endsWith(pattern.slice(1));
  if (host === pattern) return true;
  return pattern.includes('.') && isIP(pattern) === 0 && host === `www.${pattern}`;
}

const MORE_THAN_HOST: readonly [RegExp, RefusalReason, string][] = [
  [/:\/\//, 'domain_url', 'is a URL; give only the domain, such as shop.pt'],
  [/@/, 'domain_credentials', 'contains credentials; give only the domain, such as shop.pt'],
  [/[/\\?#]/, 'domain_path', 'contains a path; give only the domain, such as shop.pt'],
  [/:/, 'domain_port', 'contains a port; give only the domain, every port is accepted'],
  [/^\*(?!\.)|.\*/, 'domain_wildcard', 'has a wildcard that is not the first label; write it as *.shop.pt'],
];

function refuseMoreThanHost(typed: string): void {
  for (const [form, reason, message] of MORE_THAN_HOST) {
    if (form.test(typed)) throw refusal(reason, typed, message);
  }
}

function canonicalHost(typed: string, name: string): string {
  const malformed = refusal('domain_name', typed, 'is not a domain name; give one such as shop.pt');
  if (/[\s%\p{Cc}]/u.test(name)) throw malformed;
  const host = bareHost(URL.parse(`http://${name}/`)?.hostname ?? '');
  if (host.length > HOST_LENGTH_MAX || !host.split('.').every((label) => LABEL.test(label))) throw malformed;
  // `2130706433` and `0x7f.1` are other spellings of an IP address.
  if (isIP(host) !== 0) throw malformed;
  return host;
}

function canonicalAddress(typed: string, address: string): string {
  const url = URL.parse(isIPv6(address) ? `http://[${address}]/` : `http://${address}/`);
  if (url === null) throw refusal('domain_zone', typed, 'is an address with a zone; give only the address');
  return bareHost(url.hostname);
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
