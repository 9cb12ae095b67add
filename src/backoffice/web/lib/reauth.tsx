import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useRef,
  useState,
} from 'react';
import { GaveUp, isFault } from './faults.ts';

/** Loaded on first use. */
const PasswordDialog = lazy(() => import('./password-dialog.tsx'));

type Fresh = <T>(call: () => Promise<T>) => Promise<T>;
const FreshContext = createContext<Fresh | null>(null);

/** Runs a call and, when the server asks for the password, repeats it after the dialog. Rejects with GaveUp when the user cancels. */
export function useFresh(): Fresh {
  const fresh = useContext(FreshContext);
  if (fresh === null) throw new Error('there is no FreshProvider above');
  return fresh;
}

/** Provides the re-authentication dialog. */
export function FreshProvider({ children }: { readonly children: ReactNode }) {
  const [asking, setAsking] = useState(false);
  const answer = useRef<((given: boolean) => void) | null>(null);
  const settle = (given: boolean) => {
    setAsking(false);
    answer.current?.(given);
    answer.current = null;
  };
  const fresh = useCallback(async <T,>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      if (!isFault(error, 'REAUTHENTICATE')) throw error;
    }
    const given = await new Promise<boolean>((resolve) => {
      answer.current?.(false);
      answer.current = resolve;
      setAsking(true);
    });
    if (!given) throw new GaveUp();
    return await call();
  }, []);
  return (
    <FreshContext value={fresh}>
      {children}
      {asking && (
        <Suspense>
          <PasswordDialog onDone={() => settle(true)} onCancel={() => settle(false)} />
        </Suspense>
      )}
    </FreshContext>
  );
}
