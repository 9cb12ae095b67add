/** The languages of pages, mails and exported files. */
export const LANGUAGES = ['pt', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

const LISBON = 'Europe/Lisbon';
const CURRENCY = { style: 'currency', currency: 'EUR', useGrouping: 'always' } as const;
const INSTANT = { timeZone: LISBON, dateStyle: 'long', timeStyle: 'short' } as const;
const TIME = { timeZone: LISBON, hour: '2-digit', minute: '2-digit' } as const;
const ZONES = { pt: '(hora\u00a0de\u00a0Lisboa)', en: '(Lisbon\u00a0time)' };

// Formats are created once, because creating one takes longer than rendering a page.
const AMOUNTS = {
  pt: new Intl.NumberFormat('pt-PT', CURRENCY),
  en: new Intl.NumberFormat('en-IE', CURRENCY),
};
const INSTANTS = {
  pt: new Intl.DateTimeFormat('pt-PT', INSTANT),
  en: new Intl.DateTimeFormat('en-GB', INSTANT),
};
const TIMES = { pt: new Intl.DateTimeFormat('pt-PT', TIME), en: new Intl.DateTimeFormat('en-GB', TIME) };

/** `1 234,56 €` or `€1,234.56`. */
export function amountText(cents: number, locale: Language): string {
  return AMOUNTS[locale].format(cents / 100);
}

/** The date and time in Lisbon. */
export function instantText(instant: number, locale: Language): string {
  return INSTANTS[locale].format(instant);
}

/** The date and time in Lisbon with the zone named, because it is one hour earlier in the Azores. */
export function deadlineText(instant: number, locale: Language): string {
  return `${instantText(instant, locale)} ${ZONES[locale]}`;
}

/** The time of day in Lisbon, also with the zone. */
export function timeText(instant: number, locale: Language): string {
  return `${TIMES[locale].format(instant)} ${ZONES[locale]}`;
}
