import { isIP } from 'node:net';
import {
  type DomainFault,
  DomainRefused,
  domainMatches,
  hostOfUrl,
  registerableDomain,
} from '../../merchants/store-domain.ts';
import { unicodeNames } from '../domain-names.ts';

/** A host, and whether payments from it are accepted. */
interface DomainExample {
  host: string;
  admitted: boolean;
}

/** The effect of registering a text. */
export type DomainExplanation =
  | {
      ok: true;
      /** The text as it would be stored. */
      pattern: string;
      examples: DomainExample[];
      /** A registered pattern that already admits every host of this one. */
      coveredBy: string | null;
      /** Registered patterns that this one makes redundant. */
      covers: string[];
      /** A pattern that covers this one and was more likely intended. */
      better: string | null;
      names: Record<string, string>;
    }
  | {
      ok: false;
      fault: DomainFault;
      /** The domain that was probably intended. */
      suggestion: string | null;
      names: Record<string, string>;
    };

/** Explains what a domain would admit next to the registered ones, by the rules that payments use. */
export function explainDomain(text: string, registered: readonly string[]): DomainExplanation {
  const pattern = registerable(text);
  if (pattern instanceof DomainRefused) {
    const suggestion = suggestionFor(text);
    return { ok: false, fault: pattern.fault, suggestion, names: unicodeNames([suggestion]) };
  }
  const examples = domainExamples(pattern);
  const coveredBy = registered.find((other) => coversAll(other, pattern)) ?? null;
  const covers = registered.filter((other) => other !== pattern && coversAll(pattern, other));
  const better = withoutWww(pattern);
  const hosts = examples.map(({ host }) => host);
  const names = unicodeNames([pattern, ...hosts, coveredBy, ...covers, better]);
  return { ok: true, pattern, examples, coveredBy, covers, better, names };
}

/** The pattern that admits a host or URL; null when none does, undefined when the text is neither. */
export function admittedBy(text: string, registered: readonly string[]): string | null | undefined {
  const host = hostOf(text);
  if (host === null) return undefined;
  return registered.find((pattern) => domainMatches(pattern, host)) ?? null;
}

/** Examples of hosts that a registered pattern admits and does not admit. */
export function domainExamples(pattern: string): DomainExample[] {
  const hosts = [...new Set(exampleHosts(pattern))];
  return hosts.map((host) => ({ host, admitted: domainMatches(pattern, host) }));
}

function exampleHosts(pattern: string): string[] {
  if (isIP(pattern) !== 0) return [pattern, pattern.includes(':') ? '::2' : '127.0.0.2'];
  if (pattern === 'localhost') return ['localhost', 'shop.localhost'];
  const host = pattern.replace(/^\*\./, '');
  const subdomains = [`www.${host}`, `outlet.${host}`];
  return [
    ...(host === pattern ? [host, ...subdomains] : [...subdomains, `a.b.${host}`, host]),
    ...(host.startsWith('www.') ? [host.slice('www.'.length)] : []),
    `${host}.example.com`,
    `a-${host}`,
  ];
}

/** Whether `outer` admits everything that `inner` admits. */
function coversAll(outer: string, inner: string): boolean {
  if (outer === inner) return true;
  if (!inner.startsWith('*.')) return [inner, `www.${inner}`].every((host) => domainMatches(outer, host));
  return outer.startsWith('*.') && inner.endsWith(outer.slice(1));
}

/** `shop.pt`, which also admits `www.shop.pt`. */
function withoutWww(pattern: string): string | null {
  if (!pattern.startsWith('www.')) return null;
  const without = registerable(pattern.slice('www.'.length));
  return typeof without === 'string' ? without : null;
}

function suggestionFor(text: string): string | null {
  const host = hostOf(text);
  const pattern = host === null ? null : registerable(host);
  return typeof pattern === 'string' ? (withoutWww(pattern) ?? pattern) : null;
}

function hostOf(text: string): string | null {
  return hostOfUrl(text) ?? hostOfUrl(`https://${text.trim()}`);
}

function registerable(text: string): string | DomainRefused {
  try {
    return registerableDomain(text);
  } catch (error) {
    if (error instanceof DomainRefused) return error;
    throw error;
  }
}
