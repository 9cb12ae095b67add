import { emailKey, phoneKey } from '../kernel/person-keys.ts';

/** Who a customer is to the lead register: the normalised e-mail, else the normalised phone; null with neither. */
export function leadIdentity(email: string | null, phone: string | null): string | null {
  const address = emailKey(email ?? '');
  if (address !== '') return `email:${address}`;
  const number = phoneKey(phone ?? '');
  return number === '' ? null : `phone:${number}`;
}
