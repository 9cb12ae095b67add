const SCHEME = 'data-mantine-color-scheme';

/** Prints in the light theme, because paper is white. */
export function printInLight(): void {
  const { documentElement: root } = document;
  let shown = root.getAttribute(SCHEME);
  matchMedia('print').addEventListener('change', ({ matches }) => {
    if (matches) shown = root.getAttribute(SCHEME);
    root.setAttribute(SCHEME, matches ? 'light' : (shown ?? 'light'));
  });
}
