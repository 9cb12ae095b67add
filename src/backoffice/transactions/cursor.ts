import { OperatorError } from '../../kernel/errors.ts';
import { type Id, idFloor } from '../../kernel/ids.ts';
import { dayAfter, lisbonDayStart } from '../../kernel/lisbon.ts';
import type { IdRange } from '../../search/source-store.ts';

/** Sorts after every character of an id. */
export const AFTER_ALL = '~';
const ID = /^tx_[0-9a-hjkmnp-tv-z]{26}$/;

/** They bound every day of a list. */
export const FIRST_DAY = '0000-01-01';
export const LAST_DAY = '9999-12-31';

/** Lisbon days, both inclusive, on which transactions were created or, `by` the bank's record, paid. */
export interface Days {
  from?: string | undefined;
  to?: string | undefined;
  by?: 'created' | 'paid' | undefined;
}

/**
 * The ids of transactions that were created on the days, older than the transaction `cursor`. Days of payment bound no ids: money that
 * is assigned to an order can be older than it. Throws OperatorError on an invalid day or cursor.
 */
export function spanOf(range: Days, cursor: string | null): IdRange {
  const days = range.by === 'paid' ? {} : range;
  const from = days.from === undefined ? 'tx_' : idFloor('tx', startOf(days.from));
  const until = endOf(days.to);
  const end = until === null ? `tx_${AFTER_ALL}` : idFloor('tx', until);
  if (cursor === null) return { from, before: end };
  if (!isTransactionId(cursor)) throw new OperatorError('the cursor is invalid; start again without it');
  return { from, before: cursor < end ? cursor : end };
}

export function overlap(a: IdRange, b: IdRange): IdRange {
  return { from: a.from > b.from ? a.from : b.from, before: a.before < b.before ? a.before : b.before };
}

/** The instants of the days, from `from` (inclusive) to `before` (exclusive). Throws OperatorError on an invalid day. */
export function instantsOf({ from, to }: Days): { from: number; before: number } {
  return {
    from: from === undefined ? 0 : startOf(from),
    before: endOf(to) ?? Number.MAX_SAFE_INTEGER,
  };
}

function startOf(day: string): number {
  const start = lisbonDayStart(day);
  if (start === null) throw new OperatorError(`${day} is not a valid date`);
  return start;
}

/** The first instant after a day; null without a day, and after the last one. */
function endOf(day: string | undefined): number | null {
  if (day === undefined || day === LAST_DAY) return null;
  startOf(day);
  return startOf(dayAfter(day));
}

export const isTransactionId = (text: string): text is Id<'tx'> => ID.test(text);
