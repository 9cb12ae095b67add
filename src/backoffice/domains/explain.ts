import {
  type DomainFault,
  DomainRefused,
  domainMatches,
  hostOfUrl,
  registerableDomain,
} from '../../merchants/store-domain.ts';
import { type DomainExample, domainExamples } from './examples.ts';

/** What would happen if a text were registered. */
export type DomainExplanation =
  | {
      ok: true;
      /** As it would be kept. */
      pattern: string;
      examples: DomainExample[];
      /** What is registered and admits all of it already; null when nothing does. */
      coveredBy: string | null;
      /** What is registered and would be needless besides. */
      covers: string[];
      /** A name that admits this one as well and is likelier to be meant; null when there is none. */
      better: string | null;
    }
  | {
      ok: false;
      fault: DomainFault;
      /** What was probably meant; null when nobody can tell. */
      suggestion: string | null;
    };

/** Says, before it is saved, what a domain admits, beside those that are registered. Pure: the rules are those of payments. */
export function explainDomain(text: string, registered: readonly string[]): DomainExplanation {
  const read = registerable(text);
  if (typeof read !== 'string') return { ok: false, fault: read.fault, suggestion: suggestionFor(text) };
  return {
    ok: true,
    pattern: read,
    examples: domainExamples(read),
    coveredBy: registered.find((pattern) => coversAll(pattern, read)) ?? null,
    covers: registered.filter((pattern) => pattern !== read && coversAll(read, pattern)),
    better: betterThan(read),
  };
}

/** The pattern that admits a store address (a host or a URL); undefined when the text is neither, null when none does. */
export function admittedBy(text: string, registered: readonly string[]): string | null | undefined {
  const host = hostOfUrl(text) ?? hostOfUrl(`https://${text.trim()}`);
  if (host === null) return undefined;
  return registered.find((pattern) => domainMatches(pattern, host)) ?? null;
}

/** Whether everything that `inner` admits is admitted by `outer` as well. */
function coversAll(outer: string, inner: string): boolean {
  if (outer === inner) return true;
  if (!inner.startsWith('*.')) return [inner, `www.${inner}`].every((host) => domainMatches(outer, host));
  return outer.startsWith('*.') && inner.endsWith(outer.slice(1));
}

/** `www.shop.pt` is mostly typed for `shop.pt`, which admits both. */
function betterThan(pattern: string): string | null {
  if (!pattern.startsWith('www.')) return null;
  const without = registerable(pattern.slice('www.'.length));
  return typeof without === 'string' ? without : null;
}

function suggestionFor(text: string): string | null {
  const host = hostOfUrl(text) ?? hostOfUrl(`https://${text.trim()}`);
  if (host === null) return null;
  const read = registerable(host);
  if (typeof read !== 'string') return null;
  return betterThan(read) ?? read;
}

function registerable(text: string): string | DomainRefused {
  try {
    return registerableDomain(text);
  } catch (error) {
    if (error instanceof DomainRefused) return error;
    throw error;
  }
}
