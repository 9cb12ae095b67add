/** The languages of pages and mails. */
export type Language = 'pt' | 'en';

/** `49,90 €` or `€49.90`. */
export function amountText(cents: number, locale: Language): string {
  const format = { style: 'currency', currency: 'EUR' } as const;
  return new Intl.NumberFormat(locale === 'pt' ? 'pt-PT' : 'en-IE', format).format(cents / 100);
}

/** The date and time in Lisbon. */
export function instantText(instant: number, locale: Language): string {
  return new Intl.DateTimeFormat(locale === 'pt' ? 'pt-PT' : 'en-GB', {
    timeZone: 'Europe/Lisbon',
    dateStyle: 'long',
    timeStyle: 'short',
  }).format(instant);
}

/** The time of day in Lisbon. */
export function timeText(instant: number, locale: Language): string {
  return new Intl.DateTimeFormat(locale === 'pt' ? 'pt-PT' : 'en-GB', {
    timeZone: 'Europe/Lisbon',
    hour: '2-digit',
    minute: '2-digit',
  }).format(instant);
}
