import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Outside } from '../../app/outside.tsx';
import { useTexts } from '../../lib/i18n.ts';
import { usePasskeyConfirm, usePasskeyPlace } from '../../lib/passkeys.ts';
import { useSession } from '../../lib/session.ts';
import { queryClient, trpc } from '../../lib/trpc.ts';
import { AddPasskey } from '../../ui/add-passkey.tsx';
import { Authenticator, type NewFactor } from '../../ui/authenticator.tsx';
import { notifyFault } from '../../ui/notify.ts';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import { RecoveryCodes } from '../../ui/recovery-codes.tsx';
import { Hint } from '../../ui/soft.tsx';
import { TEXTS } from './texts.ts';

interface Props {
  /** Called with the recovery codes of an authenticator. */
  readonly onCodes: (recoveryCodes: readonly string[]) => void;
  /** Called after a passkey was added or used. */
  readonly onEntered: () => Promise<unknown>;
}

/** The mandatory second factor: an authenticator or a passkey to set up, or the passkey of a person who has one. */
export function RequiredFactor({ onCodes, onEntered }: Props) {
  const words = useTexts(TEXTS);
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
      title={words.factorTitle}
      description={user?.operator === true ? words.factorText : words.teamText}
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
              {words.setUp}
            </Button>
          </Group>
          {here && (
            <Button variant="default" onClick={() => setAddsPasskey(true)}>
              {words.addPasskey}
            </Button>
          )}
        </Stack>
      )}
    </Outside>
  );
}

/** Requires the passkey of a user whose second factor it is, after a sign-in with the password. */
function OwnPasskey({ onEntered }: Pick<Props, 'onEntered'>) {
  const words = useTexts(TEXTS);
  const { here, origin } = usePasskeyPlace();
  const confirm = usePasskeyConfirm();
  return (
    <Outside title={words.confirmTitle} description={words.confirmText}>
      <Stack gap="md">
        <PasskeyButton label={words.confirm} asking={confirm} onDone={onEntered} size="md" />
        {!here && origin !== null && <Text>{words.confirmAt(origin)}</Text>}
        <Hint>{words.confirmLost}</Hint>
        <div>
          <SignOut />
        </div>
      </Stack>
    </Outside>
  );
}

function SignOut() {
  const words = useTexts(TEXTS);
  const signOut = useMutation(
    trpc.session.signOut.mutationOptions({ onSuccess: () => queryClient.clear(), onError: notifyFault }),
  );
  return (
    <Button variant="subtle" loading={signOut.isPending} onClick={() => signOut.mutate()}>
      {words.signOut}
    </Button>
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
