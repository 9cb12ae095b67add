/** Returns the content security policy of a page: scripts, styles, images, calls and forms of this origin, unless given. */
export function pagePolicy({
  style = "'self'",
  image = "'self'",
  form = "'self'",
  others = [] as string[],
} = {}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${style}`,
    "connect-src 'self'",
    `img-src ${image}`,
    "base-uri 'none'",
    `form-action ${form}`,
    "frame-ancestors 'none'",
    ...others,
  ].join('; ');
}
