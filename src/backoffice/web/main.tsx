import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import '@mantine/notifications/styles.css';
import './app/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { printInLight } from './app/print.ts';

printInLight();
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);
