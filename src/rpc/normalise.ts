/** Deeper members are passed on unchanged: no schema goes that deep. */
const DEPTH_MAX = 12;

/**
 * Returns the input without members that are null or a blank string, so that they count as absent. Elements of arrays stay,
 * because errors name them by index.
 */
export function normalise(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth >= DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((element) => normalise(element, depth + 1));
  const present = Object.entries(value).filter(([, member]) => !isAbsent(member));
  // Object.fromEntries keeps a member named `__proto__` an ordinary member.
  return Object.fromEntries(present.map(([name, member]) => [name, normalise(member, depth + 1)]));
}

function isAbsent(member: unknown): boolean {
  return member === null || (typeof member === 'string' && member.trim() === '');
}
