import { lazy, Suspense, useSyncExternalStore } from 'react';
import { isExpired, onExpiry, settleExpiry } from './expiry.ts';

/** Loaded on first use. */
const ExpiryDialog = lazy(() => import('./expiry-dialog.tsx'));

/** Asks the user to sign in again, over the page, when the session has ended. */
export function SignInAgain() {
  if (!useSyncExternalStore(onExpiry, isExpired)) return null;
  return (
    <Suspense>
      <ExpiryDialog onDone={() => settleExpiry(true)} onCancel={() => settleExpiry(false)} />
    </Suspense>
  );
}
