const KEY_LENGTH_MAX = 100;

/** What an e-mail address is looked up by: without spaces around, in lower case. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** Digits with the country code: `912 345 678`, `+351 912345678` and `00351912345678` are one number. */
export function phoneKey(phone: string): string {
  const digits = phone.replace(/\D/g, '').replace(/^00/, '');
  return /^9\d{8}$/.test(digits) ? `351${digits}` : digits;
}

/** What a name is looked up by: lower case, without accents, single spaces, at most 100 characters. */
export function nameKey(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, KEY_LENGTH_MAX);
}

/** The campaign in tracking parameters, at most 100 characters; null when they name none. */
export function campaignKey(tracking: object | null): string | null {
  const value = (tracking as { utm_campaign?: unknown } | null)?.utm_campaign;
  const text = typeof value === 'string' ? value.trim().slice(0, KEY_LENGTH_MAX) : '';
  return text === '' ? null : text;
}
