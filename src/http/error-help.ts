import type { Settings } from '../config.ts';
import type { ErrorCode } from '../kernel/errors.ts';

/** The page of the error catalogue. */
const REFERENCE_PATH = '/docs/reference';

/** Returns the anchor of a code on the reference page, without `#`. */
export function errorAnchor(code: ErrorCode): string {
  return `error-${code}`;
}

/** Makes the value of the `Link` header (RFC 8288) of an answer with this code. */
export type ErrorHelp = (code: ErrorCode) => string;

/**
 * The value is absolute under SERVICE_PUBLIC_URL, which may have a path of its own; without it a relative reference, which the
 * caller reads from the address it called.
 */
export function createErrorHelp({ publicUrl }: Pick<Settings, 'publicUrl'>): ErrorHelp {
  // In the form of a URL: a header holds ASCII alone, whatever letters the address was written with.
  const base = publicUrl === null ? '' : new URL(publicUrl).href.replace(/\/+$/, '');
  return (code) => `<${base}${REFERENCE_PATH}#${errorAnchor(code)}>; rel="help"`;
}
