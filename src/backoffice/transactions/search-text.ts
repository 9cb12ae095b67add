import { emailKey } from '../../kernel/person-keys.ts';

/** One thing that a text in the search box can mean. */
export type Condition =
  | { kind: 'id'; prefix: string }
  /** A push went to this phone. */
  | { kind: 'phone'; phone: string }
  /** The customer gave this phone. */
  | { kind: 'customer-phone'; phone: string }
  | { kind: 'reference'; entity: string | null; reference: string }
  | { kind: 'order'; prefixes: readonly [string, ...string[]] }
  | { kind: 'email'; prefix: string }
  /** Money that needs people: late, duplicate, under or over, and not settled yet. */
  | { kind: 'attention' }
  /** Settled, and held for the operator's release. */
  | { kind: 'held' };

/** What is looked for: a condition, any of several, or all of several. */
export type Wanted = Condition | { any: readonly Wanted[] } | { all: readonly Wanted[] };

export const SEARCH_CHARACTERS_MAX = 255;
const WORDS_MAX = 3;
const EMAIL_PREFIX_MIN = 2;

/** Three, three and three digits, in whatever spelling, with or without the country's code; not inside of a longer word. */
const NINE_DIGITS =
  /(?<![\p{L}\d_-])(?:\(?(?:\+|00)\s?351\)?[\s.-]?)?(\d{3})[\s.-]?(\d{3})[\s.-]?(\d{3})(?!\d)/gu;
const ENTITY_AND_REFERENCE =
  /(?<![\p{L}\d_-])(?:ent(?:idade|ity)?[\s.:]*)?(\d{5})[\s,;:./|-]*(?:ref(?:er[eê]ncia|erence)?[\s.:]*)?(\d{3})[\s.]?(\d{3})[\s.]?(\d{3})(?!\d)/giu;
const TRANSACTION_ID = /^tx_[0-9a-hjkmnp-tv-z]{4,26}$/i;

/**
 * What a text in the search box asks for; null when it asks for nothing. Its form decides: a transaction's id, entity and
 * reference, a phone number in any spelling, the beginning of an order id or of an e-mail. What fits several forms means
 * any of them; several words mean all of them, or one order id with spaces. Pure.
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
  if (word === undefined) return orderOf(typed);
  if (words.length === 1) return { any: meaningsOf(word, typed) };
  return {
    any: [orderOf(typed), { all: words.slice(0, WORDS_MAX).map((each) => ({ any: meaningsOf(each) })) }],
  };
}

/** Everything that one word can mean; the beginning of an order id always, as it was `typed`. */
function meaningsOf(word: string, typed = word): Condition[] {
  if (TRANSACTION_ID.test(word)) return [{ kind: 'id', prefix: word.toLowerCase() }, orderOf(typed)];
  const meanings: Condition[] = [orderOf(typed)];
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

/** Order ids keep their case; whoever looks for one rarely does. */
function orderOf(typed: string): Condition {
  const others = new Set([typed.toUpperCase(), typed.toLowerCase()]);
  others.delete(typed);
  return { kind: 'order', prefixes: [typed, ...others] };
}
