import { emailKey } from '../../kernel/person-keys.ts';

/** One meaning of a text in the search box. */
export type Condition =
  | { kind: 'id'; prefix: string }
  /** The phone of an MB WAY attempt. */
  | { kind: 'phone'; phone: string }
  /** The phone of the customer. */
  | { kind: 'customer-phone'; phone: string }
  | { kind: 'reference'; entity: string | null; reference: string }
  | { kind: 'order'; prefix: string }
  | { kind: 'email'; prefix: string }
  /** An open receipt that needs attention. */
  | { kind: 'attention' }
  /** Held for the operator's release. */
  | { kind: 'held' };

/** A condition, any of several, or all of several. */
export type Wanted = Condition | { any: readonly Wanted[] } | { all: readonly Wanted[] };

export const SEARCH_CHARACTERS_MAX = 255;
const WORDS_MAX = 3;
const EMAIL_PREFIX_MIN = 2;

/** A phone number or reference: nine digits in groups of three, with or without the country code. */
const NINE_DIGITS =
  /(?<![\p{L}\d_-])(?:\(?(?:\+|00)\s?351\)?[\s.-]?)?(\d{3})[\s.-]?(\d{3})[\s.-]?(\d{3})(?!\d)/gu;
const ENTITY_AND_REFERENCE =
  /(?<![\p{L}\d_-])(?:ent(?:idade|ity)?[\s.:]*)?(\d{5})[\s,;:./|-]*(?:ref(?:er[eê]ncia|erence)?[\s.:]*)?(\d{3})[\s.]?(\d{3})[\s.]?(\d{3})(?!\d)/giu;
const TRANSACTION_ID = /^tx_[0-9a-hjkmnp-tv-z]{4,26}$/i;

/**
 * Parses the text of the search box; null when it is empty. A word can be a transaction id, a reference, a phone number in
 * any format, or the beginning of an order id or e-mail. Several words mean all of them, or one order id with spaces.
 */
export function readSearch(text: string): Wanted | null {
  const typed = text.trim().replace(/\s+/gu, ' ').slice(0, SEARCH_CHARACTERS_MAX);
  if (typed === '') return null;
  const joined = typed
    .replace(ENTITY_AND_REFERENCE, ' $1$2$3$4 ')
    .replace(
      NINE_DIGITS,
      (match, a, b, c) => ` ${match.replace(/\D/g, '').length > 9 ? '+351' : ''}${a}${b}${c} `,
    )
    .trim();
  const words = joined.split(/[\s,;]+/u).filter((word) => word !== '');
  const [word] = words;
  if (word === undefined) return { any: ordersOf(typed) };
  if (words.length === 1) return { any: meaningsOf(word, typed) };
  const every = words.slice(0, WORDS_MAX).map((each) => ({ any: meaningsOf(each) }));
  return { any: [...ordersOf(typed), { all: every }] };
}

/** The meanings of one word; always the beginning of an order id, as `typed`. */
function meaningsOf(word: string, typed = word): Condition[] {
  if (TRANSACTION_ID.test(word)) return [{ kind: 'id', prefix: word.toLowerCase() }, ...ordersOf(typed)];
  const meanings = ordersOf(typed);
  const phone = /^(?:\+?351|00351)?(9\d{8})$/.exec(word)?.[1];
  if (phone !== undefined) meanings.push({ kind: 'phone', phone }, { kind: 'customer-phone', phone });
  if (/^\d{9}$/.test(word)) meanings.push({ kind: 'reference', entity: null, reference: word });
  if (/^\d{14}$/.test(word)) {
    meanings.push({ kind: 'reference', entity: word.slice(0, 5), reference: word.slice(5) });
  }
  if (word.length >= EMAIL_PREFIX_MIN && /^[^\s,;"<>()]*[a-z@][^\s,;"<>()]*$/i.test(word)) {
    meanings.push({ kind: 'email', prefix: emailKey(word) });
  }
  return meanings;
}

/** Order ids are case-sensitive, so both cases are searched as well. */
function ordersOf(typed: string): Condition[] {
  const prefixes = new Set([typed, typed.toUpperCase(), typed.toLowerCase()]);
  return [...prefixes].map((prefix) => ({ kind: 'order', prefix }));
}
