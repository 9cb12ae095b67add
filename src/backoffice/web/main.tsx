import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import '@mantine/notifications/styles.css';
import './app/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { keepFocus } from './ui/topmost.ts';

const SCHEME = 'data-mantine-color-scheme';

printInLight();
keepFocus();
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);

/** Prints in the light theme, because paper is white. */
function printInLight(): void {
  const { documentElement: root } = document;
  let shown = root.getAttribute(SCHEME);
  matchMedia('print').addEventListener('change', ({ matches }) => {
    if (matches) shown = root.getAttribute(SCHEME);
    root.setAttribute(SCHEME, matches ? 'light' : (shown ?? 'light'));
  });
}
