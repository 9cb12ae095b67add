import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Outside } from '../../app/outside.tsx';
import { useTexts } from '../../lib/i18n.ts';
import { usePasskeySignIn } from '../../lib/passkeys.ts';
import { submitting } from '../../lib/submitting.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { CurrentPassword } from '../../ui/current-password.tsx';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { TEXTS } from './texts.ts';

export interface Given {
  readonly email: string;
  readonly password: string;
}

interface Props {
  readonly given: Given;
  readonly onGiven: (given: Given) => void;
  readonly onEntered: () => Promise<unknown>;
  readonly onCodeWanted: () => void;
}

/** E-mail and password. */
export function Credentials({ given, onGiven, onEntered, onCodeWanted }: Props) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const signIn = useMutation(trpc.session.signIn.mutationOptions());
  const passkey = usePasskeySignIn();
  const submit = submitting(async () => {
    const { outcome } = await signIn.mutateAsync(given);
    if (outcome === 'code_needed') onCodeWanted();
    else await onEntered();
  });
  return (
    <Outside title={words.signIn}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={words.email}
            type="email"
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
            value={given.email}
            onChange={(event) => onGiven({ ...given, email: event.currentTarget.value })}
          />
          <CurrentPassword
            label={words.password}
            value={given.password}
            onChange={(password) => onGiven({ ...given, password })}
          />
          <Trouble error={signIn.error} />
          <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
            {words.signIn}
          </Button>
          <PasskeyButton label={words.passkey} asking={passkey} onDone={onEntered} size="md" />
          <Text size="sm" c="dimmed">
            {words.help}
          </Text>
        </Stack>
      </form>
    </Outside>
  );
}
