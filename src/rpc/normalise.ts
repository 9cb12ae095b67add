/** Deeper members than these are passed on as they are: no schema of ours looks that far. */
const NORMALISED_DEPTH_MAX = 12;

/**
 * The input with every member dropped that is null or a blank string, so that such a member counts as absent. The
 * elements of arrays stay where they are, because faults are told by their index.
 */
export function normalise(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth >= NORMALISED_DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((element) => normalise(element, depth + 1));
  const kept = Object.entries(value).filter(([, member]) => !isAbsent(member));
  // Object.fromEntries defines members, so that one named `__proto__` stays a member.
  return Object.fromEntries(kept.map(([name, member]) => [name, normalise(member, depth + 1)]));
}

function isAbsent(member: unknown): boolean {
  return member === null || (typeof member === 'string' && member.trim() === '');
}
