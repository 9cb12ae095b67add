import type { AttemptTable, TransactionTable } from '../db/tables/payments.ts';
import { storedJson } from '../kernel/json.ts';
import { foldText, phoneKey } from '../kernel/person-keys.ts';
import type { Person } from '../kernel/scrub.ts';

export const SEARCH_CHARACTERS_MAX = 255;
const WORDS_MAX = 8;
/** A shorter word matches only an exact order id, with or without a number sign, or an exact amount. */
const PART_MIN = 3;

/** Private-use characters around an amount and an order id; folded text has none. */
const AMOUNT = '\u{e000}';
const ORDER = '\u{e001}';

/** Matches a text that contains one of these. */
export type SearchTerm = readonly string[];

type SearchedTransaction = Pick<TransactionTable, 'order_id' | 'amount_cents' | 'customer'>;

/** The searchable text of a transaction, one field per line. `title` is the one of its payment link. */
export function transactionText(
  { order_id, amount_cents, customer, title }: SearchedTransaction & { title: string | null },
  attempts: readonly Pick<AttemptTable, 'phone_number' | 'entity' | 'reference'>[],
): string {
  return lines([
    `${ORDER}${foldText(order_id)}${ORDER}`,
    amountText(amount_cents),
    foldText(title ?? ''),
    ...personFields(storedJson<Person>(customer) ?? {}),
    ...attempts.flatMap(({ phone_number, entity, reference }) => [
      phoneKey(phone_number ?? ''),
      `${entity ?? ''}${reference ?? ''}`,
    ]),
  ]);
}

/** The searchable text of a lead; empty when the lead is erased. */
export function leadText(lead: Person): string {
  return lines(personFields(lead));
}

function personFields({ name, email, phone }: Person): string[] {
  return [foldText(name ?? ''), foldText(email ?? ''), phoneKey(phone ?? '')];
}

function lines(fields: readonly string[]): string {
  return [...new Set(fields)].filter((field) => field !== '').join('\n');
}

function amountText(cents: number): string {
  return `${AMOUNT}${cents}${AMOUNT}`;
}

export function matchesTerms(text: string, terms: readonly SearchTerm[]): boolean {
  return terms.every((term) => term.some((part) => text.includes(part)));
}

/** A phone number or reference: nine digits in groups of three, with or without the country code or the word. */
const NINE_DIGITS =
  /(?<![\p{L}\d_-])(?:ref(?:er[eê]ncia|erence)?[\s.:]*|\(?(?:\+|00)\s?351\)?[\s.-]?)?(\d{3})[\s.-]?(\d{3})[\s.-]?(\d{3})(?!\d)/giu;
const ENTITY_AND_REFERENCE =
  /(?<![\p{L}\d_-])(?:ent(?:idade|ity)?[\s.:]*)?(\d{5})[\s,;:./|-]*(?:ref(?:er[eê]ncia|erence)?[\s.:]*)?(\d{3})[\s.]?(\d{3})[\s.]?(\d{3})(?!\d)/giu;

/** The country code before the rest of a phone number. */
const COUNTRY_CODE =
  /(?<![\p{L}\d_-])\(?(?:\+|00)([1-9]\d{0,2})\)?[\s.-]{1,2}(?=(?:[\s.-]?\d){8,12}(?!\d))/gu;

/** An amount as the Portuguese pages print it: `1 234,56 €`. None has three digits before the space. */
const PRINTED_AMOUNT = /^\s*(\d{1,2})\s(\d{3}(?:,\d{1,2})?)\s?€\s*$/u;
/** Without €, the part before the space can also be of an order id. */
const SPACED_AMOUNT = /^\s*(\d{1,2})\s(\d{3},\d{1,2})\s*$/u;

/**
 * Parses the text of a search box; empty when there is nothing to search. Each word must be part of a name, e-mail address, phone
 * number, order id, title or reference, or be the exact amount.
 */
export function readTerms(text: string, kind: 'tx' | 'led'): SearchTerm[] {
  const limited = text.slice(0, SEARCH_CHARACTERS_MAX);
  const joined = limited
    .replace(PRINTED_AMOUNT, '$1$2')
    .replace(ENTITY_AND_REFERENCE, ' $1$2$3$4 ')
    .replace(
      NINE_DIGITS,
      (match, a, b, c) => ` ${match.replace(/\D/g, '').length > 9 ? '351' : ''}${a}${b}${c} `,
    )
    .replace(COUNTRY_CODE, '+$1');
  const [typed, folded] = [foldText(limited), foldText(joined)];
  const words = folded
    .split(/\s+|[,;](?!\d)/u)
    .map((word) => word.replace(/^#+/, ''))
    .filter((word) => !/^(?:€|eur|euros?)?$/.test(word));
  const [only] = words;
  if (kind === 'tx' && words.length === 1 && only !== undefined && only.length < PART_MIN) {
    return [[`${ORDER}${only}${ORDER}`, `${ORDER}#${only}${ORDER}`, ...amountsOf(only)]];
  }
  const [, thousands = '', rest = ''] = SPACED_AMOUNT.exec(text) ?? [];
  const spaced = amountsOf(`${thousands}${rest}`);
  // What looks like a phone number can be an order id.
  const whole = typed === folded ? spaced : [...spaced, typed];
  return words
    .slice(0, WORDS_MAX)
    .map((word) => [...withEitherApostrophe(word), ...phonePartsOf(word), ...amountsOf(word), ...whole]);
}

/** Phones type the apostrophe of `Sant’Ana` as a closing quotation mark. */
function withEitherApostrophe(word: string): string[] {
  return [...new Set([word, word.replace(/['’]/g, "'"), word.replace(/['’]/g, '’')])];
}

/** The digits of a part of a phone number. */
function phonePartsOf(word: string): string[] {
  const digits = word.replace(/\D/g, '').replace(/^00/, '');
  return /^\+?[\d().-]+$/.test(word) && digits.length >= PART_MIN && digits !== word ? [digits] : [];
}

/** The amount that a word states in euros: `20`, `20,45`, `€20.45` or `1.234,56`. */
function amountsOf(word: string): string[] {
  const figures = word.replace(/^€|€$/g, '');
  const [, whole = '', fraction = ''] =
    /^(\d{1,8})(?:[.,](\d{1,2}))?$/.exec(figures) ??
    /^(\d{1,3}(?:\.\d{3}){1,2})(?:,(\d{1,2}))?$/.exec(figures) ??
    /^(\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,2}))?$/.exec(figures) ??
    [];
  if (whole === '') return [];
  return [amountText(Number(whole.replace(/\D/g, '')) * 100 + Number(fraction.padEnd(2, '0')))];
}
