const KEY_LENGTH_MAX = 100;

/** An e-mail address as it is compared: trimmed, lower case. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** The lookup key of a phone number: digits with the country code, so `912 345 678` equals `+351 912345678`. */
export function phoneKey(phone: string): string {
  const digits = phone.replace(/\D/g, '').replace(/^00/, '');
  return /^9\d{8}$/.test(digits) ? `351${digits}` : digits;
}

/** The lookup key of a name: as `foldText`, with straight apostrophes. */
export function nameKey(name: string): string {
  return foldText(name).replaceAll('’', "'");
}

/** The text without accents. Existing combining marks are removed first, because sorting many takes quadratic time. */
export function withoutAccents(text: string): string {
  return text
    .replace(/\p{M}+/gu, '')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '');
}

/** The searchable form of a text: lower case, without accents, single spaces, no control or private-use characters. */
export function foldText(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replace(/[\s\p{Cc}\p{Cf}\p{Co}]+/gu, ' ')
    .trim();
}

/** The campaign in tracking parameters, at most 100 characters; null without one. */
export function campaignKey(tracking: object | null): string | null {
  const value = (tracking as { utm_campaign?: unknown } | null)?.utm_campaign;
  const text = typeof value === 'string' ? value.trim().slice(0, KEY_LENGTH_MAX) : '';
  return text === '' ? null : text;
}
