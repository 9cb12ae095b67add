export const REST_PREFIX = '/api/v1';
export const TRPC_PREFIX = '/trpc';

export type Door = 'rest' | 'trpc' | 'other';

/**
 * The target of a request in the form that the router understands, whatever was sent: `http://host/path` loses its
 * origin, and in a path with broken percent-encoding every `%` stands for itself, so that it names nothing.
 */
export function routableTarget(target: string): string {
  if (target.startsWith('/') && !target.includes('%')) return target;
  const rooted = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const [path] = splitTarget(rooted);
  const rest = rooted.slice(path.length);
  const slashed = path.startsWith('/') ? path : `/${path}`;
  return (decoded(slashed) === null ? slashed.replaceAll('%', '%25') : slashed) + rest;
}

/** Which door a routable target leads to, told by its decoded path, as the router does. */
export function doorOf(target: string): Door {
  const path = decoded(splitTarget(target)[0]) ?? '';
  if (isUnder(path, REST_PREFIX)) return 'rest';
  return isUnder(path, TRPC_PREFIX) ? 'trpc' : 'other';
}

/** The path as it came and the query without its question mark. */
export function splitTarget(target: string): [path: string, query: string] {
  const end = target.search(/[?#]/);
  return end === -1 ? [target, ''] : [target.slice(0, end), target.slice(end + 1)];
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function decoded(path: string): string | null {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return null;
  }
}
