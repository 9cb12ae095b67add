import { instantFromBankText, instantFromLisbon } from '../../kernel/lisbon.ts';

const TEXT = /^(\d{4})-(\d\d)-(\d\d)[T :](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Parses a time of EuPago; without a zone it is Lisbon time. Null when it is unreadable. */
export function instantFromText(text: string | null): number | null {
  const trimmed = text?.trim() ?? '';
  const match = TEXT.exec(trimmed);
  if (match === null) return instantFromBankText(trimmed);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  const isReal = new Date(asUtc).toISOString().startsWith(`${match[1]}-${match[2]}-${match[3]}T${match[4]}`);
  if (!isReal || minute > 59 || second > 59) return null;
  const zone = match[7];
  return zone === undefined
    ? instantFromLisbon({ year, month, day, hour, minute, second })
    : asUtc - offsetMs(zone);
}

function offsetMs(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -size : size;
}
