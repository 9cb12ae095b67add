import { isIP } from 'node:net';
import { Refusal, type RefusalReason } from '../../kernel/errors.ts';
import { domainMatches, registerableDomain } from '../../merchants/store-domain.ts';
import { unicodeNames } from '../domain-names.ts';

/** The effect of registering a text; `pattern` is the text as it would be stored. */
export type DomainExplanation =
  | { ok: true; pattern: string; examples: ReturnType<typeof domainExamples>; names: Record<string, string> }
  | { ok: false; reason: RefusalReason };

/** Explains what a domain would admit, by the rules that payments use. */
export function explainDomain(text: string): DomainExplanation {
  try {
    const pattern = registerableDomain(text);
    const examples = domainExamples(pattern);
    return {
      ok: true,
      pattern,
      examples,
      names: unicodeNames([pattern, ...examples.map(({ host }) => host)]),
    };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.reason };
    throw error;
  }
}

/** Hosts, and whether payments from them are accepted. */
export function domainExamples(pattern: string) {
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
