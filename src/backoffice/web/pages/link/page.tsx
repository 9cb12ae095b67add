import { Button, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Outside, OutsideFailure } from '../../app/outside.tsx';
import { isFault } from '../../lib/faults.ts';
import { useTexts } from '../../lib/i18n.ts';
import { queryClient, trpc } from '../../lib/trpc.ts';
import { Trouble } from '../../ui/trouble.tsx';
import { ChoosePassword, type ShownLink } from './choose-password.tsx';
import { TEXTS } from './texts.ts';

/** The page of a one-time link: invitation or password reset. */
export default function LinkPage() {
  const words = useTexts(TEXTS);
  // The token is in the fragment, which browsers do not send.
  const [token] = useState(() => window.location.hash.slice(1));
  const [saved, setSaved] = useState(false);
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
