import { Alert, Button, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Outside, OutsideFailure } from '../../app/outside.tsx';
import { faultOf, isFault } from '../../lib/faults.ts';
import { submitting } from '../../lib/submitting.ts';
import { queryClient, type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { NewPassword } from '../../ui/password-fields.tsx';
import { Hint } from '../../ui/soft.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { TEXTS } from './texts.ts';

/** The page of a one-time link: invitation or password reset. */
export default function LinkPage() {
  // The token is in the fragment, which browsers do not send.
  const [token] = useState(() => window.location.hash.slice(1));
  const [saved, setSaved] = useState(false);
  // The browser loads nothing when another link is opened in this tab.
  useEffect(() => {
    const reload = () => window.location.reload();
    window.addEventListener('hashchange', reload);
    return () => window.removeEventListener('hashchange', reload);
  }, []);
  const show = useMutation(trpc.link.show.mutationOptions());
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => show.mutateAsync({ token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (saved) {
    return (
      <Outside title={TEXTS.doneTitle} description={TEXTS.signInNow}>
        <SignInButton />
      </Outside>
    );
  }
  if (link.data !== undefined) {
    return link.data.kind === 'invite' && link.data.signedIn ? (
      <Join token={token} link={link.data} />
    ) : (
      <ChoosePassword token={token} link={link.data} onSaved={() => setSaved(true)} />
    );
  }
  if (link.error !== null && isFault(link.error, 'NOT_FOUND')) {
    return (
      <Outside title={TEXTS.goneTitle} description={TEXTS.goneText}>
        <SignInButton />
      </Outside>
    );
  }
  if (link.error !== null) {
    return (
      <OutsideFailure title={TEXTS.failedTitle} error={link.error} onAgain={() => void link.refetch()} />
    );
  }
  return (
    <Outside title={TEXTS.checking}>
      <Skeleton height={190} radius="md" />
    </Outside>
  );
}

function SignInButton() {
  return (
    <Button component={Link} href="/sign-in" fullWidth variant="default">
      {TEXTS.signIn}
    </Button>
  );
}

interface Props {
  readonly token: string;
  readonly link: ShownLink;
}

/** Accepts an invitation with the account that is signed in. */
function Join({ token, link }: Props) {
  const [, navigate] = useLocation();
  const enter = async () => {
    await queryClient.invalidateQueries();
    navigate('/', { replace: true });
  };
  const accept = useMutation(trpc.link.accept.mutationOptions({ onSuccess: enter }));
  const role = link.role === null ? '' : TEXTS.roles[link.role];
  return (
    <Outside
      title={TEXTS.inviteTitle(link.merchantName ?? '')}
      description={TEXTS.joinText(link.email, role)}
    >
      <Stack>
        <Trouble error={accept.error} />
        <Button size="md" fullWidth loading={accept.isPending} onClick={() => accept.mutate({ token })}>
          {TEXTS.join}
        </Button>
      </Stack>
    </Outside>
  );
}

type ShownLink = RouterOutputs['link']['show'];

interface PasswordProps {
  readonly token: string;
  readonly link: ShownLink;
  /** Called when the password is saved and a sign-in with a code must follow. */
  readonly onSaved: () => void;
}

/** Sets the first or a new password. A person with an account signs in to accept an invitation instead. */
function ChoosePassword({ token, link, onSaved }: PasswordProps) {
  const [, navigate] = useLocation();
  const [password, setPassword] = useState('');
  const accept = useMutation(trpc.link.accept.mutationOptions());
  const signIn = useMutation(trpc.session.signIn.mutationOptions());
  // Kept in the history state: a URL would be sent to the server and logged.
  const signInFirst = () => navigate('/sign-in', { state: { next: `/link#${token}` } });
  const submit = submitting(async () => {
    const saved = await accept.mutateAsync({ token, password });
    if (link.kind === 'invite') {
      // The response does not reveal whether the person had a password before; the sign-in does.
      const { outcome } = await signIn.mutateAsync({ email: link.email, password });
      if (outcome === 'code_needed') return signInFirst();
      await accept.mutateAsync({ token });
    } else if (saved.outcome === 'sign_in') return onSaved();
    queryClient.clear();
    navigate('/', { replace: true });
  });
  const { title, text } = headingOf(link);
  return (
    <Outside title={title} description={text}>
      <form onSubmit={submit}>
        <Stack>
          {/* Password managers need the e-mail address in the form. */}
          <input type="text" autoComplete="username" value={link.email} readOnly hidden />
          <NewPassword label={TEXTS.newPassword} value={password} onChange={setPassword} autoFocus />
          {link.removesFactor && <Hint>{TEXTS.removesFactor}</Hint>}
          <Trouble error={accept.error} />
          {faultOf(signIn.error).reason === 'sign_in_wrong' ? (
            <Alert color="yellow" role="alert" p="sm">
              {TEXTS.hasAccount}
            </Alert>
          ) : (
            <Trouble error={signIn.error} />
          )}
          <Button type="submit" size="md" fullWidth loading={accept.isPending || signIn.isPending}>
            {TEXTS.save}
          </Button>
          {link.kind === 'invite' && (
            <Button fullWidth variant="default" onClick={signInFirst}>
              {TEXTS.signInFirst}
            </Button>
          )}
        </Stack>
      </form>
    </Outside>
  );
}

function headingOf(link: ShownLink): { title: string; text: string } {
  const role = link.role === null ? '' : TEXTS.roles[link.role];
  if (link.kind === 'reset') return { title: TEXTS.resetTitle, text: TEXTS.resetText(link.email) };
  return { title: TEXTS.inviteTitle(link.merchantName ?? ''), text: TEXTS.inviteText(link.email, role) };
}
