import { Refusal } from '../../kernel/errors.ts';
import { validIban } from '../../kernel/iban.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import { sepaText } from './credit-transfer.ts';

const NAME_LENGTH_MAX = 140;

/** The IBAN without spaces, in capitals. Throws Refusal when SEPA does not reach it; the message never contains it. */
export function checkedIban(text: string): string {
  const iban = validIban(text);
  if (iban === null)
    throw new Refusal('refund_iban', 'the IBAN is not valid in SEPA: check its digits and its country');
  return iban;
}

/** The trimmed name of an account holder. Throws Refusal, also when a bank transfer could carry none of its characters. */
export function checkedName(text: string): string {
  const name = text.trim();
  const isReadable = sepaText(name, NAME_LENGTH_MAX) !== '';
  if (!isReadable || name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name)) {
    throw new Refusal(
      'refund_name',
      `the name of the account holder must have 1 to ${NAME_LENGTH_MAX} characters, Latin letters among them, and no control characters`,
      { max: NAME_LENGTH_MAX },
    );
  }
  return name;
}

/** The name of a customer (JSON) as an account holder, cut to what a transfer accepts. */
export function customerName(customer: string | null): string | null {
  const { name = '' } = customer === null ? {} : (JSON.parse(customer) as { name?: string });
  return (
    name
      .replace(/\p{Cc}/gu, ' ')
      .slice(0, NAME_LENGTH_MAX)
      .trim() || null
  );
}

/** The IBAN of a refund; null when it has none, or one that cannot be read and must be set again. */
export function readIban(box: SecretBox, { id, iban }: { id: string; iban: string | null }): string | null {
  try {
    return iban === null ? null : box.decrypt(iban, `refunds.iban:${id}`);
  } catch {
    return null;
  }
}
