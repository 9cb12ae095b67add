import { OperatorError } from '../../kernel/errors.ts';
import { type Id, idFloor } from '../../kernel/ids.ts';
import { dayAfter, lisbonDayStart } from '../../kernel/lisbon.ts';

/** The part of the list that is looked at: ids from `from` on, and before `before`. Ids sort by the time of creation. */
export interface Span {
  from: string;
  before: string;
}

/** Behind every id of a transaction. */
const AFTER_ALL = 'tx_~';
const ID = /^tx_[0-9a-hjkmnp-tv-z]{26}$/;

/** The ids of the Lisbon days `from` to `to`, both included, older than the cursor. OperatorError on what is none. */
export function spanOf(
  range: { from?: string | undefined; to?: string | undefined },
  cursor: string | null,
): Span {
  const from = range.from === undefined ? 'tx_' : idFloor('tx', startOf(range.from));
  const end = range.to === undefined ? AFTER_ALL : idFloor('tx', startOf(dayAfterIt(range.to)));
  const place = cursor === null ? AFTER_ALL : placeOf(cursor);
  return { from, before: place < end ? place : end };
}

/** The cursor that goes on behind the row `id`. */
export function cursorAt(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function placeOf(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!ID.test(id)) throw new OperatorError('the cursor is none that this list gave; start again without it');
  return id;
}

function startOf(day: string): number {
  const start = lisbonDayStart(day);
  if (start === null) throw new OperatorError(`${day} is no day of the calendar`);
  return start;
}

function dayAfterIt(day: string): string {
  startOf(day);
  return dayAfter(day);
}

/** The id as the list's own kind; what is not of its form is nobody's. */
export function asTransactionId(text: string): Id<'tx'> | null {
  return ID.test(text) ? (text as Id<'tx'>) : null;
}
