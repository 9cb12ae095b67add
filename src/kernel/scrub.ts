import { withoutAccents } from './person-keys.ts';

const ERASED = '[erased]';
const TERM_LENGTH_MIN = 2;
const PHONE_DIGITS = 9;
/** The country code of a number without one. */
const PORTUGAL = '351';
const DEPTH_MAX = 20;

export interface Person {
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
}

/** Replaces a person's name, e-mail address and phone number in text or in a JSON value of any shape. */
export type Scrub = <T>(value: T) => T;

/**
 * Returns a function that scrubs these people. Names and addresses match as complete words, also without case and accents;
 * phone numbers match in any usual spelling.
 */
export function scrubber(people: readonly Person[]): Scrub {
  const patterns = [...new Set(people.flatMap(patternsOf))].map((source) => new RegExp(source, 'giu'));
  const text = (value: string) => replaced(value, patterns);
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

/** Replaces what the patterns match in the text without accents; the rest of the text stays as it is. */
function replaced(text: string, patterns: readonly RegExp[]): string {
  let plain = '';
  /** For each position of `plain`, the position in `text`. */
  const positions: number[] = [];
  for (const { 0: character, index } of text.matchAll(/./gsu)) {
    const bare = character < '\u{80}' ? character : withoutAccents(character);
    plain += bare;
    for (let unit = 0; unit < bare.length; unit++) positions.push(index);
  }
  const matches = patterns
    .flatMap((pattern) => [...plain.matchAll(pattern)])
    .map(({ 0: match, index }) => ({ start: index, end: index + match.length }))
    .sort((a, b) => a.start - b.start);
  let result = '';
  let end = 0;
  let from = 0;
  for (const match of matches) {
    // Matches that overlap are replaced once: a name can begin an address or a longer name.
    if (match.start >= end) result += text.slice(from, positions[match.start]) + ERASED;
    end = Math.max(end, match.end);
    from = positions[end] ?? text.length;
  }
  return result + text.slice(from);
}

function patternsOf({ name, email, phone }: Person): string[] {
  const patterns: string[] = [];
  for (const text of [name, email]) {
    const words = withoutAccents(text ?? '')
      .trim()
      .split(/\s+/u);
    if (words.join('').length < TERM_LENGTH_MIN) continue;
    const term = words.map(escaped).join(String.raw`\s+`);
    patterns.push(String.raw`(?<![\p{L}\p{N}])${term}(?![\p{L}\p{N}])`);
  }
  const digits = (phone ?? '').replace(/\D/g, '').replace(/^00/, '');
  if (digits.length >= PHONE_DIGITS) {
    const spaced = [...digits.slice(-PHONE_DIGITS)].join(String.raw`[\s.\-]?`);
    const prefix = digits.slice(0, -PHONE_DIGITS) || PORTUGAL;
    const code = [...prefix].map((digit) => String.raw`${digit}[\s#.\-]{0,3}`).join('');
    // A national number can have ten digits, the first of them in `prefix`, after a zero.
    const national = `0${prefix.at(-1)}?`;
    patterns.push(String.raw`(?<!\d)(?:(?:\+|00)?${code}|${national})?${spaced}(?!\d)`);
  }
  return patterns;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
