const TYPED = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:,? (\d{1,2}):(\d{2}))?$/;
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}))?/;

/** Returns `YYYY-MM-DD`, with ` HH:MM:00` where a time is typed, for `31/12/2026`; null for a day that does not exist. */
export function readTypedDay(typed: string): string | null {
  const text = typed.trim();
  const iso = ISO.exec(text)?.slice(1);
  const [day, month, year, ...clock] = TYPED.exec(text)?.slice(1) ?? [];
  const [y, m, d, hour, minute] = iso ?? [year, month, day, ...clock];
  const at = new Date(Date.UTC(Number(y), Number(m) - 1, Number(d), Number(hour ?? 0), Number(minute ?? 0)));
  const exists =
    at.getUTCDate() === Number(d) &&
    at.getUTCMonth() === Number(m) - 1 &&
    at.getUTCHours() === Number(hour ?? 0);
  if (!exists) return null;
  const [date, time = ''] = at.toISOString().split('T');
  return hour === undefined ? (date ?? null) : `${date} ${time.slice(0, 8)}`;
}
