const TYPED = /^(\d{1,7})(?:[.,](\d{1,2}))?$/;

/** Returns an amount in the format that a user types. */
export function typedEuros(cents: number, comma: string): string {
  return (cents / 100).toFixed(2).replace('.', comma);
}

/** Returns the cents of a typed amount; null when it is not an amount. */
export function centsOf(text: string): number | null {
  const [, euros, cents = ''] = TYPED.exec(text.replace(/[\s€]/g, '')) ?? [];
  return euros === undefined ? null : Number(euros) * 100 + Number(cents.padEnd(2, '0'));
}
