import { isIP } from 'node:net';
import { domainMatches } from '../../merchants/store-domain.ts';

/** A host, and whether payments from it are accepted. */
export interface DomainExample {
  host: string;
  admitted: boolean;
}

/** Hosts that show what a registered pattern admits and what it does not, judged by the rule that judges payments. */
export function domainExamples(pattern: string): DomainExample[] {
  return exampleHosts(pattern).map((host) => ({ host, admitted: domainMatches(pattern, host) }));
}

function exampleHosts(pattern: string): string[] {
  if (isIP(pattern) !== 0) return [pattern, pattern.includes(':') ? '::2' : '127.0.0.2'].filter(distinct);
  if (pattern === 'localhost') return ['localhost', 'shop.localhost'];
  const wildcard = pattern.startsWith('*.');
  const host = wildcard ? pattern.slice(2) : pattern;
  const hosts = [
    ...(wildcard
      ? [`www.${host}`, `outlet.${host}`, `a.b.${host}`, host]
      : [host, `www.${host}`, `outlet.${host}`]),
    ...(host.startsWith('www.') ? [host.slice('www.'.length)] : []),
    `${host}.example.com`,
    `a-${host}`,
  ];
  return hosts.filter(distinct);
}

function distinct(host: string, index: number, all: string[]): boolean {
  return all.indexOf(host) === index;
}
