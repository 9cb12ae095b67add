import { instantFromBankText } from '../../kernel/lisbon.ts';
import { centsFromDecimal } from '../../kernel/money.ts';
import { type BankRecord, BankSilent, type ListFilter } from '../port.ts';
import { halves, type WallRange, wallRange } from '../wall-time.ts';
import { digits, isObject, member, pushIdentity, textOf } from './wire.ts';

/** The bank answers with so many rows at most, without saying that there are more. */
const ROWS_MAX = 1000;
/** Answers that one read may take: some two million rows. Beyond it the caller asks for a shorter time. */
const PAGES_MAX = 4096;
const DAY_MS = 86_400_000;
/** Before any row of this service; where a read without a range begins when it must be split. */
const BEGINNING = Date.UTC(2015, 0, 1);

/** One answer of the bank's list; `range` null asks without one. Throws BankSilent. */
export type ReadPage = (range: WallRange | null) => Promise<unknown[]>;

/**
 * Reads the list until no answer is at the row limit: a full one is thrown away and its time read in halves, down to
 * one second. Nothing is silently cut: a full second throws BankSilent. Parts meet at whole seconds, so that rows that
 * look alike stay together and their ranks do not depend on how the time was split.
 */
export async function readWholeList(
  readPage: ReadPage,
  filter: ListFilter,
  now: number,
  unreadable: (row: unknown) => void,
): Promise<BankRecord[]> {
  const records = new Map<string, BankRecord>();
  let pagesCount = 0;
  const read = async (range: WallRange | null): Promise<void> => {
    pagesCount += 1;
    if (pagesCount > PAGES_MAX) throw new BankSilent(`list: more than ${PAGES_MAX} answers for one read`);
    const rows = await readPage(range);
    if (rows.length < ROWS_MAX) {
      for (const record of recordsOfPage(rows, unreadable)) records.set(record.identity, record);
      return;
    }
    const parts = halves(range ?? wallRange(BEGINNING, now + DAY_MS));
    if (parts === null) throw new BankSilent(`list: ${rows.length} rows within one second`);
    for (const part of parts) await read(part);
  };
  await read(filter.from === undefined || filter.to === undefined ? null : wallRange(filter.from, filter.to));
  return [...records.values()];
}

/** The records of one answer. A row without a readable amount is handed to `unreadable` and makes no record. */
function recordsOfPage(rows: readonly unknown[], unreadable: (row: unknown) => void): BankRecord[] {
  const ranks = new Map<string, number>();
  const records: BankRecord[] = [];
  for (const row of rows) {
    const record = recordOfRow(row, (alike) => {
      const rank = (ranks.get(alike) ?? 0) + 1;
      ranks.set(alike, rank);
      return rank;
    });
    if (record === null) unreadable(row);
    else records.push(record);
  }
  return records;
}

function recordOfRow(row: unknown, rankOf: (alike: string) => number): BankRecord | null {
  if (!isObject(row)) return null;
  const amount = centsFromDecimal(member(row, 'amount'));
  if (amount === null) return null;
  const requestId = textOf(member(row, 'requestId'));
  const bankOrderId = textOf(member(row, 'orderId'));
  const paymentDate = textOf(member(row, 'paymentDate'));
  const entity = digits(member(row, 'entity'), 5) ?? textOf(member(row, 'entity'));
  const reference = digits(member(row, 'reference'), 9) ?? textOf(member(row, 'reference'));
  const method = methodOf(entity);
  // A push is paid once. A reference can be paid again, even twice in one second: then only the rank differs.
  let identity: string;
  if (method === 'MBWAY' && requestId !== null) {
    identity = pushIdentity(requestId);
  } else {
    const origin = requestId === null ? [entity, reference, bankOrderId] : [requestId];
    const alike = [...origin, paymentDate, amount];
    identity = `ifthenpay:${JSON.stringify([...alike, rankOf(JSON.stringify(alike))])}`;
  }
  return {
    identity,
    method,
    amount,
    paidAt: paymentDate === null ? null : instantFromBankText(paymentDate),
    requestId,
    bankOrderId,
    entity,
    reference,
    raw: withoutMethodKey(row),
    methodKey: textOf(member(row, 'subEntity')),
  };
}

/** What is kept of a row for the books: the method key is a credential, and the account of the receipt names it. */
function withoutMethodKey(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name.toLowerCase() !== 'subentity'));
}

function methodOf(entity: string | null): BankRecord['method'] {
  if (entity === null) return null;
  // Documented as MBWAY; the brand itself is written with a space.
  const name = entity.toUpperCase().replace(/[\s_-]/g, '');
  if (name === 'MBWAY') return 'MBWAY';
  return name === 'MB' || /^\d{5}$/.test(name) ? 'REFERENCE' : null;
}
