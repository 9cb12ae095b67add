import { domainToUnicode } from 'node:url';

/** The Unicode forms of internationalised domains, by the ASCII form in which they are stored. */
export function unicodeNames(domains: readonly (string | null)[]): Record<string, string> {
  const names: Record<string, string> = {};
  for (const domain of domains) {
    if (domain === null) continue;
    const unicode = domainToUnicode(domain);
    // It is empty for an IPv6 address.
    if (unicode !== '' && unicode !== domain) names[domain] = unicode;
  }
  return names;
}
