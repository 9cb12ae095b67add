import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { Router } from 'wouter';
import { neededNow, onNeed, settleHeld } from '../lib/held-calls.ts';
import { useLanguage } from '../lib/i18n.ts';
import { queryClient } from '../lib/trpc.ts';
import { Boundary } from './boundary.tsx';
import { nonce } from './nonce.ts';
import { Routes } from './routes.tsx';
import { THEMES, variables } from './theme.ts';

const loadIdentityDialog = () => import('./identity-dialog.tsx');
/** Loaded after the page. */
const IdentityDialog = lazy(loadIdentityDialog);

/** The providers around the routes. Renders every page again when the language changes. */
export function App() {
  const { language } = useLanguage();
  return (
    <MantineProvider
      theme={THEMES[language]}
      cssVariablesResolver={variables}
      getStyleNonce={() => nonce}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <Boundary>
          <Identity />
          <Router base="/backoffice">
            <Routes />
          </Router>
        </Boundary>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Asks the user, over the page, for what the held calls need. */
function Identity() {
  const need = useSyncExternalStore(onNeed, neededNow);
  // On first use the connection may be gone, and the page with what was typed would give way to an error.
  useEffect(() => void loadIdentityDialog().catch(() => undefined), []);
  if (need === null) return null;
  return (
    <Suspense>
      <IdentityDialog
        key={need}
        need={need}
        onDone={() => settleHeld(true)}
        onCancel={() => settleHeld(false)}
      />
    </Suspense>
  );
}
