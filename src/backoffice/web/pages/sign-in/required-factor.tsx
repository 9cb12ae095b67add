import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Outside } from '../../app/outside.tsx';
import { useTexts } from '../../lib/i18n.ts';
import { useFresh } from '../../lib/reauth.tsx';
import { useSession } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Authenticator, type NewFactor } from '../../ui/authenticator.tsx';
import { notifyFault } from '../../ui/notify.ts';
import { RecoveryCodes } from '../../ui/recovery-codes.tsx';
import { TEXTS } from './texts.ts';

/** The mandatory set-up of two-factor authentication. */
export function RequiredFactor({ onDone }: { readonly onDone: (recoveryCodes: readonly string[]) => void }) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const queries = useQueryClient();
  const fresh = useFresh();
  const { user } = useSession();
  const [factor, setFactor] = useState<NewFactor | null>(null);
  const begin = useMutation(trpc.account.totpBegin.mutationOptions());
  const signOut = useMutation(
    trpc.session.signOut.mutationOptions({ onSuccess: () => queries.clear(), onError: notifyFault }),
  );
  const start = async () => {
    try {
      setFactor(await fresh(() => begin.mutateAsync()));
    } catch (error) {
      notifyFault(error);
    }
  };
  return (
    <Outside
      title={words.factorTitle}
      description={user?.operator === true ? words.factorText : words.teamText}
    >
      {factor !== null ? (
        <Authenticator factor={factor} onDone={onDone} onCancel={() => setFactor(null)} />
      ) : (
        <Stack gap="md">
          <Group justify="space-between">
            <Button variant="subtle" loading={signOut.isPending} onClick={() => signOut.mutate()}>
              {words.signOut}
            </Button>
            <Button loading={begin.isPending} onClick={() => void start()}>
              {words.setUp}
            </Button>
          </Group>
        </Stack>
      )}
    </Outside>
  );
}

interface NewCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** The recovery codes after the set-up. */
export function NewCodes({ codes, onDone }: NewCodesProps) {
  const words = useTexts(TEXTS);
  return (
    <Outside title={words.codesTitle}>
      <RecoveryCodes codes={codes} onDone={onDone} />
    </Outside>
  );
}
