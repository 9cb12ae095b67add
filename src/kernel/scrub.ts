const ERASED = '[erased]';
const TERM_LENGTH_MIN = 2;
const PHONE_DIGITS = 9;
const DEPTH_MAX = 20;

export interface Person {
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
}

/** Replaces a person's name, e-mail address and phone number in text or in a JSON value of any shape. */
export type Scrub = <T>(value: T) => T;

/**
 * Returns a function that scrubs these people. Names and addresses match as complete words, case-insensitively; phone
 * numbers match in any usual spelling.
 */
export function scrubber(people: readonly Person[]): Scrub {
  const patterns = [...new Set(people.flatMap(patternsOf))].map((source) => new RegExp(source, 'giu'));
  const text = (value: string) => patterns.reduce((rest, pattern) => rest.replace(pattern, ERASED), value);
  const walk = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return text(value);
    // A phone number can be stored as a JSON number.
    if (typeof value === 'number') return text(String(value)) === ERASED ? ERASED : value;
    if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return value;
    if (Array.isArray(value)) return value.map((member) => walk(member, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [text(name), walk(member, depth + 1)]),
    );
  };
  return (value) => walk(value, 0) as typeof value;
}

/** Scrubs JSON text. Text that is not valid JSON is scrubbed as plain text. */
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
    const term = words.map(escaped).join(String.raw`\s+`);
    patterns.push(String.raw`(?<![\p{L}\p{N}])${term}(?![\p{L}\p{N}])`);
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
