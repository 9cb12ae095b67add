/** Order matters: most browsers include the names of others. */
const BROWSERS: readonly [mark: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly [mark: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux|X11/, 'Linux'],
];

/** Returns the browser name of a user agent; null when unknown. */
export function deviceOf(userAgent: string): { browser: string; system: string | null } | null {
  const browser = BROWSERS.find(([mark]) => mark.test(userAgent))?.[1];
  if (browser === undefined) return null;
  return { browser, system: SYSTEMS.find(([mark]) => mark.test(userAgent))?.[1] ?? null };
}
