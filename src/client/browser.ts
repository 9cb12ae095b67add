/**
 * Throws in a browser page, where everybody can read the key. What has no document is left alone: edge runtimes and workers
 * look much alike.
 */
export function refuseBrowserPage(): void {
  const { window } = globalThis as { window?: { document?: unknown } };
  if (window?.document === undefined) return;
  throw new TypeError(
    'The payments client does not run in a browser page: the API key is secret, and whoever opens the page could read it. ' +
      'Call it from your server, and let the page call your server.',
  );
}
