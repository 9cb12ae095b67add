import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { SecondFactorField } from '../ui/code-field.tsx';
import { CurrentPassword } from '../ui/current-password.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { PasskeyButton } from '../ui/passkey-button.tsx';
import { texts, useTexts } from './i18n.ts';
import { usePasskeyConfirm } from './passkeys.ts';
import { useSessionQuery } from './session.ts';
import { submitting } from './submitting.ts';
import { useTRPC } from './trpc.ts';

const TEXTS = texts({
  en: {
    title: 'Confirm your identity',
    why: 'Confirm your password to continue. You will not be asked again for 10 minutes.',
    whyPasskey: 'Confirm with your passkey to continue. You will not be asked again for 10 minutes.',
    passkey: 'Confirm with a passkey',
    cancel: 'Cancel',
    password: 'Password',
    code: 'Code from your authenticator app',
    confirm: 'Continue',
  },
  pt: {
    title: 'Confirmar identidade',
    why: 'Confirme a palavra-passe para continuar. Não voltaremos a pedi-la durante 10 minutos.',
    whyPasskey: 'Confirme com a chave de acesso para continuar. Não voltaremos a pedi-la durante 10 minutos.',
    passkey: 'Confirmar com chave de acesso',
    cancel: 'Cancelar',
    password: 'Palavra-passe',
    code: 'Código da aplicação de autenticação',
    confirm: 'Continuar',
  },
});

interface Props {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Asks for the password, and for a code when two-factor authentication is on; or for a passkey. */
export default function PasswordDialog({ onDone, onCancel }: Props) {
  const words = useTexts(TEXTS);
  const passkeys = useSessionQuery().data?.user?.passkeys;
  const confirm = usePasskeyConfirm();
  const button = <PasskeyButton label={words.passkey} asking={confirm} onDone={onDone} />;
  return (
    <Dialog title={words.title} onClose={onCancel} above>
      {passkeys === 'required' ? (
        <Stack>
          <Text c="dimmed">{words.whyPasskey}</Text>
          {button}
          <Group justify="flex-end">
            <Button variant="default" onClick={onCancel}>
              {words.cancel}
            </Button>
          </Group>
        </Stack>
      ) : (
        <PasswordForm onDone={onDone} onCancel={onCancel}>
          {passkeys === 'optional' && button}
        </PasswordForm>
      )}
    </Dialog>
  );
}

function PasswordForm({ onDone, onCancel, children }: Props & { readonly children: ReactNode }) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const session = useSessionQuery();
  const verify = useMutation(trpc.session.reauthenticate.mutationOptions());
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const totp = session.data?.user?.totp === true;
  const submit = submitting(
    async () => {
      await verify.mutateAsync({ password, ...(totp && { code }) });
      onDone();
    },
    () => setCode(''),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text c="dimmed">{words.why}</Text>
        <CurrentPassword label={words.password} value={password} onChange={setPassword} first />
        {totp && <SecondFactorField label={words.code} value={code} onChange={setCode} />}
        {children}
        <FormEnd error={verify.error} label={words.confirm} busy={verify.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
