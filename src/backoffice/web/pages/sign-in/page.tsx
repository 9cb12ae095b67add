import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Redirect, useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { useSession } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Credentials } from './credentials.tsx';
import { FirstPassword } from './first-password.tsx';
import { NewCodes, RequiredFactor } from './required-factor.tsx';
import { SecondFactor } from './second-factor.tsx';

/** The sign-in: a passkey, or e-mail and password, then a code, then a change of an initial password or a second factor to set up. */
export default function SignInPage() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { user } = useSession();
  const [search] = useSearchParams();
  const state = useHistoryState<{ readonly next?: string } | null>();
  const [given, setGiven] = useState({ email: '', password: '' });
  const [step, setStep] = useState<'credentials' | 'code'>('credentials');
  // Kept here, because the session no longer asks for the set-up once it is complete.
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const entered = () => queries.invalidateQueries(trpc.session.current.pathFilter());
  if (user?.passwordChange === true) return <FirstPassword current={given.password} onDone={entered} />;
  if (codes !== null)
    return <NewCodes codes={codes} onDone={() => void entered().then(() => setCodes(null))} />;
  if (user?.factorDue === true) return <RequiredFactor onCodes={setCodes} onEntered={entered} />;
  if (user !== null) return <Redirect to={localPath(state?.next ?? search.get('next'))} replace />;
  if (step === 'code')
    return <SecondFactor given={given} onEntered={entered} onBack={() => setStep('credentials')} />;
  return (
    <Credentials given={given} onGiven={setGiven} onEntered={entered} onCodeWanted={() => setStep('code')} />
  );
}

/** Only paths of the back office are allowed. */
function localPath(next: string | null): string {
  return next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/sign-in') ? next : '/';
}
