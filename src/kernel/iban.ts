import { electronicFormatIBAN, isSEPACountry, isValidIBAN } from 'ibantools';

/** Countries that joined SEPA since the library's list was made. */
const JOINED_LATER = ['AL', 'MD', 'ME', 'MK', 'RS'];

/** The IBAN without spaces, in capitals; null when it is invalid by ISO 13616, or its country is outside SEPA. */
export function validIban(text: string): string | null {
  const iban = electronicFormatIBAN(text);
  if (iban === null || !isValidIBAN(iban)) return null;
  const country = iban.slice(0, 2);
  return isSEPACountry(country) || JOINED_LATER.includes(country) ? iban : null;
}
