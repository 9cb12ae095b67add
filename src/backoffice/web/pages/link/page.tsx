import { Alert, Button, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Outside, OutsideFailure } from '../../app/outside.tsx';
import { faultOf, isFault } from '../../lib/faults.ts';
import { useTexts } from '../../lib/i18n.ts';
import { submitting } from '../../lib/submitting.ts';
import { queryClient, type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { NewPassword } from '../../ui/password-fields.tsx';
import { Hint } from '../../ui/soft.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { TEXTS } from './texts.ts';

/** The page of a one-time link: invitation or password reset. */
export default function LinkPage() {
  const words = useTexts(TEXTS);
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
      <Outside title={words.doneTitle} description={words.signInNow}>
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
      <Outside title={words.goneTitle} description={words.goneText}>
        <SignInButton />
      </Outside>
    );
  }
  if (link.error !== null) {
    return (
      <OutsideFailure title={words.failedTitle} error={link.error} onAgain={() => void link.refetch()} />
    );
  }
  return (
    <Outside title={words.checking}>
      <Skeleton height={190} radius="md" />
    </Outside>
  );
}

function SignInButton() {
  const words = useTexts(TEXTS);
  return (
    <Button component={Link} href="/sign-in" fullWidth variant="default">
      {words.signIn}
    </Button>
  );
}

interface Props {
  readonly token: string;
  readonly link: ShownLink;
}

/** Accepts an invitation with the account that is signed in. */
function Join({ token, link }: Props) {
  const words = useTexts(TEXTS);
  const [, navigate] = useLocation();
  const enter = async () => {
    await queryClient.invalidateQueries();
    navigate('/', { replace: true });
  };
  const accept = useMutation(trpc.link.accept.mutationOptions({ onSuccess: enter }));
  const role = link.role === null ? '' : words.roles[link.role];
  return (
    <Outside
      title={words.inviteTitle(link.merchantName ?? '')}
      description={words.joinText(link.email, role)}
    >
      <Stack>
        <Trouble error={accept.error} />
        <Button size="md" fullWidth loading={accept.isPending} onClick={() => accept.mutate({ token })}>
          {words.join}
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
  const words = useTexts(TEXTS);
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
  const { title, text } = useHeading(link);
  return (
    <Outside title={title} description={text}>
      <form onSubmit={submit}>
        <Stack>
          {/* Password managers need the e-mail address in the form. */}
          <input type="text" autoComplete="username" value={link.email} readOnly hidden />
          <NewPassword label={words.newPassword} value={password} onChange={setPassword} autoFocus />
          {link.removesFactor && <Hint>{words.removesFactor}</Hint>}
          <Trouble error={accept.error} />
          {faultOf(signIn.error).reason === 'sign_in_wrong' ? (
            <Alert color="yellow" role="alert" p="sm">
              {words.hasAccount}
            </Alert>
          ) : (
            <Trouble error={signIn.error} />
          )}
          <Button type="submit" size="md" fullWidth loading={accept.isPending || signIn.isPending}>
            {words.save}
          </Button>
          {link.kind === 'invite' && (
            <Button fullWidth variant="default" onClick={signInFirst}>
              {words.signInFirst}
            </Button>
          )}
        </Stack>
      </form>
    </Outside>
  );
}

/** The heading of a link's page. */
function useHeading(link: ShownLink): { title: string; text: string } {
  const words = useTexts(TEXTS);
  const role = link.role === null ? '' : words.roles[link.role];
  if (link.kind === 'reset') return { title: words.resetTitle, text: words.resetText(link.email) };
  return {
    title: words.inviteTitle(link.merchantName ?? ''),
    text: words.inviteText(link.email, role),
  };
}
