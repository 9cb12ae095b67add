/** Deeper members are passed on unchanged: no schema is that deep. */
const DEPTH_MAX = 12;

/**
 * Removes members that are null or a blank string from the input, so that they count as absent. Elements of arrays stay, because
 * errors name them by index. Changes and returns the given value.
 */
export function normalise(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth >= DEPTH_MAX) return value;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (typeof member === 'object' && member !== null) normalise(member, depth + 1);
    else if (isAbsent(member) && !Array.isArray(value)) delete members[name];
  }
  return value;
}

function isAbsent(member: unknown): boolean {
  return member === null || (typeof member === 'string' && member.trim() === '');
}
