/**
 * Takes what names a person out of text that is kept for another reason: a row of the bank, a note, a callback. Whole
 * words only, in either case, phone numbers in any of their spellings.
 */
const ERASED = '[erased]';

const TERM_LENGTH_MIN = 2;
const PHONE_DIGITS = 9;
const DEPTH_MAX = 20;

export interface Person {
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
}

/** Replaces whatever names one of `people`. Text and JSON values in, the same shape out. */
export type Scrub = <T>(value: T) => T;

/** A function that takes these people out of any value; null when there is nobody to look for. */
export function scrubber(people: readonly Person[]): Scrub | null {
  const patterns = [...new Set(people.flatMap(patternsOf))].map((source) => new RegExp(source, 'giu'));
  if (patterns.length === 0) return null;
  const text = (value: string) => patterns.reduce((rest, pattern) => rest.replace(pattern, ERASED), value);
  const walk = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return text(value);
    // A phone number that was sent as a number.
    if (typeof value === 'number') return text(String(value)) === ERASED ? ERASED : value;
    if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return value;
    if (Array.isArray(value)) return value.map((member) => walk(member, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [text(name), walk(member, depth + 1)]),
    );
  };
  return (value) => walk(value, 0) as typeof value;
}

/** The same for JSON text; text that is no JSON is taken as plain. */
export function scrubJson(scrub: Scrub, json: string): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return scrub(json);
  }
  return JSON.stringify(scrub(value));
}

function patternsOf({ name, email, phone }: Person): string[] {
  const patterns: string[] = [];
  for (const text of [name, email]) {
    const words = text?.trim().split(/\s+/u) ?? [];
    if (words.join('').length < TERM_LENGTH_MIN) continue;
    patterns.push(whole(words.map((word) => escaped(word)).join(String.raw`\s+`)));
  }
  const digits = phone?.replace(/\D/g, '') ?? '';
  if (digits.length >= PHONE_DIGITS) {
    const spaced = [...digits.slice(-PHONE_DIGITS)].join(String.raw`[\s.\-]?`);
    patterns.push(String.raw`(?<!\d)(?:(?:\+|00)?351[\s#.\-]{0,3})?${spaced}(?!\d)`);
  }
  return patterns;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function whole(pattern: string): string {
  return String.raw`(?<![\p{L}\p{N}])${pattern}(?![\p{L}\p{N}])`;
}
