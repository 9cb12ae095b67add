import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Redirect, useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { Outside, OutsideFailure } from '../../app/outside.tsx';
import { usePasskeyConfirm, usePasskeyPlace, usePasskeySignIn } from '../../lib/passkeys.ts';
import { useSession } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { checkSession, queryClient, trpc } from '../../lib/trpc.ts';
import { AddPasskey } from '../../ui/add-passkey.tsx';
import { Authenticator, type NewFactor } from '../../ui/authenticator.tsx';
import { SecondFactorField } from '../../ui/code-field.tsx';
import { notifyFault } from '../../ui/notify.ts';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import { CurrentPassword, NewPassword } from '../../ui/password-fields.tsx';
import { RecoveryCodes } from '../../ui/recovery-codes.tsx';
import { Hint } from '../../ui/soft.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { TEXTS } from './texts.ts';

/** The sign-in: a passkey, or e-mail and password, then a code, then a change of an initial password or a second factor to set up. */
export default function SignInPage() {
  const { user } = useSession();
  const [search] = useSearchParams();
  const state = useHistoryState<{ readonly next?: string } | null>();
  const [given, setGiven] = useState({ email: '', password: '' });
  const [step, setStep] = useState<'credentials' | 'code'>('credentials');
  // Kept here, because the session no longer asks for the set-up once it is complete.
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [unread, setUnread] = useState<unknown>(null);
  const entered = () => {
    // What an ended session has loaded may belong to another person.
    queryClient.removeQueries({ type: 'inactive' });
    return checkSession({ throwOnError: true }).then(() => setUnread(null), setUnread);
  };
  if (unread !== null)
    return <OutsideFailure title={TEXTS.notLoaded} error={unread} onAgain={() => void entered()} />;
  if (user?.passwordChange === true) return <FirstPassword current={given.password} onDone={entered} />;
  if (codes !== null) {
    return (
      <Outside title={TEXTS.codesTitle}>
        <RecoveryCodes codes={codes} onDone={() => void entered().then(() => setCodes(null))} />
      </Outside>
    );
  }
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

interface Props {
  /** The password just entered; empty after a reload, when the form asks for it again. */
  readonly current: string;
  readonly onDone: () => Promise<unknown>;
}

/** The mandatory change of an initial password. */
function FirstPassword({ current, onDone }: Props) {
  const change = useMutation(trpc.account.changePassword.mutationOptions({ onSuccess: onDone }));
  const [old, setOld] = useState(current);
  const [password, setPassword] = useState('');
  const submit = submitting(() => change.mutateAsync({ current: old, password }));
  return (
    <Outside title={TEXTS.firstTitle} description={TEXTS.firstText}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {current === '' && <CurrentPassword label={TEXTS.password} value={old} onChange={setOld} />}
          <NewPassword label={TEXTS.newPassword} value={password} onChange={setPassword} autoFocus />
          <Trouble error={change.error} />
          <Button type="submit" size="md" fullWidth loading={change.isPending}>
            {TEXTS.save}
          </Button>
        </Stack>
      </form>
    </Outside>
  );
}

interface SecondFactorProps {
  readonly given: Given;
  readonly onEntered: () => Promise<unknown>;
  readonly onBack: () => void;
}

/** Asks for the TOTP code after a correct password. */
function SecondFactor({ given, onEntered, onBack }: SecondFactorProps) {
  const signIn = useMutation(trpc.session.signIn.mutationOptions({ onSuccess: onEntered }));
  const [code, setCode] = useState('');
  const submit = submitting(
    () => signIn.mutateAsync({ ...given, code }),
    () => setCode(''),
  );
  return (
    <Outside title={TEXTS.codeTitle} description={TEXTS.codeText}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <SecondFactorField label={TEXTS.code} value={code} onChange={setCode} autoFocus />
          <Trouble error={signIn.error} />
          <Group justify="space-between">
            <Button variant="subtle" onClick={onBack}>
              {TEXTS.back}
            </Button>
            <Button type="submit" loading={signIn.isPending}>
              {TEXTS.continue}
            </Button>
          </Group>
        </Stack>
      </form>
    </Outside>
  );
}

interface Given {
  readonly email: string;
  readonly password: string;
}

interface CredentialsProps {
  readonly given: Given;
  readonly onGiven: (given: Given) => void;
  readonly onEntered: () => Promise<unknown>;
  readonly onCodeWanted: () => void;
}

function Credentials({ given, onGiven, onEntered, onCodeWanted }: CredentialsProps) {
  const passkey = usePasskeySignIn();
  const signIn = useMutation(
    trpc.session.signIn.mutationOptions({
      // The button stays busy until the session is loaded.
      onSuccess: ({ outcome }) => (outcome === 'code_needed' ? onCodeWanted() : onEntered()),
    }),
  );
  const submit = submitting(() => signIn.mutateAsync(given));
  return (
    <Outside title={TEXTS.signIn}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={TEXTS.email}
            type="email"
            autoComplete="username"
            autoFocus
            required
            value={given.email}
            onChange={(event) => onGiven({ ...given, email: event.currentTarget.value })}
          />
          <CurrentPassword
            label={TEXTS.password}
            value={given.password}
            onChange={(password) => onGiven({ ...given, password })}
          />
          <Trouble error={signIn.error} />
          <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
            {TEXTS.signIn}
          </Button>
          <PasskeyButton label={TEXTS.passkey} asking={passkey} onDone={onEntered} size="md" />
          <Hint>{TEXTS.help}</Hint>
        </Stack>
      </form>
    </Outside>
  );
}

interface RequiredFactorProps {
  /** Called with the recovery codes of an authenticator. */
  readonly onCodes: (recoveryCodes: readonly string[]) => void;
  /** Called after a passkey was added or used. */
  readonly onEntered: () => Promise<unknown>;
}

/** The mandatory second factor: an authenticator or a passkey to set up, or the passkey of a person who has one. */
function RequiredFactor({ onCodes, onEntered }: RequiredFactorProps) {
  const { user } = useSession();
  const { here } = usePasskeyPlace();
  const [factor, setFactor] = useState<NewFactor | null>(null);
  const [addsPasskey, setAddsPasskey] = useState(false);
  const begin = useMutation(
    trpc.account.totpBegin.mutationOptions({ onSuccess: setFactor, onError: notifyFault }),
  );
  if (user?.passkeys === 'required') return <OwnPasskey onEntered={onEntered} />;
  return (
    <Outside
      title={TEXTS.factorTitle}
      description={user?.operator === true ? TEXTS.factorText : TEXTS.teamText}
    >
      {factor !== null ? (
        <Authenticator factor={factor} onDone={onCodes} onCancel={() => setFactor(null)} />
      ) : addsPasskey ? (
        <AddPasskey onDone={() => void onEntered()} onCancel={() => setAddsPasskey(false)} />
      ) : (
        <Stack gap="md">
          <Group justify="space-between">
            <SignOut />
            <Button loading={begin.isPending} onClick={() => begin.mutate()}>
              {TEXTS.setUp}
            </Button>
          </Group>
          {here && (
            <Button variant="default" onClick={() => setAddsPasskey(true)}>
              {TEXTS.addPasskey}
            </Button>
          )}
        </Stack>
      )}
    </Outside>
  );
}

/** Requires the passkey of a user whose second factor it is, after a sign-in with the password. */
function OwnPasskey({ onEntered }: Pick<RequiredFactorProps, 'onEntered'>) {
  const { here, origin } = usePasskeyPlace();
  const confirm = usePasskeyConfirm();
  return (
    <Outside title={TEXTS.confirmTitle} description={TEXTS.confirmText}>
      <Stack gap="md">
        <PasskeyButton label={TEXTS.confirm} asking={confirm} onDone={onEntered} size="md" />
        {!here && origin !== null && <Text>{TEXTS.passkeysAt(origin)}</Text>}
        <Hint>{TEXTS.confirmLost}</Hint>
        <div>
          <SignOut />
        </div>
      </Stack>
    </Outside>
  );
}

function SignOut() {
  const signOut = useMutation(
    trpc.session.signOut.mutationOptions({ onSuccess: () => queryClient.clear(), onError: notifyFault }),
  );
  return (
    <Button variant="subtle" loading={signOut.isPending} onClick={() => signOut.mutate()}>
      {TEXTS.signOut}
    </Button>
  );
}
