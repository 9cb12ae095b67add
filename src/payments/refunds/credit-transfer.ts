import { isoInstant } from '../../kernel/clock.ts';
import { lisbonDay } from '../../kernel/lisbon.ts';
import { type Cents, cents, decimalFromCents } from '../../kernel/money.ts';
import { withoutAccents } from '../../kernel/person-keys.ts';

export interface Transfer {
  /** The bank repeats it to the payee; at most 35 characters. */
  endToEndId: string;
  amount: Cents;
  iban: string;
  name: string;
  /** What the payee reads. */
  text: string;
}

interface TransferFile {
  /** Unique for the debtor's bank, at most 35 characters. */
  messageId: string;
  now: number;
  debtor: { name: string; iban: string };
  transfers: readonly Transfer[];
}

const NAME_LENGTH_MAX = 70;
const TEXT_LENGTH_MAX = 140;

/** Returns a SEPA credit transfer file, pain.001.001.09. */
export function creditTransferXml({ messageId, now, debtor, transfers }: TransferFile): string {
  const total = cents(transfers.reduce((sum, { amount }) => sum + amount, 0));
  const sums = [tag('NbOfTxs', String(transfers.length)), tag('CtrlSum', decimalFromCents(total))];
  const debtorName = tag('Nm', sepaText(debtor.name, NAME_LENGTH_MAX));
  const header = tag('GrpHdr', [
    tag('MsgId', messageId),
    tag('CreDtTm', isoInstant(now)),
    ...sums,
    tag('InitgPty', [debtorName]),
  ]);
  const payment = tag('PmtInf', [
    tag('PmtInfId', messageId),
    tag('PmtMtd', 'TRF'),
    ...sums,
    tag('PmtTpInf', [tag('SvcLvl', [tag('Cd', 'SEPA')])]),
    tag('ReqdExctnDt', [tag('Dt', lisbonDay(now))]),
    tag('Dbtr', [debtorName]),
    account('DbtrAcct', debtor.iban),
    tag('DbtrAgt', [tag('FinInstnId', [tag('Othr', [tag('Id', 'NOTPROVIDED')])])]),
    tag('ChrgBr', 'SLEV'),
    ...transfers.map(transferXml),
  ]);
  const document = tag('CstmrCdtTrfInitn', [header, payment]);
  const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}">${document}</Document>\n`;
}

function transferXml({ endToEndId, amount, iban, name, text }: Transfer): string {
  return tag('CdtTrfTxInf', [
    tag('PmtId', [tag('EndToEndId', endToEndId)]),
    tag('Amt', [`<InstdAmt Ccy="EUR">${decimalFromCents(amount)}</InstdAmt>`]),
    tag('Cdtr', [tag('Nm', sepaText(name, NAME_LENGTH_MAX))]),
    account('CdtrAcct', iban),
    tag('RmtInf', [tag('Ustrd', sepaText(text, TEXT_LENGTH_MAX))]),
  ]);
}

function account(name: string, iban: string): string {
  return tag(name, [tag('Id', [tag('IBAN', iban)])]);
}

/** An element with children, or with text, which holds no character that XML reserves. */
function tag(name: string, content: string | readonly string[]): string {
  return `<${name}>${typeof content === 'string' ? content : content.join('')}</${name}>`;
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
};

/** Text in the characters that every SEPA bank accepts, none of which XML reserves; may be empty. */
export function sepaText(text: string, lengthMax: number): string {
  return withoutAccents(text)
    .replace(/[^\x20-\x7e]/gu, (letter) => LETTERS[letter] ?? ' ')
    .replace(/&/g, '+')
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, lengthMax)
    .trim();
}
