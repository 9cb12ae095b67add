export const REST_PREFIX = '/api/v1';
export const CHECKOUT_PREFIX = '/checkout/v1';
export const TRPC_PREFIX = '/trpc';

/** The kind of endpoint, which decides the shape of errors. */
export type Endpoint = 'rest' | 'trpc' | 'other';

/**
 * Returns the target of a request in the form that the router understands: `http://host/path` loses its origin, and in a path
 * with broken percent-encoding every `%` is escaped, so that it matches no route.
 */
export function routableTarget(target: string): string {
  if (target.startsWith('/') && !target.includes('%')) return target;
  const rooted = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const [path] = splitTarget(rooted);
  const rest = rooted.slice(path.length);
  const slashed = path.startsWith('/') ? path : `/${path}`;
  return (decoded(slashed) === null ? slashed.replaceAll('%', '%25') : slashed) + rest;
}

/** Returns the kind of endpoint of a routable target, by its decoded path. */
export function endpointOf(target: string): Endpoint {
  const path = decoded(splitTarget(target)[0]) ?? '';
  if (isUnder(path, REST_PREFIX) || isUnder(path, CHECKOUT_PREFIX)) return 'rest';
  return isUnder(path, TRPC_PREFIX) ? 'trpc' : 'other';
}

/** Splits a target into its path and its query without the question mark. */
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
