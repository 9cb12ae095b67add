import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Need } from '../lib/held-calls.ts';
import { texts } from '../lib/i18n.ts';
import { usePasskeyConfirm, usePasskeySignIn } from '../lib/passkeys.ts';
import { useSessionQuery } from '../lib/session.ts';
import { submitting } from '../lib/submitting.ts';
import { trpc } from '../lib/trpc.ts';
import { SecondFactorField } from '../ui/code-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { PasskeyButton } from '../ui/passkey-button.tsx';
import { CurrentPassword } from '../ui/password-fields.tsx';

const TEXTS = texts({
  signIn: {
    title: ['Sign in again', 'Iniciar sessão novamente'],
    why: [
      (email: string) => `Your session has ended. Sign in as ${email} to continue where you left off.`,
      (email) => `A sua sessão terminou. Inicie sessão como ${email} para continuar onde estava.`,
    ],
    passkey: ['Sign in with a passkey', 'Entrar com chave de acesso'],
    submit: ['Sign in', 'Iniciar sessão'],
    cancel: ['Go to the sign-in page', 'Ir para a página de início de sessão'],
  },
  confirm: {
    title: ['Confirm your identity', 'Confirmar identidade'],
    why: [
      () => 'Confirm your password to continue. You will not be asked again for 10 minutes.',
      () => 'Confirme a palavra-passe para continuar. Não voltaremos a pedi-la durante 10 minutos.',
    ],
    passkey: ['Confirm with a passkey', 'Confirmar com chave de acesso'],
    submit: ['Continue', 'Continuar'],
    cancel: ['Cancel', 'Cancelar'],
  },
  whyPasskey: [
    'Confirm with your passkey to continue. You will not be asked again for 10 minutes.',
    'Confirme com a chave de acesso para continuar. Não voltaremos a pedi-la durante 10 minutos.',
  ],
});

interface Props {
  readonly need: Need;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Asks for the password, and for a code when two-factor authentication is on; or for a passkey. */
export default function IdentityDialog({ need, onDone, onCancel }: Props) {
  const words = TEXTS[need];
  const user = useSessionQuery().data?.user;
  const email = user?.email ?? '';
  const signIn = useMutation(trpc.session.signIn.mutationOptions());
  const verify = useMutation(trpc.session.reauthenticate.mutationOptions());
  const passkeys = { signIn: usePasskeySignIn(email), confirm: usePasskeyConfirm() };
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const ended = need === 'signIn';
  const totp = user?.totp === true || signIn.data?.outcome === 'code_needed';
  const given = { password, ...(totp && { code }) };
  const submit = submitting(
    async () => {
      if (!ended) await verify.mutateAsync(given);
      else if ((await signIn.mutateAsync({ email, ...given })).outcome !== 'signed_in') return;
      onDone();
    },
    () => setCode(''),
  );
  const passkey = user != null && user.passkeys !== 'none' && (
    <PasskeyButton label={words.passkey} asking={passkeys[need]} onDone={onDone} />
  );
  return (
    <Dialog title={words.title} onClose={onCancel} above guarded={ended} blurred={ended}>
      {!ended && user?.passkeys === 'required' ? (
        <Stack>
          <Text c="dimmed">{TEXTS.whyPasskey}</Text>
          {passkey}
          <Group justify="flex-end">
            <Button variant="default" onClick={onCancel}>
              {words.cancel}
            </Button>
          </Group>
        </Stack>
      ) : (
        <DialogForm
          onSubmit={submit}
          change={ended ? signIn : verify}
          label={words.submit}
          cancelLabel={words.cancel}
          onCancel={onCancel}
        >
          <Text c="dimmed">{words.why(email)}</Text>
          <CurrentPassword label={TEXTS.password} value={password} onChange={setPassword} />
          {totp && <SecondFactorField label={TEXTS.appCode} value={code} onChange={setCode} />}
          {passkey}
        </DialogForm>
      )}
    </Dialog>
  );
}
