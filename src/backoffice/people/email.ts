import { z } from 'zod';
import { OperatorError } from '../../kernel/errors.ts';
import { emailKey } from '../../kernel/person-keys.ts';
import { refused } from '../errors.ts';

const LENGTH_MAX = 254;
const address = z.email().max(LENGTH_MAX);

/** The normalised e-mail of a new user. Throws OperatorError when it is not an address. */
export function newEmail(text: string): string {
  const email = emailKey(text);
  if (address.safeParse(email).success) return email;
  throw new OperatorError(`${JSON.stringify(text)} is not an email address, such as ana@shop.pt`);
}

/** The same for a form field. Throws BackofficeError that names the field. */
export function typedEmail(text: string, field: string): string {
  try {
    return newEmail(text);
  } catch {
    throw refused('email_invalid', 'Enter an email address, such as ana@shop.pt.', { fields: [field] });
  }
}
