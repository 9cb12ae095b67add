const INSTANT = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Reads an instant as on the wire (`2026-01-31T12:00:00.000Z`, also with an offset, seconds and milliseconds left out at will) or
 * a day, which stands for its midnight in UTC. UTC milliseconds; null when it is neither, or a day that no month has.
 */
export function readInstant(text: string): number | null {
  const [, day] = INSTANT.exec(text) ?? [];
  if (day === undefined) return null;
  const midnight = Date.parse(day);
  // Parsing carries 30 February over into March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? null : instant;
}
