import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { Router } from 'wouter';
import { useLanguage } from '../lib/i18n.ts';
import { FreshProvider } from '../lib/reauth.tsx';
import { TRPCProvider } from '../lib/trpc.ts';
import { Boundary } from './boundary.tsx';
import { queryClient, trpcClient } from './clients.ts';
import { nonce } from './nonce.ts';
import { Routes } from './routes.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { THEMES, variables } from './theme.ts';

/** The providers around the routes. */
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
        <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
          <Notifications position="bottom-right" />
          <Boundary>
            <FreshProvider>
              <SignInAgain />
              <Router base="/backoffice">
                <Routes />
              </Router>
            </FreshProvider>
          </Boundary>
        </TRPCProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
