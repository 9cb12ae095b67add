import { Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { Outside } from '../../app/outside.tsx';
import { useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Trouble } from '../../ui/trouble.tsx';
import type { ShownLink } from './choose-password.tsx';
import { TEXTS } from './texts.ts';

interface Props {
  readonly token: string;
  readonly link: ShownLink;
}

/** Accepts an invitation with the account that is signed in. */
export function Join({ token, link }: Props) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const accept = useMutation(trpc.link.accept.mutationOptions());
  const role = link.role === null ? '' : words.roles[link.role];
  const join = async () => {
    try {
      await accept.mutateAsync({ token });
      await queries.invalidateQueries();
      navigate('/', { replace: true });
    } catch {
      // The page shows the error.
    }
  };
  return (
    <Outside
      title={words.inviteTitle(link.merchantName ?? '')}
      description={words.joinText(link.email, role)}
    >
      <Stack>
        <Trouble error={accept.error} />
        <Button size="md" fullWidth loading={accept.isPending} onClick={() => void join()}>
          {words.join}
        </Button>
      </Stack>
    </Outside>
  );
}
