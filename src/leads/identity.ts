/** Who a customer is to the lead register: the normalised e-mail, else the normalised phone; null with neither. */
export function leadIdentity(email: string | null, phone: string | null): string | null {
  const address = email?.trim().toLowerCase() ?? '';
  if (address !== '') return `email:${address}`;
  const number = normalisePhone(phone ?? '');
  return number === '' ? null : `phone:${number}`;
}

/** Digits with the country code: `912 345 678`, `+351 912345678` and `00351912345678` are one number. */
function normalisePhone(phone: string): string {
  const digits = phone.replace(/\D/g, '').replace(/^00/, '');
  return /^9\d{8}$/.test(digits) ? `351${digits}` : digits;
}
