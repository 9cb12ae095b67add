// Money is integer euro cents in one branded type. Euros, as JSON numbers or decimal texts, are converted here, exactly.
declare const centsBrand: unique symbol;

/** A safe integer of euro cents; zero or positive. */
export type Cents = number & { readonly [centsBrand]: true };

const CENTS_PER_EURO = 100;

/** The largest amount of a transaction; a method may allow less. */
export const AMOUNT_MAX_CENTS = cents(9_999_999);

/** Returns a number as cents. Throws RangeError on a fraction, a negative or an unsafe number. */
export function cents(value: number): Cents {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`not an integer number of cents: ${value}`);
  return value as Cents;
}

/**
 * Cents of a JSON number in euros, or null when the number carries more than two decimals, is negative or not
 * finite. `0.1 + 0.2` is null because it is not exactly 0.3.
 */
export function centsFromEuros(euros: number): Cents | null {
  const rounded = Math.round(euros * CENTS_PER_EURO);
  if (!Number.isSafeInteger(rounded) || rounded < 0) return null;
  return rounded / CENTS_PER_EURO === euros ? (Math.abs(rounded) as Cents) : null;
}

/** The JSON number of an amount: 1999 becomes 19.99. */
export function eurosFromCents(amount: Cents): number {
  return amount / CENTS_PER_EURO;
}

const DECIMAL = /^(\d{1,13})(?:\.(\d{1,2})0*)?$/;

/**
 * Cents of a bank's decimal (`"12.50"`, `"12.5"`, `12.5`, `"49.90000"`), or null when it is not one or holds a
 * fraction of a cent. Reads the digits; no floating point is involved.
 */
export function centsFromDecimal(value: unknown): Cents | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const match = DECIMAL.exec(text);
  if (!match) return null;
  return cents(Number(match[1]) * CENTS_PER_EURO + Number((match[2] ?? '').padEnd(2, '0')));
}

/** The bank's form of an amount, always two decimals: 1250 becomes `"12.50"`. */
export function decimalFromCents(amount: Cents): string {
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const TYPED = /^(\d{1,7})(?:[.,](\d{1,2}))?$/;
/** Groups of thousands. A point or a comma separates them only before the other one. */
const GROUPED = /^\d{1,3}(?:(?:\.\d{3})+(?=,\d)|(?:,\d{3})+(?=\.\d)|(?:\s\d{3})+(?=[.,]\d|$))/;

/**
 * Cents of an amount that a person typed: `12,5`, `12.50 €`, `1 234,56`, `1.234,56` or `1,234.56`; null when it is none. Also null
 * for `1.500`, which can mean €1.50 or €1,500.
 */
export function centsFromTyped(text: string): Cents | null {
  const amount = text.trim().replace(/^€|€$/g, '').trim();
  const ungrouped = amount.replace(GROUPED, (groups) => groups.replace(/\D/g, ''));
  const [, euros, fraction = ''] = TYPED.exec(ungrouped) ?? [];
  return euros === undefined ? null : cents(Number(euros) * CENTS_PER_EURO + Number(fraction.padEnd(2, '0')));
}
