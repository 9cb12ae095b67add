import type { Settings } from '../config.ts';
import type { ErrorCode } from '../kernel/errors.ts';

/** The reference page, which explains every code. */
const REFERENCE_PATH = '/docs/reference';

/** Returns the anchor of a code on the reference page, without `#`. */
export function errorAnchor(code: ErrorCode): string {
  return `error-${code}`;
}

/** Returns the `Link` header (RFC 8288) of a response with this code. */
export type ErrorHelp = (code: ErrorCode) => string;

/** Links are absolute under SERVICE_PUBLIC_URL, which may have a path; without it they are relative. */
export function createErrorHelp({ publicUrl }: Pick<Settings, 'publicUrl'>): ErrorHelp {
  // `href` is ASCII, as a header must be.
  const base = publicUrl === null ? '' : new URL(publicUrl).href.replace(/\/+$/, '');
  return (code) => `<${base}${REFERENCE_PATH}#${errorAnchor(code)}>; rel="help"`;
}
