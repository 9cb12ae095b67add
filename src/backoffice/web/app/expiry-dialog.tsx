import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { texts, useTexts } from '../lib/i18n.ts';
import { usePasskeySignIn } from '../lib/passkeys.ts';
import { useSessionQuery } from '../lib/session.ts';
import { submitting } from '../lib/submitting.ts';
import { useTRPC } from '../lib/trpc.ts';
import { SecondFactorField } from '../ui/code-field.tsx';
import { CurrentPassword } from '../ui/current-password.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PasskeyButton } from '../ui/passkey-button.tsx';
import { Trouble } from '../ui/trouble.tsx';

const TEXTS = texts({
  en: {
    title: 'Sign in again',
    why: (email: string) => `Your session has ended. Sign in as ${email} to continue where you left off.`,
    password: 'Password',
    code: 'Code from your authenticator app',
    passkey: 'Sign in with a passkey',
    leave: 'Go to the sign-in page',
    confirm: 'Sign in',
  },
  pt: {
    title: 'Iniciar sessão novamente',
    why: (email) => `A sua sessão terminou. Inicie sessão como ${email} para continuar onde estava.`,
    password: 'Palavra-passe',
    code: 'Código da aplicação de autenticação',
    passkey: 'Entrar com chave de acesso',
    leave: 'Ir para a página de início de sessão',
    confirm: 'Iniciar sessão',
  },
});

interface Props {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** The sign-in of the user whose session has ended, over the page that was open. */
export default function ExpiryDialog({ onDone, onCancel }: Props) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const user = useSessionQuery().data?.user;
  const signIn = useMutation(trpc.session.signIn.mutationOptions());
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const email = user?.email ?? '';
  const passkey = usePasskeySignIn(email);
  const totp = user?.totp === true || signIn.data?.outcome === 'code_needed';
  const submit = submitting(
    async () => {
      const { outcome } = await signIn.mutateAsync({ email, password, ...(totp && { code }) });
      if (outcome === 'signed_in') onDone();
    },
    () => setCode(''),
  );
  return (
    <Dialog title={words.title} onClose={onCancel} above guarded blurred>
      <form onSubmit={submit}>
        <Stack>
          <Text c="dimmed">{words.why(email)}</Text>
          <CurrentPassword label={words.password} value={password} onChange={setPassword} first />
          {totp && <SecondFactorField label={words.code} value={code} onChange={setCode} />}
          <Trouble error={signIn.error} />
          {user != null && user.passkeys !== 'none' && (
            <PasskeyButton label={words.passkey} asking={passkey} onDone={onDone} />
          )}
          <Group justify="space-between">
            <Button variant="subtle" onClick={onCancel}>
              {words.leave}
            </Button>
            <Button type="submit" loading={signIn.isPending}>
              {words.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
