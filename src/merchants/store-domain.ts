import { isIP, isIPv6 } from 'node:net';
import { getDomain } from 'tldts';
import { OperatorError } from '../kernel/errors.ts';

/**
 * The domains that a merchant's payments may come from: how a host is read, what may be registered, what matches.
 * A registered pattern is a host (`shop.pt`), a wildcard (`*.shop.pt`), `localhost` or an address.
 */
const HOST_LENGTH_MAX = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const SUFFIX_OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** What is wrong with a domain, for whoever says it in other words or another language. */
export type DomainFault =
  | 'blank'
  | 'url'
  | 'credentials'
  | 'path'
  | 'port'
  | 'wildcard'
  | 'name'
  | 'suffix'
  | 'zone';

/** Text that cannot be registered as a store domain; the sentence is the operator's. */
export class DomainRefused extends OperatorError {
  readonly fault: DomainFault;
  /** What was given, without the spaces around it. */
  readonly typed: string;

  constructor(fault: DomainFault, typed: string, what: string) {
    super(`the domain ${JSON.stringify(typed)} ${what}`);
    this.fault = fault;
    this.typed = typed;
  }
}

/**
 * The normalised host of an http or https URL: lower case, punycode, no port, no trailing dot, no brackets around
 * an IPv6 address. Null when the text is no such URL.
 */
export function hostOfUrl(text: string): string | null {
  // An init asks twice, to check the URL and to use it: parsing is 2 µs.
  if (text !== newest.text) newest = { text, host: parsedHost(text) };
  return newest.host;
}

let newest: { readonly text: string; readonly host: string | null } = { text: '', host: null };

function parsedHost(text: string): string | null {
  const trimmed = text.trim();
  // The URL parser repairs what a person would not call a URL (`https:shop.pt`, tabs inside): not where money is let in.
  if (!/^https?:\/\/[^/\\]/i.test(trimmed) || /\p{Cc}/u.test(trimmed)) return null;
  const url = URL.parse(trimmed);
  if (url === null || url.hostname === '') return null;
  const host = bareHost(url.hostname);
  return host.length > HOST_LENGTH_MAX ? null : host;
}

/**
 * The pattern to store for what an operator typed: a host, a wildcard such as `*.shop.pt`, `localhost` or an address,
 * normalised. Throws DomainRefused, an OperatorError with a sentence, for anything else: a URL, a port, a path, credentials, a public
 * suffix or a wildcard on one, a malformed name.
 */
export function registerableDomain(text: string): string {
  const typed = text.trim();
  if (typed === '') throw new DomainRefused('blank', text, 'is blank; give a domain such as shop.pt');
  const address = typed.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) return canonicalAddress(typed, address);
  refuseMoreThanHost(typed);

  const wildcard = typed.startsWith('*.');
  const host = canonicalHost(typed, wildcard ? typed.slice(2) : typed);
  if (host === 'localhost' && !wildcard) return host;
  if (getDomain(host, SUFFIX_OPTIONS) === null) {
    throw new DomainRefused(
      'suffix',
      typed,
      'is a public suffix, shared by many owners; give a name under it',
    );
  }
  return wildcard ? `*.${host}` : host;
}

/**
 * Whether a registered pattern admits a normalised host: `shop.pt` admits itself and `www.shop.pt`; `*.shop.pt`
 * admits every subdomain, not `shop.pt`; `localhost` and addresses admit themselves alone.
 */
export function domainMatches(pattern: string, host: string): boolean {
  if (pattern.startsWith('*.')) return host.length > pattern.length - 1 && host.endsWith(pattern.slice(1));
  if (host === pattern) return true;
  return pattern.includes('.') && isIP(pattern) === 0 && host === `www.${pattern}`;
}

function refuseMoreThanHost(typed: string): void {
  if (typed.includes('://'))
    throw new DomainRefused('url', typed, 'is a URL; give the domain alone, such as shop.pt');
  if (typed.includes('@'))
    throw new DomainRefused(
      'credentials',
      typed,
      'carries credentials; give the domain alone, such as shop.pt',
    );
  if (/[/\\?#]/.test(typed))
    throw new DomainRefused('path', typed, 'carries a path; give the domain alone, such as shop.pt');
  if (typed.includes(':'))
    throw new DomainRefused('port', typed, 'carries a port; give the domain alone, every port is admitted');
  if (typed.slice(1).includes('*') || (typed.startsWith('*') && !typed.startsWith('*.'))) {
    throw new DomainRefused(
      'wildcard',
      typed,
      'has a wildcard elsewhere than in front; write it as *.shop.pt',
    );
  }
}

function canonicalHost(typed: string, name: string): string {
  const malformed = new DomainRefused('name', typed, 'is not a domain name; give one such as shop.pt');
  if (/[\s%\p{Cc}]/u.test(name)) throw malformed;
  const host = bareHost(URL.parse(`http://${name}/`)?.hostname ?? '');
  if (host.length > HOST_LENGTH_MAX || !host.split('.').every((label) => LABEL.test(label))) throw malformed;
  // `2130706433` and `0x7f.1` are spellings of an address; stored as one they would surprise whoever typed them.
  if (isIP(host) !== 0) throw malformed;
  return host;
}

function canonicalAddress(typed: string, address: string): string {
  const url = URL.parse(isIPv6(address) ? `http://[${address}]/` : `http://${address}/`);
  if (url === null)
    throw new DomainRefused('zone', typed, 'is an address with a zone; give the address alone');
  return bareHost(url.hostname);
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
